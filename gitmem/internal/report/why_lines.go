package report

import (
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/providers/git"
)

// addEarlier adds the commits that changed the lines earlier. For a commit that only moved them, or their white space,
// it continues to the commit that wrote them.
func (w *why) addEarlier(ctx context.Context) error {
	log, err := w.lineLog(ctx)
	if err != nil {
		return err
	}
	at := func(c git.LineChange) int {
		i := w.foundAt(c.Commit.Hash)
		if i < 0 {
			i = len(w.found)
			w.found = append(w.found, whyChange{commit: c.Commit, part: "changed", path: c.Path})
		}
		return i
	}
	moved := true
	for i, c := range log {
		k := at(c)
		if moved = moved && i+1 < len(log) && w.words(c) != "" && w.words(c) == w.words(log[i+1]); moved {
			next := at(log[i+1])
			w.found[next].part, w.found[next].words, w.found[k].part = "wrote", w.found[k].words, "moved"
		}
	}
	return nil
}

// lineLog returns the changes of the lines, newest first, across files if a commit moved them.
func (w *why) lineLog(ctx context.Context) (log []git.LineChange, err error) {
	rev, name, from, to := w.target.rev, w.target.path, w.target.headFrom, w.target.headTo
	for {
		for c, err := range w.repo.LineLog(ctx, rev, name, from, to) {
			if err != nil {
				return nil, err
			}
			if log = append(log, c); len(log) >= whyCommits {
				w.caveat("Only the %d newest changes of these lines were looked at.", whyCommits)
				return log, nil
			}
		}
		if len(log) == 0 {
			return log, nil
		}
		if rev, name, from, to = w.movedFrom(log[len(log)-1]); rev == "" {
			return log, nil
		}
	}
}

// linesAt returns the lines of a change, without surrounding white space.
func (w *why) linesAt(c git.LineChange) []string {
	b, err := w.repo.Blob(c.Commit.Hash, c.Path)
	if err != nil || c.To < c.From {
		return nil
	}
	text, _ := cite.CutLines(string(b), c.From, c.To)
	return trimmedLines(text)
}

func (w *why) words(c git.LineChange) string {
	return strings.Join(strings.Fields(strings.Join(w.linesAt(c), " ")), "")
}

func trimmedLines(text string) (out []string) {
	for line := range strings.Lines(text) {
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

// movedFrom finds the location from which a commit moved lines; rev is "" if there is none.
func (w *why) movedFrom(c git.LineChange) (rev, name string, from, to int) {
	want := w.linesAt(c)
	full, err := w.repo.Commit(c.Commit.Hash)
	if err != nil || len(full.Parents) != 1 || len(full.Changes) > whyMoved || len(strings.Join(want, "")) < leastMoved {
		return "", "", 0, 0
	}
	find := func(rev, name string) (at []int) {
		b, err := w.repo.Blob(rev, name)
		if err != nil || len(b) > query.LargestFile {
			return nil
		}
		lines := trimmedLines(string(b))
		for i := range lines[:max(0, len(lines)-len(want)+1)] {
			if slices.Equal(lines[i:i+len(want)], want) {
				at = append(at, i+1)
			}
		}
		return at
	}
	for _, ch := range full.Changes {
		kept := 0
		if ch.Path == c.Path {
			kept = 1 // the new location of the lines
		}
		if before := find(full.Parents[0], ch.Path); len(before) == 1 && len(find(full.Hash, ch.Path)) == kept {
			return full.Parents[0], ch.Path, before[0], before[0] + len(want) - 1
		}
	}
	return "", "", 0, 0
}
