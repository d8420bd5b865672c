package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/internal/lazy"
)

// Tag is a tag of a commit.
type Tag struct {
	// Name is without refs/tags/, such as v1.4.0 or cmd/v1.2.
	Name string
	// Hash is the commit, 40 hex digits, for annotated and lightweight tags.
	Hash string
	// When is the committer time of the commit: annotated tags may be created much later.
	When time.Time
	// Annotated is set if the tag has its own object.
	Annotated bool
	// Version is the version in the name; it has no numbers if there is none.
	Version Version
}

// compareReleases orders tags by which counts as the first release: releases before pre-releases, those of
// the whole repository before those of a package, then by time, then by version.
func compareReleases(a, b Tag) int {
	return cmp.Or(trueFirst(a.Version.Released(), b.Version.Released()),
		trueFirst(a.Version.Line == "", b.Version.Line == ""),
		a.When.Compare(b.When), a.Version.Compare(b.Version), strings.Compare(a.Name, b.Name))
}

// trueFirst orders true before false.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Tags returns the tags of commits, loose and packed: those with a version first, in the order of
// [Version.Compare], then the others by name. Tags of other objects, such as a tree, are left out;
// [Repository.Skipped] lists tags whose objects are missing or damaged.
func (r *Repository) Tags() ([]Tag, error) {
	refs, bad, err := r.store.refs.below(tagPrefix)
	if err != nil {
		return nil, fmt.Errorf("read the tags: %w", err)
	}
	for _, s := range bad {
		r.skip(s.Object, s.Reason)
	}
	same := func(a, b *plumbing.Reference) bool { return *a == *b }
	if len(refs) > 0 && slices.EqualFunc(refs, r.tagRefs, same) {
		return slices.Clone(r.tags), nil
	}
	var tags []Tag
	for _, ref := range refs {
		t, err := r.tag(ref)
		switch {
		case err == nil:
			tags = append(tags, t)
		case errors.Is(err, errNoCommit):
		case isDamage(err):
			r.skip(ref.Name().String(), err.Error())
		default:
			return nil, fmt.Errorf("tag %s: %w", t.Name, err)
		}
	}
	slices.SortFunc(tags, compareTags)
	r.tagRefs, r.tags = refs, tags
	return slices.Clone(tags), nil
}

func compareTags(a, b Tag) int {
	return cmp.Or(trueFirst(len(a.Version.Numbers) > 0, len(b.Version.Numbers) > 0), a.Version.Compare(b.Version),
		strings.Compare(a.Name, b.Name))
}

const tagPrefix = "refs/tags/"

// errNoCommit means that an id or a tag refers to a tree or a blob.
var errNoCommit = errors.New("not a commit")

func (r *Repository) tag(ref *plumbing.Reference) (Tag, error) {
	t := Tag{Name: strings.TrimPrefix(ref.Name().String(), tagPrefix)}
	if ref.Type() == plumbing.SymbolicReference {
		return t, errNoCommit
	}
	id, err := r.peel(ref.Hash())
	if err != nil {
		return t, err
	}
	raw, err := r.readCommit(id)
	if err != nil {
		return t, err
	}
	t.Hash, t.Annotated = id.String(), id != ref.Hash()
	t.When = time.Unix(raw.committer.seconds, 0).In(zone(raw.committer.zone))
	t.Version, _ = ParseVersion(t.Name)
	return t, nil
}

