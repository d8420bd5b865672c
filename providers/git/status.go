package git

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

// CommitStatus is what a history says of one of its commits.
type CommitStatus struct {
	// Reached says that the commit is part of the history behind the tips, or behind a tag.
	Reached bool
	// RevertedBy is the commit that reverted it, 40 hex digits; "" for none, and
	// where that one was taken back itself.
	RevertedBy string
	// Unknown says that the search was given up before either was clear.
	Unknown bool
}

// CommitStatuses looks for commits, each 40 hex digits, behind the tips, and for later
// ones whose messages say that they revert them, in one walk that ends at the oldest
// of them, but for clocks that were a day wrong, or after limit commits; 0 means no
// limit.
func (r *Repository) CommitStatuses(ctx context.Context, limit int,
	commits ...string) (map[string]CommitStatus, error) {
	out := map[string]CommitStatus{}
	oldest := int64(maxSeconds)
	for _, c := range commits {
		out[c] = CommitStatus{}
		raw, err := r.readCommit(plumbing.NewHash(c))
		if isDamage(err) {
			continue // not here, so not reached either
		}
		if err != nil {
			return nil, err
		}
		oldest = min(oldest, raw.committer.seconds-slack)
	}
	tips, err := r.tipIDs()
	if err != nil {
		return nil, err
	}
	reached, naming, n, left := map[string]bool{}, map[string][]string{}, 0, len(out)
	err = newWalker(r).run(ctx, tips, nil, func(next *node) (bool, error) {
		if next.when() < oldest || left == 0 {
			return false, nil
		}
		if n++; limit > 0 && n > limit {
			for c := range out {
				out[c] = CommitStatus{Unknown: !reached[c]}
			}
			return false, nil
		}
		id := next.id.String()
		if _, asked := out[id]; asked {
			reached[id] = true
			left--
		}
		for _, old := range reverted(next.raw.message) {
			naming[old] = append(naming[old], id)
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	walked := Indexed{
		Has:    func(commit string) bool { return reached[commit] },
		Naming: func(_ context.Context, name string) ([]string, error) { return naming[name], nil },
	}
	found, err := r.CommitStatusesIndexed(ctx, walked, commits...)
	if err != nil {
		return nil, err
	}
	maps.Copy(out, found)
	return out, r.reachByTags(ctx, out)
}

// reachByTags marks the commits that no tip leads to and a tag does, as those of a branch for releases
// that was left.
func (r *Repository) reachByTags(ctx context.Context, statuses map[string]CommitStatus) error {
	lost := slices.DeleteFunc(slices.Collect(maps.Keys(statuses)), func(c string) bool {
		return statuses[c].Reached || statuses[c].Unknown
	})
	if len(lost) == 0 || r.frozen != nil {
		return nil
	}
	tags, err := r.Tags()
	if err != nil {
		return err
	}
	for _, c := range lost {
		id := plumbing.NewHash(c)
		if _, err := r.readCommit(id); isDamage(err) {
			continue
		}
		name, err := r.firstRelease(ctx, id, tags)
		if err != nil {
			return err
		}
		statuses[c] = CommitStatus{Reached: name != ""}
	}
	return nil
}

// tipIDs are the ids of the tips.
func (r *Repository) tipIDs() (ids []string, err error) {
	refs, err := r.Tips()
	ids = slice.Map(refs, func(ref Ref) string { return ref.Hash })
	return ids, err
}

var (
	revertedCommit = lazy.Pattern(`(?i)\bthis reverts commits? ([0-9a-f]{40})\b`)
	// revertedThread matches the line that a forge writes into the message of a revert, and the title
	// of what was reverted in its own.
	revertedThread = lazy.Pattern(`(?im)^(?:this )?reverts (?:pull request |merge request |pr )?` +
		`(?:[\w.-]+/[\w.-]+)?([#!][0-9]+)\b|` +
		`\A(?:revert|reapply)\b:? ?".*\((#[0-9]+)\)"`)
	// ownThread matches the number of the pull request that a commit is, or merges.
	ownThread = lazy.Pattern(`(?i)\A(?:merge pull request (#[0-9]+) |[^\n]*\((#[0-9]+)\)[ \t]*(?:\n|\z))|` +
		`(?m)^see merge request [^\s!]*(![0-9]+)$`)
)

// reverted lists what a message says it reverts: commits, as "git revert" writes it, and the numbers
// of pull requests, as forges do.
func reverted(message string) []string {
	mentions := strings.Contains(message, "evert") || strings.Contains(message, "EVERT")
	if !mentions && !strings.HasPrefix(message, "Reapply") {
		return nil
	}
	var out []string
	commits, threads := revertedCommit().FindAllStringSubmatch(message, -1),
		revertedThread().FindAllStringSubmatch(message, -1)
	for _, m := range append(commits, threads...) {
		if id := strings.ToLower(strings.Join(m[1:], "")); !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// names are what a revert may call a commit: its id, and the number of its pull request.
func names(id, message string) []string {
	out := []string{id}
	if m := ownThread().FindStringSubmatch(message); m != nil {
		out = append(out, strings.Join(m[1:], ""))
	}
	return out
}

// Indexed is what an index of all commits behind the tips knows of them. Commits are
// 40 hex digits.
type Indexed struct {
	// Has reports whether it holds a commit.
	Has func(commit string) bool
	// Naming lists the commits whose messages speak of a revert and have a name in them: a commit
	// in full, or a number such as #12. Others may be among them.
	Naming func(ctx context.Context, name string) ([]string, error)
}

// CommitStatusesIndexed is [Repository.CommitStatuses] for the commits that an index holds. It
// reads those that name them, and walks over none. The other commits have no entry.
func (r *Repository) CommitStatusesIndexed(ctx context.Context, x Indexed,
	commits ...string) (map[string]CommitStatus, error) {
	f := revertFinder{r: r, x: x, by: map[string]string{}}
	out := map[string]CommitStatus{}
	for _, c := range commits {
		if !x.Has(c) {
			continue
		}
		by, err := f.find(ctx, c)
		if err != nil {
			return nil, err
		}
		out[c] = CommitStatus{Reached: true, RevertedBy: by}
	}
	return out, nil
}

// revertFinder finds what reverted commits.
type revertFinder struct {
	r  *Repository
	x  Indexed
	by map[string]string // what was found so far, "" for nothing
}

// find returns the newest commit that reverts another one and was not reverted
// itself, "" for none.
func (f *revertFinder) find(ctx context.Context, id string) (string, error) {
	if by, known := f.by[id]; known {
		return by, nil
	}
	f.by[id] = "" // what names each other in a circle reverts nothing
	later, err := f.reverts(ctx, id)
	if err != nil {
		return "", err
	}
	for _, c := range later {
		void, err := f.find(ctx, c)
		if err != nil {
			return "", err
		}
		if void == "" {
			f.by[id] = c
			return c, nil
		}
	}
	return "", nil
}

// reverts lists the commits that say that they revert one, newest first.
func (f *revertFinder) reverts(ctx context.Context, id string) ([]string, error) {
	raw, err := f.r.readCommit(plumbing.NewHash(id))
	if isDamage(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	when, since := map[string]int64{}, raw.committer.seconds
	for _, name := range names(id, raw.message) {
		named, err := f.x.Naming(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, c := range named {
			raw, err := f.r.readCommit(plumbing.NewHash(c))
			if isDamage(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			// A number is also that of work that came again after it was reverted.
			later := name == id || raw.committer.seconds >= since
			if c != id && later && slices.Contains(reverted(raw.message), name) {
				when[c] = raw.committer.seconds
			}
		}
	}
	return slices.SortedFunc(maps.Keys(when), func(a, b string) int {
		return cmp.Or(cmp.Compare(when[b], when[a]), strings.Compare(a, b))
	}), nil
}
