package workspace_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// TestTwoFiles reads the settings shared with other machines and those of this one, and names the file of a setting.
func TestTwoFiles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, shared, local  string
		state, file, warning string
	}{
		{name: "neither", state: workspace.CaptureOn},
		{name: "off here", local: "capture: off\n", state: workspace.CaptureOff, file: "local.yaml"},
		{name: "off elsewhere", shared: "recall: on\ncapture: off\n", state: workspace.CaptureOff, file: "config.yaml",
			warning: "config.yaml: capture (line 2) must be in local.yaml"},
		{name: "on here", shared: "capture: off\n", local: "capture: on\n", state: workspace.CaptureOn,
			warning: "capture (line 1)"},
		{name: "a rule of here", local: "exclude: [HOME/pump]\n", state: workspace.CaptureExcluded, file: "local.yaml"},
		{name: "a rule of elsewhere", shared: "exclude: [HOME/pump]\n", local: "exclude: [HOME/valve]\n",
			state: workspace.CaptureExcluded, file: "config.yaml", warning: "exclude (line 1)"},
		{name: "the local one is invalid", shared: "recall: on\n", local: "captuer: off\n",
			state: workspace.CaptureUnreadable, file: "local.yaml: line 1"},
		{name: "the shared one is invalid", shared: "captuer: off\n", local: "capture: on\n",
			state: workspace.CaptureUnreadable, file: "config.yaml: line 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			dir := m.mkdir("pump")
			for name, text := range map[string]string{"config.yaml": tt.shared, "local.yaml": tt.local} {
				if text != "" {
					m.write(".claude/gitmem/"+name, strings.ReplaceAll(text, "HOME", filepath.ToSlash(m.home)))
				}
			}
			w := m.open(dir)
			c, err := w.Capture(t.Context())
			if err != nil || c.State != tt.state {
				t.Errorf("Capture = %+v, %v", c, err)
			}
			contains(t, "detail", c.Detail, tt.file)
			w.WarnMisplaced()
			contains(t, "warning", strings.Join(m.warned, ""), tt.warning)
			if tt.warning == "" && len(m.warned) > 0 {
				t.Errorf("warned: %q", m.warned)
			}
		})
	}
}

func TestCapture(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, config, paused string // HOME is replaced by the home folder
		dir                  string
		state, rule, detail  string
	}{
		{name: "no file", state: workspace.CaptureOn, detail: "on"},
		{name: "off", config: "capture: off\n", state: workspace.CaptureOff, detail: "off, by capture: off in "},
		{name: "folder", config: "exclude: [HOME/pump]\n", dir: "pump", state: workspace.CaptureExcluded, rule: "HOME/pump",
			detail: "excluded by the rule"},
		{name: "folder above", config: "exclude: [HOME/**]\n", dir: "pump/cmd", state: workspace.CaptureExcluded,
			rule: "HOME/**", detail: "excluded by the rule"},
		{name: "another folder", config: "exclude: [HOME/valve]\n", dir: "pump", state: workspace.CaptureOn, detail: "on"},
		{name: "remote", config: "exclude: [github.com/acme/*]\n", dir: "pump/cmd", state: workspace.CaptureExcluded,
			rule: "github.com/acme/*", detail: "excluded by the rule"},
		{name: "another remote", config: "exclude: [github.com/bob/*]\n", dir: "pump", state: workspace.CaptureOn,
			detail: "on"},
		{name: "unreadable rules", config: "exclude: 7\n", state: workspace.CaptureUnreadable,
			detail: "nothing is captured: "},
		{name: "unreadable pauses", paused: "{", state: workspace.CaptureUnreadable, detail: ".paused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.repository("pump", "https://github.com/acme/pump.git")
			m.mkdir("pump/cmd")
			home := func(s string) string { return strings.ReplaceAll(s, "HOME", filepath.ToSlash(m.home)) }
			if tt.config != "" {
				m.configure(home(tt.config))
			}
			if tt.paused != "" {
				m.write(".claude/gitmem/.paused", tt.paused)
			}
			w := m.open(m.path(tt.dir))
			c, err := w.Capture(t.Context())
			if err != nil || c.State != tt.state || c.Rule != home(tt.rule) {
				t.Errorf("Capture = %+v, %v", c, err)
			}
			contains(t, "detail", c.Detail, tt.detail)
			switch err := w.MayCapture(t.Context()); {
			case tt.state == workspace.CaptureOn != (err == nil):
				t.Errorf("MayCapture = %v", err)
			case err != nil && errors.Is(err, workspace.ErrNotCaptured) == (tt.state == workspace.CaptureUnreadable):
				t.Errorf("MayCapture wraps the wrong error: %v", err)
			}
			if w.WarnNotCaptured(t.Context()); len(m.warned) == 0 != (tt.state == workspace.CaptureOn) {
				t.Errorf("warnings: %q", m.warned)
			}
		})
	}
}

