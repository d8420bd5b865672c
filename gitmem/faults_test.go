package gitmem_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// verbs calls every operation of the library and returns each one's error. None may panic, and an error must be short
// enough to be read.
func (l *lab) verbs(dir, transcript string) map[string]error {
	l.t.Helper()
	errs := map[string]error{}
	m, err := gitmem.Open(l.options(dir))
	if errs["open"] = err; err != nil {
		return errs
	}
	defer m.Close()
	ctx := l.t.Context()
	_, errs["ask"] = m.Ask(ctx, "wrap the spare fuses", gitmem.Filter{})
	_, errs["search"] = m.Search(ctx, "fuses", gitmem.Filter{})
	_, errs["show"] = m.Shown(ctx, "rules:CLAUDE.md#errors", gitmem.ShowOptions{})
	_, errs["observe"] = m.Sessions().Observe(ctx, gitmem.Observation{Session: sessionB, Tool: "Bash"})
	_, errs["stop"] = m.Sessions().Stop(ctx, sessionB)
	_, errs["end"] = m.Sessions().End(ctx, sessionA, transcript)
	_, errs["status"] = m.Status(ctx)
	_, errs["doctor"] = m.Doctor(ctx, gitmem.Checkup{})
	_, errs["log"] = m.History().Log(ctx, "", gitmem.LogOptions{Limit: 5})
	_, errs["index"] = m.Indexes().Status(ctx)
	_, errs["rebuild"] = m.Indexes().Rebuild(ctx)
	_, errs["note"] = m.Note(ctx, "The ladder stands behind the barn", true)
	for verb, err := range errs {
		if err != nil && (len(err.Error()) > 500 || strings.Contains(err.Error(), "panic") ||
			strings.Contains(err.Error(), "nil pointer")) {
			l.t.Errorf("%s: %v", verb, err)
		}
	}
	return errs
}

// TestBrokenPlaces puts something wrong in place of each expected file. Operations that do not need it work, and those
// that do return an error that names it.
func TestBrokenPlaces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		breaks func(l *lab, r *repo)
		fail   string // verbs that may fail, separated by blanks; all others must not
		names  string // what each error must name
	}{
		"nothing": {func(*lab, *repo) {}, "", ""},
		"gitmem is a file": {func(l *lab, _ *repo) {
			l.replace("gitmem", "x")
		}, "observe end note log show rebuild", "gitmem"},
		"index is a file": {func(l *lab, _ *repo) {
			l.replace("gitmem/.index", "x")
		}, "note rebuild end stop index status", ".index"},
		"shards is a file": {func(l *lab, _ *repo) {
			l.replace("gitmem/.index/shards", "x")
		}, "rebuild index status", "shards"},
		"one shard is a file": {func(l *lab, _ *repo) {
			l.replace("gitmem/.index/shards/memory", "x")
		}, "rebuild index status", "memory"},
		"projects is a file": {func(l *lab, _ *repo) { l.replace("projects", "x") }, "note end", "projects"},
		"MEMORY.md is a folder": {func(l *lab, r *repo) {
			l.replace(filepath.Join("projects", munge(r.dir), "memory", "MEMORY.md"), "")
		}, "note", "MEMORY.md"},
		"store has no HEAD": {func(l *lab, _ *repo) { l.replace(".git/HEAD", "") }, "note log status stop end", "HEAD"},
		"store HEAD is noise": {func(l *lab, _ *repo) {
			l.replace(".git/HEAD", "\x00noise")
		}, "note log status stop end", "HEAD"},
		"store index is noise": {func(l *lab, _ *repo) { l.replace(".git/index", "noise") }, "note stop end status", "index"},
		"project.md is noise": {func(l *lab, _ *repo) {
			l.replace("gitmem/projects/github.com/acme/pump/project.md", "---\n\x00: [\n")
		}, "", ""},
		"rules are a folder": {func(l *lab, r *repo) {
			l.replace(filepath.Join(r.dir, "CLAUDE.md"), "")
		}, "show", "CLAUDE.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			r := l.repo("pump")
			r.git("remote", "add", "origin", "https://github.com/acme/pump")
			l.write("pump/CLAUDE.md", "# Errors\n\nWrap the spare fuses in paper.\n")
			r.commit("2024-01-01", "Ada Example", "a.txt", "Wrap the spare fuses in wool")
			l.note(r.dir, "Wrap the spare fuses in straw")
			l.ask(r.dir, "wrap the spare fuses", gitmem.Filter{})
			transcript := l.write("session.jsonl", transcriptText(t, r.dir, sessionA, relayTurns()...))
			c.breaks(l, r)
			errs := l.verbs(r.dir, transcript)
			for verb, err := range errs {
				may := strings.Contains(" "+c.fail+" ", " "+verb+" ")
				if err != nil && (!may || !strings.Contains(err.Error(), c.names)) {
					t.Errorf("%s: %v", verb, err)
				}
			}
			a := l.ask(r.dir, "wrap the spare fuses in wool", gitmem.Filter{})
			if strings.Contains(c.fail, "rebuild") && strings.Contains(strings.Join(a.Caveats, "\n"), c.names) {
				return // a missing index is reported
			}
			l.holds(a, "wool")
		})
	}
}