// Releases returns, by revision as given, the name of the first release that contains it: among the version
// tags from which it is reachable, the tag with the oldest commit, with releases before pre-releases. It is
// empty if the revision is not reachable from any tag. If a package is given, its tags, by [Version.Package],
// take precedence. Otherwise only the tags of the package that owns the files of the commit count, and those
// of the whole repository such as v1.2. Only commits that are at least as new as the revision are visited,
// with a tolerance of one day for wrong clocks.
func (r *Repository) Releases(ctx context.Context, of string, revs ...string) (map[string]string, error) {
	tags, err := r.Tags()
	if err != nil {
		return nil, err
	}
	tags = slices.DeleteFunc(tags, func(t Tag) bool { return len(t.Version.Numbers) == 0 })
	slices.SortFunc(tags, compareReleases)
	packages, names := Packages(tags), map[string]string{}
	for _, rev := range revs {
		c, err := r.Commit(rev)
		if err != nil {
			return nil, err
		}
		counting := releasesFor(c, of, tags, packages)
		if names[rev], err = r.firstRelease(ctx, plumbing.NewHash(c.Hash), counting); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// releasesFor returns the tags that count for a commit, in the order of precedence.
func releasesFor(c Commit, of string, tags []Tag, packages map[string]bool) []Tag {
	owner := ownerOf(c, packages)
	if owner == "" && of == "" {
		return tags
	}
	is := func(t Tag, name string) bool { return name != "" && t.Version.Package() == name }
	counts := slices.Clone(tags)
	slices.SortStableFunc(counts, func(a, b Tag) int {
		return cmp.Or(trueFirst(is(a, of), is(b, of)), trueFirst(is(a, owner), is(b, owner)))
	})
	return slices.DeleteFunc(counts, func(t Tag) bool {
		name := t.Version.Package()
		return owner != "" && name != "" && name != owner && name != of
	})
}

var changeScope = lazy.Pattern(`^(?:\w+\(([^)]+)\)!?|([\w@/-]+)): `)

// ownerOf returns the package that a commit belongs to: the one named in its subject, as in "cli: …" or
// "fix(cli): …", if it changed a file of it, otherwise the one with most of the changed files; "" for none.
func ownerOf(c Commit, packages map[string]bool) string {
	files := map[string]int{}
	for _, ch := range c.Changes {
		if name := PackageOf(ch.Path, packages); name != "" {
			files[name]++
		}
	}
	scope := ""
	if m := changeScope().FindStringSubmatch(c.Subject); m != nil {
		scope = m[1] + m[2]
	}
	named := func(name string) bool { return scope != "" && (name == scope || strings.HasSuffix(name, "-"+scope)) }
	owners := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(trueFirst(named(a), named(b)), cmp.Compare(files[b], files[a]), strings.Compare(a, b))
	})
	if len(owners) == 0 {
		return ""
	}
	return owners[0]
}

// firstRelease returns the first of the tags, in order, from which a commit is reachable.
func (r *Repository) firstRelease(ctx context.Context, id plumbing.Hash, tags []Tag) (string, error) {
	l, err := r.metadataOf(id)
	if err != nil {
		return "", err
	}
	oldest := l.seconds - slack
	not := map[plumbing.Hash]bool{} // commits from which it is known not to be reachable
	for _, t := range tags {
		if t.When.Unix() < oldest {
			continue
		}
		ok, err := r.leadsTo(ctx, plumbing.NewHash(t.Hash), id, oldest, not)
		if err != nil {
			return "", err
		}
		if ok {
			return t.Name, nil
		}
	}
	return "", nil
}

// slack is by how many seconds clocks may differ.
const slack = 24 * 60 * 60

// leadsTo reports whether id is reachable from from through commits that are not older than oldest. It skips
// commits in not, and adds those that it visited without success.
func (r *Repository) leadsTo(ctx context.Context, from, id plumbing.Hash, oldest int64,
	not map[plumbing.Hash]bool) (bool, error) {
	stack := []plumbing.Hash{from}
	for len(stack) > 0 {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at == id {
			return true, nil
		}
		if not[at] {
			continue
		}
		not[at] = true
		l, err := r.metadataOf(at)
		if isDamage(err) {
			r.skip(at.String(), err.Error())
			continue
		}
		if err != nil {
			return false, err
		}
		if l.seconds >= oldest {
			stack = append(stack, l.parents...)
		}
	}
	return false, nil
}
