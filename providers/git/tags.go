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

// Tag is a permanent name of a commit.
type Tag struct {
	// Name is without refs/tags/, such as v1.4.0 or cmd/v1.2.
	Name string
	// Hash is the commit, 40 hex digits, whether or not the tag has an object of
	// its own.
	Hash string
	// When is the committer's time of the commit: annotated tags may be made much
	// later.
	When time.Time
	// Annotated says that the tag has an object of its own.
	Annotated bool
	// Version is the one in the name; without numbers where there is none.
	Version Version
}

// compareReleases orders tags by which is the first release: releases before what came
// before a release, those of the whole before those of a part, then by time, then by
// version.
func compareReleases(a, b Tag) int {
	return cmp.Or(trueFirst(a.Version.Released(), b.Version.Released()),
		trueFirst(a.Version.Line == "", b.Version.Line == ""),
		a.When.Compare(b.When), a.Version.Compare(b.Version), strings.Compare(a.Name, b.Name))
}

// trueFirst orders what is so before what is not.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Tags returns the tags that name commits, loose and packed: those with a
// version first, in the order of [Version.Compare], then the others by name. A tag
// of something else, such as a tree, is left out; one whose objects are missing or
// damaged is listed by [Repository.Skipped].
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

// errNoCommit says that an id or a tag names a tree or a blob.
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

// Releases returns, by the revisions as they are given, the name of the first release that
// holds each: of the tags with a version that lead to it the one whose commit is oldest, and a
// release rather than what came before one. It is empty where no tag leads to it. The tags of
// a package, by [Version.Package], count before all others if one is given; otherwise those of
// the package that owns the files of the commit, and beside these only v1.2, which is of the
// whole. Commits are looked at that are as new as the one asked about, but for clocks that were
// a day wrong.
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

// releasesFor are the tags that count for a commit, in the order in which they do.
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

// ownerOf is the package that a commit is of: the one that its subject names, as "cli: …" or
// "fix(cli): …" do, if it changed a file of it, or else the one with most of the changed files; "" for
// none.
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

// firstRelease is the first of the tags, in order, that leads to a commit.
func (r *Repository) firstRelease(ctx context.Context, id plumbing.Hash, tags []Tag) (string, error) {
	l, err := r.metadataOf(id)
	if err != nil {
		return "", err
	}
	oldest := l.seconds - slack
	not := map[plumbing.Hash]bool{} // known not to lead there
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

// slack is how many seconds a clock may have been wrong.
const slack = 24 * 60 * 60

// leadsTo reports whether from reaches id over commits that are not older than
// oldest. Commits in not are passed over; those that were looked at in vain join them.
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
