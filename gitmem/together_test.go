package gitmem_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestEachChangeHasItsCommit has many concurrent writers to one file: no commit may contain another's line, or the
// history would be wrong about its author and reason.
func TestEachChangeHasItsCommit(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The first line")
	const writers, each = 6, 4
	commits := make(chan [2]string, writers*each)
	var wg sync.WaitGroup
	for w := range writers {
		m := l.open(r.dir)
		wg.Go(func() {
			for i := range each {
				text := fmt.Sprintf("Line number %d-%d of this pump", w, i)
				n, err := m.Note(t.Context(), text, true)
				if err != nil {
					t.Error(err)
				}
				commits <- [2]string{n.Commit, text}
			}
		})
	}
	wg.Wait()
	close(commits)
	for c := range commits {
		if c[0] == "" {
			t.Errorf("%q was committed by somebody else", c[1])
			continue
		}
		var added []string
		for line := range strings.Lines(l.git(l.root, nil, "show", "--format=", "--unified=0", c[0])) {
			if text, ok := strings.CutPrefix(line, "+- "); ok {
				added = append(added, strings.TrimSpace(text))
			}
		}
		equal(t, "what "+c[0]+" adds", []string{c[1]}, added)
	}
	l.with(r.dir, func(m *gitmem.Memory) error {
		u, err := m.History().Undo(t.Context(), "HEAD", false)
		if u.Commit == "" {
			t.Error("an undo has no commit")
		}
		return err
	})
}
