package git

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Aftermath is what a history says of one of its commits.
type Aftermath struct {
	// Reached says that the commit is part of the history behind the tips.
	Reached bool
	// RevertedBy is the commit that took it back, 40 hex digits; "" for none, and
	// where that one was taken back itself.
	RevertedBy string
	// Unknown says that the search was given up before either was clear.
	Unknown bool
}

// Aftermaths looks for commits, each 40 hex digits, behind the tips, and for later
// ones whose messages say that they revert them, in one walk that ends at the oldest
// of them, but for clocks that were a day wrong, or after limit commits; 0 means no
// limit.
func (r *Repository) Aftermaths(ctx context.Context, limit int, commits ...string) (map[string]Aftermath, error) {
	out := map[string]Aftermath{}
	oldest := int64(maxSeconds)
	for _, c := range commits {
		out[c] = Aftermath{}
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
	a := aftermath{out: out, left: len(out), void: map[string]bool{}, takesBack: takesBack()}
	n := 0
	err = newWalker(r).run(ctx, tips, nil, func(next *node) (bool, error) {
		if next.when() < oldest || a.left == 0 {
			return false, nil
		}
		if n++; limit > 0 && n > limit {
			a.giveUp()
			return false, nil
		}
		a.visit(next.id.String(), next.raw.message)
		return true, nil
	})
	return out, err
}

// tipIDs are the ids of the tips.
func (r *Repository) tipIDs() (ids []string, err error) {
	refs, err := r.Tips()
	for _, ref := range refs {
		ids = append(ids, ref.Hash)
	}
	return ids, err
}

// aftermath gathers what commits say, from new to old.
type aftermath struct {
	out  map[string]Aftermath
	left int             // commits that were not met yet
	void map[string]bool // commits that were taken back

	takesBack *regexp.Regexp
}

func (a *aftermath) visit(id, message string) {
	if c, asked := a.out[id]; asked && !c.Reached {
		c.Reached = true
		a.out[id] = c
		a.left--
	}
	if !strings.Contains(message, "evert") { // what is taken back is told by a sentence
		return
	}
	for _, old := range reverted(a.takesBack, message) {
		if a.void[id] {
			continue
		}
		a.void[old] = true
		if c, asked := a.out[old]; asked && c.RevertedBy == "" {
			c.RevertedBy = id
			a.out[old] = c
		}
	}
}

func (a *aftermath) giveUp() {
	for id, c := range a.out {
		c.Unknown = !c.Reached
		a.out[id] = c
	}
}

// takesBack are the words that "git revert" writes.
func takesBack() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bthis reverts commits? ([0-9a-f]{40})\b`)
}

// reverted lists the commits that a message says it reverts, in the words of takesBack.
func reverted(takesBack *regexp.Regexp, message string) []string {
	var out []string
	for _, m := range takesBack.FindAllStringSubmatch(message, -1) {
		if id := strings.ToLower(m[1]); !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