// replace puts a file with text, or an empty folder if text is empty, at a path relative to the root.
func (l *lab) replace(name, text string) {
	l.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(l.root, name)
	}
	if err := os.RemoveAll(name); err != nil {
		l.t.Fatal(err)
	}
	if text == "" {
		l.mkdir(name)
		return
	}
	l.write(name, text)
}

// TestDamagedIndex damages every file of the index in turn. A question must give the same answer as before.
func TestDamagedIndex(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Wrap the spare fuses in wool")
	l.note(r.dir, "Wrap the spare fuses in straw")
	l.transcriptFile(r.dir, sessionA, relayTurns()...)
	ask := func() gitmem.Answer { return timeless(l.ask(r.dir, "wrap the spare fuses", gitmem.Filter{})) }
	want := ask()
	index := filepath.Join(l.status(r.dir).IndexDir, "shards")
	for name, b := range filesBelow(t, index) {
		if _, err := os.Stat(name); err != nil {
			continue // deleted with the earlier damage
		}
		for _, damaged := range []string{"", b[:len(b)/2], strings.Repeat("\xff", len(b))} {
			if err := os.WriteFile(name, []byte(damaged), 0o600); err != nil {
				continue
			}
			got := ask()
			got.Caveats = want.Caveats
			equal(t, "answer after damage to "+strings.TrimPrefix(name, index), want, got)
			if t.Failed() {
				return
			}
		}
	}
}

func TestDamagedRepository(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(l *lab, git string){
		"config": func(l *lab, git string) { l.write(filepath.Join(git, "config"), "[core\n\x00") },
		"head":   func(l *lab, git string) { l.write(filepath.Join(git, "HEAD"), "ref: refs/heads/gone\n") },
		"objects": func(l *lab, git string) {
			l.replace(filepath.Join(git, "objects"), "")
		},
		"refs": func(l *lab, git string) { l.replace(filepath.Join(git, "refs"), "") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			r := l.repo("pump")
			l.write("pump/CLAUDE.md", "# Errors\n\nWrap the spare fuses in paper.\n")
			r.commit("2024-01-01", "Ada Example", "a.txt", "Wrap the spare fuses in wool")
			damage(l, filepath.Join(r.dir, ".git"))
			m := l.open(r.dir)
			a, err := m.Ask(t.Context(), "how do we wrap the spare fuses?", gitmem.Filter{})
			if err == nil {
				l.holds(a, "paper")
			} else if !strings.Contains(err.Error(), r.dir) {
				t.Errorf("the error does not name the repository: %v", err)
			}
			l.verbs(r.dir, "")
		})
	}
}

// TestIndexThatCannotBeMade has a file in place of the index folder.
func TestIndexThatCannotBeMade(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Wrap the spare fuses in wool")
	l.note(r.dir, "Wrap the spare fuses in straw")
	l.replace("gitmem/.index", "x")
	m := l.open(r.dir)
	a, err := m.Ask(t.Context(), "wrap the spare fuses", gitmem.Filter{})
	if err == nil && !strings.Contains(a.Answer, "wool") && strings.Contains(a.Answer, "nothing to search") {
		t.Errorf("the answer is untrue: %s", describe(a))
	}
}

// TestShowBesideABrokenStore shows a rule of the repository, which needs no store.
func TestShowBesideABrokenStore(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.write("pump/CLAUDE.md", "# Errors\n\nWrap the spare fuses in paper.\n")
	l.write(filepath.Join(l.root, "gitmem"), "x")
	l.with(r.dir, func(m *gitmem.Memory) error {
		_, err := m.Shown(t.Context(), "rules:CLAUDE.md#errors", gitmem.ShowOptions{})
		return err
	})
}
