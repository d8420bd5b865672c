package gitmem_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// chronicle is a lab whose store gets its commits by the real git, so that a test chooses the changes of each.
type chronicle struct {
	*lab
	dir string // the asking folder
}

func newChronicle(t *testing.T) *chronicle {
	l := newLab(t)
	c := &chronicle{lab: l, dir: filepath.Join(l.base, "work")}
	l.mkdir(c.dir)
	l.with(c.dir, func(m *gitmem.Memory) error {
		_, err := m.Init(t.Context())
		return err
	})
	return c
}

// file returns the path on disk of a topic file.
func (c *chronicle) file(name string) string {
	return filepath.Join(c.root, "projects", "-p", "memory", name)
}

// commit writes files and returns the commit.
func (c *chronicle) commit(subject string, files map[string]string) string {
	c.t.Helper()
	for name, text := range files {
		c.write(c.file(name), text)
	}
	c.git("add", "--all")
	c.git("commit", "--quiet", "--allow-empty", "--message", subject)
	return c.git("rev-parse", "HEAD")
}

func (c *chronicle) git(args ...string) string {
	c.t.Helper()
	return strings.TrimSpace(c.lab.git(c.root, identity("Ada Example", c.now.Format(time.RFC3339)), args...))
}

func (c *chronicle) undo(what string) (u gitmem.Undone, err error) {
	c.t.Helper()
	m := c.open(c.dir)
	return u, errors.Join(func() (err error) {
		u, err = m.History().Undo(c.t.Context(), what, false)
		return err
	}(), m.Close())
}

// TestUndoBesideWriters undoes and redoes while others note and observe: none of their lines may be lost.
func TestUndoBesideWriters(t *testing.T) {
	t.Parallel()
	c := newChronicle(t)
	const session = "3f2a91c4-aaaa-4bbb-8ccc-123456789012"
	noted := c.note(c.dir, "Take this back and bring it again")
	log := c.observe(c.dir, gitmem.Observation{Session: session, Tool: "First", OK: true})
	c.with(c.dir, func(m *gitmem.Memory) error {
		_, err := m.Sessions().Stop(t.Context(), session)
		return err
	})
	target := c.git("rev-parse", "HEAD~1") // the note; then the log, which the undo of HEAD removes
	var wg sync.WaitGroup
	write := func(do func(m *gitmem.Memory, i int) error) {
		wg.Go(func() {
			for i := range 12 {
				m, err := gitmem.Open(c.quiet())
				if err == nil {
					err = errors.Join(do(m, i), m.Close())
				}
				if err != nil {
					t.Errorf("write %d: %v", i, err)
				}
			}
		})
	}
	write(func(m *gitmem.Memory, i int) error {
		_, err := m.Note(t.Context(), fmt.Sprintf("Distinct remark %d%d%d about subject%d", i, i, i, i), true)
		return err
	})
	write(func(m *gitmem.Memory, i int) error {
		_, err := m.Sessions().Observe(t.Context(),
			gitmem.Observation{Session: session, Tool: fmt.Sprint("Tool", i), OK: true})
		return err
	})
	write(func(m *gitmem.Memory, i int) error {
		for _, id := range []string{target, "HEAD"} {
			if _, err := m.History().Undo(t.Context(), id, false); err != nil && !errors.Is(err, gitmem.ErrConflict) &&
				!errors.Is(err, gitmem.ErrNotFound) && !errors.Is(err, gitmem.ErrUsage) {
				return err
			}
		}
		return nil
	})
	wg.Wait()
	history := c.git("log", "-p", "--reverse") + c.read(noted.File)
	for i := range 12 {
		if want := fmt.Sprintf("+- Distinct remark %d%d%d about subject%d", i, i, i, i); !strings.Contains(history, want) {
			t.Errorf("the note %q is in no commit", want)
		}
		if want := fmt.Sprintf("Tool%d ok", i); !strings.Contains(c.read(log)+history, want) {
			t.Errorf("the line of %q is lost", want)
		}
	}
	c.git("fsck", "--strict")
}

// quiet returns options that many goroutines may use.
func (c *chronicle) quiet() gitmem.Options {
	o := c.options(c.dir)
	o.Warn = nil
	return o
}
