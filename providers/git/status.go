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

// CommitStatus is the status of a commit in the history.
type CommitStatus struct {
	// Reached is set if the commit is reachable from the tips or from a tag.
	Reached bool
	// RevertedBy is the commit that reverted it, 40 hex digits; "" if there is none or if that one was reverted
	// itself.
	RevertedBy string
	// Unknown is set if the search ended before both were known.
	Unknown bool
}

// CommitStatuses looks for commits, each 40 hex digits, behind the tips, and for later commits whose messages
// revert them, in a single walk. The walk ends at the oldest of the commits, with a tolerance of one day for
// wrong clocks, or after limit commits; 0 means no limit.
func (r *Repository) CommitStatuses(ctx context.Context, limit int,
	commits ...string) (map[string]CommitStatus, error) {
	out := map[string]CommitStatus{}
	oldest := int64(maxSeconds)
	for _, c := range commits {
		out[c] = CommitStatus{}
		raw, err := r.readCommit(plumbing.NewHash(c))
		if isDamage(err) {
			continue // not in the repository, so not reached either
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

// reachByTags marks the commits that are reachable from a tag and not from a tip, such as those of an
// abandoned release branch.
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

// tipIDs returns the ids of the tips.
func (r *Repository) tipIDs() (ids []string, err error) {
	refs, err := r.Tips()
	ids = slice.Map(refs, func(ref Ref) string { return ref.Hash })
	return ids, err
}

var (
	revertedCommit = lazy.Pattern(`(?i)\bthis reverts commits? ([0-9a-f]{40})\b`)
	// revertedThread matches the line that a forge adds to the message of a revert, and the title of the
	// reverted thread in a revert's own title.
	revertedThread = lazy.Pattern(`(?im)^(?:this )?reverts (?:pull request |merge request |pr )?` +
		`(?:[\w.-]+/[\w.-]+)?([#!][0-9]+)\b|` +
		`\A(?:revert|reapply)\b:? ?".*\((#[0-9]+)\)"`)
	// ownThread matches the number of the pull request that a commit squashes or merges.
	ownThread = lazy.Pattern(`(?i)\A(?:merge pull request (#[0-9]+) |[^\n]*\((#[0-9]+)\)[ \t]*(?:\n|\z))|` +
		`(?m)^see merge request [^\s!]*(![0-9]+)$`)
)

// reverted returns what a message reverts: commits, as "git revert" writes it, and the numbers of pull
// requests, as forges do.
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

// names returns the names that a revert may use for a commit: its id, and the number of its pull request.
func names(id, message string) []string {
	out := []string{id}
	if m := ownThread().FindStringSubmatch(message); m != nil {
		out = append(out, strings.Join(m[1:], ""))
	}
	return out
}

// Indexed queries an index of all commits reachable from the tips. Commits are 40 hex digits.
type Indexed struct {
	// Has reports whether it contains a commit.
	Has func(commit string) bool
	// Naming returns the commits whose messages mention a revert and contain a name: a full commit id, or a
	// number such as #12. The result may contain others.
	Naming func(ctx context.Context, name string) ([]string, error)
}

// CommitStatusesIndexed is [Repository.CommitStatuses] for the commits in an index. It only reads the commits
// that mention them, without a walk. The other commits have no entry in the result.
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
	by map[string]string // results so far, "" for none
}

// find returns the newest commit that reverts another one and was not reverted itself, or "".
func (f *revertFinder) find(ctx context.Context, id string) (string, error) {
	if by, known := f.by[id]; known {
		return by, nil
	}
	f.by[id] = "" // commits that revert each other in a cycle revert nothing
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

// reverts returns the commits whose messages revert one, newest first.
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
			// A pull request number may belong to several commits, if the work was merged again after a revert.
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
