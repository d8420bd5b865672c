package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

func TestScopeHolds(t *testing.T) {
	t.Parallel()
	folder := newMachine(t).path("pump")
	place := func(inRepo bool) *workspace.Place {
		return &workspace.Place{
			InRepo: inRepo, Folder: folder, Project: store.Project{ID: "github.com/acme/pump",
				Remotes: []string{"github.com/bob/pump"}},
			Earlier: []store.Project{{ID: "path/0123"}}, Linked: []store.Project{{ID: "github.com/acme/valve"}},
		}
	}
	inside, outside, named := workspace.ScopeOfPlace(place(true)), workspace.ScopeOfPlace(place(false)),
		&workspace.Scope{Suffix: workspace.SuffixOf("/Acme/Pump/")}
	for _, tt := range []struct {
		project                string
		inside, outside, named bool
	}{
		{"", true, true, true},
		{"github.com/acme/pump", true, true, true},
		{"github.com/bob/pump", true, true, false},
		{"github.com/acme/valve", true, true, false},
		{"path/0123", true, true, false},
		{folder, true, true, false},
		{transcript.ProjectFolder(folder), true, true, false},
		{filepath.Join(folder, "cmd"), true, false, false},
		{folder + "s", false, false, false},
		{"github.com/Acme/Pump", false, false, true},
		{"/home/ada/acme/pump", false, false, true},
		{"acme/pump", false, false, true},
		{"github.com/bigacme/pump", false, false, false},
		{"github.com/acme/pumps", false, false, false},
	} {
		for what, s := range map[string]struct {
			*workspace.Scope
			want bool
		}{"inside": {inside, tt.inside}, "outside": {outside, tt.outside}, "named": {named, tt.named}} {
			if got := s.Holds(tt.project); got != s.want {
				t.Errorf("%s holds %q: %v", what, tt.project, got)
			}
		}
	}
}

// TestReach requests projects inside the client, where only that of the session is visible.
func TestReach(t *testing.T) {
	t.Parallel()
	const own, other = "github.com/acme/pump", "github.com/acme/valve"
	for _, tt := range []struct {
		name, in, session, client, config string
		project                           string // the requested name
		refused, own, other               bool
	}{
		{name: "a person", in: "pump", own: true},
		{name: "a person, all", in: "pump", project: "all", own: true, other: true},
		{name: "a person, another", in: "pump", project: "valve", other: true},
		{name: "a person outside", own: true, other: true},
		{name: "a model", in: "pump", client: "1", own: true},
		{name: "a model, its own", in: "pump", client: "1", project: "pump", own: true},
		{name: "a model, all", in: "pump", client: "1", project: "all", refused: true},
		{name: "a model, another", in: "pump", client: "1", project: "valve", refused: true},
		{name: "a model that changed the folder", in: "valve", session: "pump", client: "1", own: true},
		{name: "a model that is allowed", in: "pump", client: "1", config: "cross_project: on\n", project: "all",
			own: true, other: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.repository("pump", "https://github.com/acme/pump.git")
			m.repository("valve", "git@github.com:acme/valve.git")
			m.env["CLAUDECODE"] = tt.client
			if tt.session != "" {
				m.env["CLAUDE_PROJECT_DIR"] = m.path(tt.session)
			}
			m.configure(tt.config)
			w := m.open(m.path(tt.in))
			holds, err := w.ScopeOf(t.Context(), tt.project)
			if refusal := (*messages.Refusal)(nil); errors.As(err, &refusal) != tt.refused {
				t.Fatalf("the error is %v", err)
			}
			if tt.refused {
				return
			}
			for project, want := range map[string]bool{own: tt.own, other: tt.other} {
				if got := holds == nil || holds(project); got != want {
					t.Errorf("%s is searched: %v", project, got)
				}
			}
			reached := tt.client == "" || tt.config != ""
			if err := w.CheckReach(t.Context(), "it", other); (err == nil) != reached {
				t.Errorf("CheckReach: %v", err)
			}
			scope, may, err := w.Reachable(t.Context())
			if err != nil || (may == nil) != reached || may != nil && (may("gitmem/projects/"+other+"/tasks.md") ||
				!may("gitmem/profile.md")) {
				t.Errorf("Reachable: %v, %v", scope, err)
			}
			if w.WarnLeftOut(scope); len(m.warned) == 0 != reached {
				t.Errorf("warnings: %q", m.warned)
			}
		})
	}
}

// TestReachFolder finds the first folder of the session by the variable of hooks, or else by the session's transcript.
func TestReachFolder(t *testing.T) {
	t.Parallel()
	const session = "3f2a91c4-0000-4000-8000-000000000001"
	m := newMachine(t)
	m.write(".claude/projects/-began/"+session+".jsonl", `{"type":"user","sessionId":"`+session+`","cwd":"`+
		filepath.ToSlash(m.path("began"))+`","message":{"role":"user","content":"Begin"}}`+"\n")
	for _, tt := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"a person", map[string]string{"CLAUDE_PROJECT_DIR": m.path("a")}, "here"},
		{"a hook", map[string]string{"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": m.path("a"), "CLAUDE_CODE_SESSION_ID": session},
			"a"},
		{"a command", map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": session}, "began"},
		{"another session",
			map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "7b1d02e9-0000-4000-8000-000000000002"}, "here"},
		{"no session id", map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "../*"}, "here"},
		{"a relative folder", map[string]string{"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "a"}, "here"},
	} {
		o := m.options(m.path("here"))
		o.Getenv = func(name string) string { return tt.env[name] }
		if got := m.openWith(o).ReachFolder(); filepath.ToSlash(got) != filepath.ToSlash(m.path(tt.want)) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestAsking checks that a session that an agent does not name is identified by a change since the agent started the
// server, and not at all if several have changed.
func TestAsking(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.mkdir("pump")
	m.mkdir("yard")
	started := time.Date(2025, 3, 10, 12, 0, 0, 500, time.UTC)
	session := func(n, folder string, changed time.Duration) {
		file := m.write(".pi/agent/sessions/--w--/2025-03-10T11-00-00-000Z_01a1ee47-0000-7000-8000-00000000000"+n+".jsonl",
			`{"type":"session","version":3,"id":"01a1ee47-0000-7000-8000-00000000000`+n+
				`","timestamp":"2025-03-10T11:00:00.000Z","cwd":"`+filepath.ToSlash(m.path(folder))+`"}
{"type":"message","id":"aaaaaaa1","parentId":null,"timestamp":"2025-03-10T11:00:01.000Z",`+
				`"message":{"role":"user","content":[{"type":"text","text":"Where is the relay?"}]}}
`)
		if err := os.Chtimes(file, started, started.Add(changed)); err != nil {
			t.Fatal(err)
		}
	}
	asking := func() string { return m.open(m.path("pump")).Asking("pi", started) }
	for _, step := range []struct {
		what, n, folder string
		changed         time.Duration
		want            string
	}{
		{"one that ended before", "1", "pump", -time.Minute, ""},
		{"one elsewhere", "2", "yard", time.Minute, ""},
		{"one here", "3", "pump", time.Minute, "pi-01a1ee47-0000-7000-8000-000000000003"},
		{"a second one here", "4", "pump", 2 * time.Minute, ""},
	} {
		session(step.n, step.folder, step.changed)
		if got := asking(); got != step.want {
			t.Errorf("%s: %q instead of %q", step.what, got, step.want)
		}
	}
	if got := m.open(m.path("pump")).Asking("crush", started); got != "" {
		t.Errorf("of another agent: %q", got)
	}
}
