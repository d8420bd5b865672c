package git

const replacePrefix = "refs/replace/"

// Lacks lists what is missing from the history of a clone, or differs from what git shows.
type Lacks struct {
	Shallow  bool // it is a shallow clone
	Partial  bool // contents or folders were not fetched, as with git clone --filter
	Replaced int  // replace refs: git shows other objects than this package, see git-replace(1)
}

// Lacks returns what the clone lacks. If the refs can't be read, Replaced is 0.
func (r *Repository) Lacks() Lacks {
	replaced, _, _ := r.store.refs.below(replacePrefix)
	return Lacks{Shallow: len(r.shallow) > 0, Partial: r.isPartial(), Replaced: len(replaced)}
}