func TestPauseUntil(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("CET", 3600)
	for _, tt := range []struct {
		o    workspace.PauseOptions
		want string // "" for an error
	}{
		{workspace.PauseOptions{For: "90m"}, "2026-11-20T12:30:00Z"},
		{workspace.PauseOptions{For: "1.5d"}, "2026-11-21T23:00:00Z"},
		{workspace.PauseOptions{For: "1w"}, "2026-11-27T11:00:00Z"},
		{workspace.PauseOptions{Until: "17:30"}, "2026-11-20T16:30:00Z"},
		{workspace.PauseOptions{Until: "09:00"}, "2026-11-21T08:00:00Z"},
		{workspace.PauseOptions{Until: "2026-11-22"}, "2026-11-21T23:00:00Z"},
		{workspace.PauseOptions{Until: "2026-11-22 08:00"}, "2026-11-22T07:00:00Z"},
		{workspace.PauseOptions{Until: "2026-11-22T08:00:00Z"}, "2026-11-22T08:00:00Z"},
		{workspace.PauseOptions{For: "0s"}, ""},
		{workspace.PauseOptions{For: "-1d"}, ""},
		{workspace.PauseOptions{For: "NaNd"}, ""},
		{workspace.PauseOptions{For: "1e9w"}, ""},
		{workspace.PauseOptions{For: "1h", Until: "17:30"}, ""},
		{workspace.PauseOptions{Until: "25:00"}, ""},
		{workspace.PauseOptions{Until: "2026-11-20 12:00"}, ""},
	} {
		m := newMachine(t)
		m.now = time.Date(2026, 11, 20, 12, 0, 0, 0, berlin)
		c, err := m.open(m.home).Pause(t.Context(), tt.o)
		if c.Until != tt.want || err != nil && !errors.Is(err, messages.ErrUsage) || (err != nil) != (tt.want == "") {
			t.Errorf("%+v: until %q, %v, want %q", tt.o, c.Until, err, tt.want)
		}
		if _, err := os.Stat(m.path(".claude/.git")); err == nil {
			t.Errorf("%+v made a repository", tt.o)
		}
	}
}

// TestPauseHere pauses a project, then everything, and resumes in the other order.
func TestPauseHere(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	pump, valve := m.repository("pump", ""), m.repository("valve", "")
	state := func(dir string) string {
		t.Helper()
		c, err := m.open(dir).Capture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c.State
	}
	step := func(name, wantPump, wantValve string, c workspace.Capture, err error) {
		t.Helper()
		if err != nil || c.State != wantPump || state(pump) != wantPump || state(valve) != wantValve {
			t.Errorf("%s: %+v, %v; then %s and %s", name, c, err, state(pump), state(valve))
		}
	}
	w := m.open(m.mkdir("pump/cmd"))
	c, err := w.Pause(t.Context(), workspace.PauseOptions{Here: true})
	step("pause here", workspace.CapturePaused, workspace.CaptureOn, c, err)
	contains(t, "detail", c.Detail, "paused in "+pump+" until gitmem resume --here")
	since := m.now
	m.now = m.now.Add(time.Minute)
	c, err = w.Pause(t.Context(), workspace.PauseOptions{For: "1h"})
	step("pause everything", workspace.CapturePaused, workspace.CapturePaused, c, err)
	c, err = w.Resume(t.Context(), true)
	step("resume here", workspace.CapturePaused, workspace.CapturePaused, c, err)
	m.now = m.now.Add(time.Hour)
	c, err = w.Capture(t.Context())
	step("the pause of everything ends", workspace.CaptureOn, workspace.CaptureOn, c, err)
	for _, tt := range []struct {
		name string
		at   time.Time
		dir  string
		want bool
	}{
		{"before", since.Add(-time.Second), pump, false}, {"here", since.Add(time.Second), filepath.Join(pump, "cmd"), true},
		{"elsewhere", since.Add(time.Second), valve, false}, {"everywhere", since.Add(2 * time.Minute), valve, true},
		{"after", m.now.Add(time.Second), pump, false}, {"at no time", time.Time{}, pump, false},
	} {
		if got := m.open(pump).Withheld(tt.dir, "", tt.at); got != tt.want {
			t.Errorf("a record from %s is withheld: %v", tt.name, got)
		}
	}
}

