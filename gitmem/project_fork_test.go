package gitmem_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// forked is a repository and a fork of it with its own remote, each with a note and a session that must not be visible
// in the other.
type forked struct {
	*lab
	pump, fork *repo
}

func newForked(t testing.TB) *forked {
	t.Helper()
	f := &forked{lab: newLab(t)}
	f.pump = f.repo("pump")
	f.pump.commit("2024-01-01", "Ada Example", "a.txt", "Begin with the frame")
	f.fork = f.cloned("fork")
	f.pump.git("remote", "add", "origin", "https://github.com/acme/pump.git")
	f.fork.git("remote", "add", "origin", "https://github.com/mallory/pump.git")
	f.fill(f.pump.dir, sessionA, "turbine")
	f.fill(f.fork.dir, sessionB, "boiler")
	return f
}

// cloned returns a clone of the pump without a remote.
func (f *forked) cloned(name string) *repo {
	f.t.Helper()
	r := &repo{l: f.lab, dir: filepath.Join(f.base, name)}
	f.git(f.base, nil, "clone", "--quiet", f.pump.dir, r.dir)
	r.git("remote", "remove", "origin")
	return r
}

// fill writes a session and a note about a subject.
func (f *forked) fill(dir, session, word string) {
	f.t.Helper()
	f.endSession(dir, session, f.transcriptFile(dir, session,
		turn{role: "user", at: "2025-03-09T14:02:00Z", text: "Inspect the " + word + " blades for cracks"},
		turn{role: "assistant", at: "2025-03-09T14:03:00Z", text: "We decided to replace the " + word +
			" blades because two are cracked."}))
	f.note(dir, "The "+word+" grease is stored in the cellar")
}

// seen returns the subjects that are visible in a folder, in any way.
func (f *forked) seen(dir string) string {
	f.t.Helper()
	text := f.start(dir, "").Text
	for _, q := range []string{"where is the grease stored?", "why replace the blades?"} {
		text += asJSON(f.t, f.ask(dir, q, gitmem.Filter{Limit: 20}).Citations)
		text += f.recall(dir, "", q).Text
	}
	for _, q := range []string{"blades", "grease"} {
		text += asJSON(f.t, f.search(dir, q, gitmem.Filter{}).Hits)
	}
	var out []string
	for _, word := range []string{"turbine", "boiler"} {
		if strings.Contains(text, word) {
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}

func TestForksAreStrangers(t *testing.T) {
	t.Parallel()
	f := newForked(t)
	equal(t, "the original sees", "turbine", f.seen(f.pump.dir))
	equal(t, "the fork sees", "boiler", f.seen(f.fork.dir))

	f.pump.git("worktree", "add", "--quiet", filepath.Join(f.base, "tree"))
	second := f.cloned("second")
	second.git("remote", "add", "origin", "git@github.com:acme/pump")
	f.fork.git("remote", "set-url", "origin", "https://github.com/mallory/renamed.git")
	for dir, want := range map[string]string{
		filepath.Join(f.base, "tree"): "turbine", second.dir: "turbine", f.fork.dir: "boiler",
	} {
		equal(t, dir+" sees", want, f.seen(dir))
	}
}

// TestCheckoutWithoutRemote shares its first commit with one project, then with two.
func TestCheckoutWithoutRemote(t *testing.T) {
	t.Parallel()
	f := &forked{lab: newLab(t)}
	f.pump = f.repo("pump")
	f.pump.commit("2024-01-01", "Ada Example", "a.txt", "Begin with the frame")
	f.fill(f.pump.dir, sessionA, "turbine")
	early := f.cloned("early")
	equal(t, "a copy sees", "turbine", f.seen(early.dir))
	f.pump.git("remote", "add", "origin", "https://github.com/acme/pump.git")
	f.note(f.pump.dir, "The crane driver is called Otto") // it records the remote
	equal(t, "with a remote it still sees", "turbine", f.seen(f.pump.dir))
	equal(t, "the copy still sees", "turbine", f.seen(early.dir))
	fork := f.cloned("fork")
	fork.git("remote", "add", "origin", "https://github.com/mallory/pump.git")
	equal(t, "a fork sees", "", f.seen(fork.dir))
	f.fill(fork.dir, sessionB, "boiler")
	equal(t, "the fork sees", "boiler", f.seen(fork.dir))
	equal(t, "the first copy still sees", "turbine", f.seen(early.dir))
}

func TestLinkedProjectsSeeBoth(t *testing.T) {
	t.Parallel()
	f := newForked(t)
	link := func(dir, name string, undo bool) (p gitmem.Project, err error) {
		f.with(dir, func(m *gitmem.Memory) error {
			p, err = m.Projects().Link(t.Context(), name, undo)
			return nil
		})
		return p, err
	}
	for name, want := range map[string]error{"nosuch": gitmem.ErrNotFound, "mallory/pump": gitmem.ErrUsage,
		"ump": gitmem.ErrNotFound} {
		if _, err := link(f.fork.dir, name, false); !errors.Is(err, want) {
			t.Errorf("link %s: %v", name, err)
		}
	}
	p, err := link(f.fork.dir, "acme/pump", false)
	if err != nil || len(p.Linked) != 1 || p.Linked[0] != "github.com/acme/pump" || len(p.SameHistory) > 0 {
		t.Errorf("linked: %+v, %v", p, err)
	}
	for range 2 { // linking twice has no further effect
		equal(t, "the original sees", "turbine boiler", f.seen(f.pump.dir))
		equal(t, "the fork sees", "turbine boiler", f.seen(f.fork.dir))
		if _, err := link(f.pump.dir, "github.com/mallory/pump", false); err != nil {
			t.Error(err)
		}
	}
	equal(t, "a stranger sees", "", f.seen(f.repo("other").dir))
	equal(t, "waiting", []string{}, f.status(f.pump.dir).Pending)
	f.configure("exclude:\n  - github.com/acme/pump\n")
	equal(t, "where the original is excluded the fork sees", "boiler", f.seen(f.fork.dir))
	f.configure("capture: on\n")
	p, err = link(f.pump.dir, "mallory/pump", true)
	if err != nil || len(p.Linked) > 0 || len(p.SameHistory) != 1 {
		t.Errorf("taken apart: %+v, %v", p, err)
	}
	equal(t, "then the original sees", "turbine", f.seen(f.pump.dir))
	equal(t, "then the fork sees", "boiler", f.seen(f.fork.dir))
	if _, err = link(f.pump.dir, "mallory/pump", true); !errors.Is(err, gitmem.ErrNotFound) {
		t.Errorf("taken apart twice: %v", err)
	}
}

// TestForkIsToldOnce begins sessions in a new fork.
func TestForkIsToldOnce(t *testing.T) {
	t.Parallel()
	f := newForked(t)
	fork := f.cloned("third")
	fork.git("remote", "add", "origin", "https://github.com/trent/pump.git")
	const session = "dddddddd-0000-4000-8000-000000000004"
	equal(t, "looked at", f.start(fork.dir, "").Notice, f.start(fork.dir, session).Notice)
	equal(t, "again", "", f.start(fork.dir, sessionC).Notice)
	equal(t, "a second clone", "", f.start(f.pump.dir, session).Notice)
	fork.git("remote", "set-url", "origin", "https://github.com/peggy/pump.git")
	notice := f.start(fork.dir, session).Notice
	for _, want := range []string{"github.com/acme/pump", "github.com/mallory/pump", "gitmem project link"} {
		if !strings.Contains(notice, want) {
			t.Errorf("%q is not told: %s", want, notice)
		}
	}
}
