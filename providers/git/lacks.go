package git

const replacePrefix = "refs/replace/"

// Lacks says what of a history a clone does not have, or has otherwise than git shows it.
type Lacks struct {
	Shallow  bool // it ends where a shallow clone does
	Partial  bool // contents or folders were not fetched, as with git clone --filter
	Replaced int  // refs that make git show another object than this package, see git-replace(1)
}

// Lacks tells what a clone does not have. Where the refs can't be read, none counts.
func (r *Repository) Lacks() Lacks {
	replaced, _, _ := r.store.refs.below(replacePrefix)
	return Lacks{Shallow: len(r.shallow) > 0, Partial: r.isPartial(), Replaced: len(replaced)}
}
