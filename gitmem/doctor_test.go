package gitmem_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
)

// doctor runs a check-up and returns its findings by check.
func (l *lab) doctor(dir string, o gitmem.Checkup) map[string]gitmem.Finding {
	l.t.Helper()
	found := map[string]gitmem.Finding{}
	l.with(dir, func(m *gitmem.Memory) error {
		list, err := m.Doctor(l.t.Context(), o)
		for _, f := range list {
			if f.Check != "notice" {
				if _, twice := found[f.Check]; twice {
					l.t.Errorf("the check %q reports twice", f.Check)
				}
			}
			found[f.Check] = f
		}
		return err
	})
	return found
}

// sick lists the checks with problems, as "check: state detail".
func sick(found map[string]gitmem.Finding) []string {
	var out []string
	for _, f := range found {
		if f.State != gitmem.FindingOK {
			out = append(out, f.Check+": "+f.State+" "+f.Detail)
		}
	}
	return out
}

// everything returns each file and folder below a folder with its mode, time and bytes.
func everything(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text += info.ModTime().String() + string(b)
		}
		out[name] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// clinic returns a lab with a store that contains a note, an observation log and a session.
func clinic(t *testing.T) (l *lab, dir string) {
	t.Helper()
	l = newLab(t)
	r := l.repo("pump")
	r.commit("2025-03-01", "Ada Example", "README.md", "Drop Redis: sessions fit in memory")
	dir = r.dir
	l.note(dir, "Measure the inrush current before choosing a relay")
	l.observe(dir, gitmem.Observation{Session: sessionA, Tool: "Edit", OK: true, Input: "relay.c"})
	l.with(dir, func(m *gitmem.Memory) error {
		_, err := m.Sessions().Stop(t.Context(), sessionA)
		return err
	})
	l.ask(dir, "what should we measure before choosing a relay?", gitmem.Filter{})
	return l, dir
}

func (l *lab) gitIn(args ...string) string {
	l.t.Helper()
	return strings.TrimSpace(l.git(l.root, nil, args...))
}

// plantedKey returns a text in the format of a key that is not valid anywhere.
func plantedKey() string { return "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a" }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// oldFile creates a file that is two days old by the lab's clock.
func (l *lab) oldFile(name, text string) {
	l.t.Helper()
	l.write(name, text)
	old := l.now.AddDate(0, 0, -2)
	if err := os.Chtimes(name, old, old); err != nil {
		l.t.Fatal(err)
	}
}

// TestDoctorHealthy checks that an undamaged store has no findings and is not changed.
func TestDoctorHealthy(t *testing.T) {
	t.Parallel()
	l, dir := clinic(t)
	before := everything(t, l.root)
	if ill := sick(l.doctor(dir, gitmem.Checkup{Secrets: true})); len(ill) > 0 {
		t.Errorf("%q", ill)
	}
	if diff := cmp.Diff(before, everything(t, l.root)); diff != "" {
		t.Errorf("a look changed something:\n%s", diff)
	}
	for name, f := range l.doctor(dir, gitmem.Checkup{Fix: true}) {
		if f.Fixed || f.State != gitmem.FindingOK {
			t.Errorf("with Fix: %s: %+v", name, f)
		}
	}
}

// TestDoctorDamages causes each damage, and checks that the check-up names it without changing anything, that --fix
// repairs what can be repaired, that a second run finds nothing, and that nothing of memory is lost.
func TestDoctorDamages(t *testing.T) {
	t.Parallel()
	for _, tt := range append(append(repositoryIlls(), objectIlls()...), fileIlls()...) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.unix && runtime.GOOS == "windows" {
				t.Skip("SKIPPED: Windows has no such bits or names")
			}
			l, dir := clinic(t)
			tt.damage(t, l)
			before := everything(t, l.root)
			f := l.doctor(dir, gitmem.Checkup{})[tt.check]
			told := f.Detail
			for _, p := range f.Places {
				told += "\n" + p.String()
			}
			if f.State != tt.state || !strings.Contains(filepath.ToSlash(told), tt.says) || f.Fixed || f.Advice == "" ||
				f.Fixable == tt.stays {
				t.Errorf("%s: %+v, want %s with %q, fixable %v", tt.check, f, tt.state, tt.says, !tt.stays)
			}
			if diff := cmp.Diff(before, everything(t, l.root)); diff != "" {
				t.Errorf("a look changed something:\n%s", diff)
			}
			fixed := l.doctor(dir, gitmem.Checkup{Fix: true})[tt.check]
			if fixed.Fixed == tt.stays || (fixed.State == gitmem.FindingOK) == tt.stays {
				t.Errorf("with Fix: %+v, want it fixed: %v", fixed, !tt.stays)
			}
			if (fixed.Advice == "") == tt.stays {
				t.Errorf("with Fix the advice is %q", fixed.Advice)
			}
			if again := l.doctor(dir, gitmem.Checkup{Fix: true})[tt.check]; again.Fixed ||
				(again.State == gitmem.FindingOK) == tt.stays {
				t.Errorf("with Fix once more: %+v", again)
			}
			if tt.stays {
				return
			}
			l.holds(l.ask(dir, "what should we measure before choosing a relay?", gitmem.Filter{}), "inrush current")
			if out := l.gitIn("fsck", "--strict", "--no-dangling"); out != "" {
				t.Errorf("git fsck: %s", out)
			}
			if log := l.gitIn("ls-files", "gitmem"); !strings.Contains(log, "observations") {
				t.Errorf("the log is no longer tracked:\n%s", log)
			}
		})
	}
}