// TestResumeUnreadable replaces an unreadable list.
func TestResumeUnreadable(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.write(".claude/gitmem/.paused", "{")
	c, err := m.open(m.home).Resume(t.Context(), false)
	if err != nil || c.State != workspace.CaptureOn || len(m.warned) != 1 {
		t.Errorf("%+v, %v, %q", c, err, m.warned)
	}
}

// TestExcludedMemory identifies a folder of the client by its name alone, unless a transcript in it shows that it is
// another one.
func TestExcludedMemory(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.configure("exclude: ['**/clients/*', github.com/acme/*]\n")
	secret := filepath.Join(m.home, "clients", "bob")
	name := transcript.ProjectFolder(secret)
	for _, tt := range []struct{ rel, project, want string }{
		{"projects/" + name + "/memory/MEMORY.md", "", "**/clients/*"},
		{"projects/-srv-open/memory/MEMORY.md", "", ""},
		{"gitmem/projects/x/tasks.md", "github.com/acme/pump", "github.com/acme/*"},
		{"gitmem/projects/x/tasks.md", "github.com/bob/pump", ""},
		{"gitmem/profile.md", "", ""},
	} {
		if got := m.open(m.home).ExcludedMemory(tt.rel, tt.project); got != tt.want {
			t.Errorf("%s of %q: %q, want %q", tt.rel, tt.project, got, tt.want)
		}
	}
	for file, want := range map[string]string{filepath.Join(secret, "a.c"): "**/clients/*", "a.c": ""} {
		if got := m.open(m.home).ExcludedFile(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	m.write(".claude/projects/"+name+"/a.jsonl", `{"type":"user","cwd":"`+filepath.ToSlash(m.path("clients-bob"))+
		`","message":{"role":"user","content":"Begin"}}`+"\n")
	if got := m.open(m.home).ExcludedRecord("", name); got != "" {
		t.Errorf("a folder that is called alike is excluded by %q", got)
	}
	if got := m.open(m.home).ExcludedRecord(secret, name); got != "**/clients/*" {
		t.Errorf("the record of the folder is excluded by %q", got)
	}
}

// TestPolicyIsReadOnce checks that changes apply after Reload.
func TestPolicyIsReadOnce(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	if !w.Policy().Config.Capture {
		t.Error("without a file nothing is captured")
	}
	m.configure("capture: off\n")
	if !w.Policy().Config.Capture {
		t.Error("the file is read again")
	}
	if w.Reload(); w.Policy().Config.Capture {
		t.Error("the file is not read again")
	}
}

func TestReadOwn(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	for _, tt := range []struct {
		name, file string
		want       []byte
		fails      bool
	}{
		{name: "missing", file: m.path("none")},
		{name: "no folder", file: m.path("none/a")},
		{name: "below a file", file: filepath.Join(m.write("file", "x"), "a")},
		{name: "empty", file: m.write("empty", ""), want: []byte{}},
		{name: "text", file: m.write("text", "a\n"), want: []byte("a\n")},
		{name: "as long as it may be", file: m.write("long", strings.Repeat("a", 1<<20)),
			want: []byte(strings.Repeat("a", 1<<20))},
		{name: "too long", file: m.write("longer", strings.Repeat("a", 1<<20+1)), fails: true},
		{name: "a folder", file: m.mkdir("folder"), fails: true},
	} {
		got, err := w.ReadOwn(tt.file)
		if !bytes.Equal(got, tt.want) || (got == nil) != (tt.want == nil) || (err != nil) != tt.fails {
			t.Errorf("%s: %d bytes, %v", tt.name, len(got), err)
		}
		if err != nil {
			contains(t, tt.name, err.Error(), tt.file)
		}
	}
}

// TestExcludedProject checks that a project is excluded if all of its folders here are.
func TestExcludedProject(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	if err := w.Writable(t.Context()); err != nil {
		t.Fatal(err)
	}
	var p store.Project
	for _, folder := range []string{"a", "b"} {
		var err error
		if p, err = w.Project(t.Context(), store.Identity{Folder: m.mkdir(folder), Remotes: []string{"github.com/acme/pump"}},
			nil, true); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ rules, want string }{
		{"[HOME/a]", ""}, {"[HOME/a, HOME/b]", "HOME/b"}, {"[github.com/acme/pump]", "github.com/acme/pump"},
		{"[github.com/acme/valve]", ""},
	} {
		m.configure("exclude: " + strings.ReplaceAll(tt.rules, "HOME", filepath.ToSlash(m.home)) + "\n")
		w.Reload()
		if got := w.ExcludedMemory(p.Dir+"/tasks.md", p.ID); got != strings.ReplaceAll(tt.want, "HOME",
			filepath.ToSlash(m.home)) {
			t.Errorf("%s: %q, want %q", tt.rules, got, tt.want)
		}
	}
}
