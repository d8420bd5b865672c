package forget_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/workspace/workspacetest"
)

const (
	session = "3f2a91c4-0000-4000-8000-000000000001"
	text    = "The staging cupboard opens with the code of Bob"
)

// TestForgetCopies checks gitmem's other files that may contain a text.
func TestForgetCopies(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.commit(map[string]string{m.rel("MEMORY.md"): "# Pump\n\n- " + text + "\n- The door sticks\n"})
	trace := m.Write(m.InRoot("gitmem/.index/trace/2025-03-10.jsonl"),
		`{"detail":"the staging CUPBOARD opens with the code of bob"}`+"\n"+`{"detail":"other"}`+"\n")
	// An index that is not used from this folder is not rebuilt, so it must be deleted at once.
	for _, top := range []string{m.InRoot("gitmem/.index"),
		filepath.Join(m.Home, "cache", "gitmem", store.ShortHash(m.InRoot("")))} {
		m.Write(filepath.Join(top, "shards", "rules-0123456789ab", "g00000001", "old.terms"), "cupboard")
	}
	m.forget(true, "cupboard")
	if got := m.Read(trace); strings.Contains(strings.ToLower(got), "cupboard") || !strings.Contains(got, "other") {
		t.Errorf("trace: %s", got)
	}
	err := filepath.WalkDir(m.Home, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(strings.ToLower(m.Read(name)), "cupboard") {
			t.Errorf("%s still holds it", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestForget removes one line from its file and keeps it from coming back.
func TestForget(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	const rest = "# Pump\n\n## Notes\n\n- The door sticks\n- The drain is behind the door\n"
	file := m.rel("MEMORY.md")
	m.commit(map[string]string{file: rest + "- " + text + "\n",
		"gitmem/profile.md": "---\nformat: 1\nkind: profile\n---\n"})
	for _, tt := range []struct {
		name string
		what []string
		ask  bool
		cut  []string // first two words of the removed lines
	}{
		{"words", []string{"CUPBOARD", "bob"}, true, []string{"The staging"}},
		{"words of two lines", []string{"door"}, true, []string{"The door", "The drain"}},
		{"a text", []string{`"opens with the code"`}, true, []string{"The staging"}},
		{"a line", []string{"MEMORY.md:5"}, false, []string{"The door"}},
		{"two lines", []string{"MEMORY.md:5", file + ":7"}, false, []string{"The door", "The staging"}},
	} {
		f, err := m.plan(false, tt.what...)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var cut []string
		for _, l := range f.Lines {
			if cut = append(cut, strings.Join(strings.Fields(l.Text)[:2], " ")); l.File != file || l.ID == "" {
				t.Errorf("%s: %+v", tt.name, l)
			}
		}
		if diff := cmp.Diff(tt.cut, cut); diff != "" || f.Ask != tt.ask {
			t.Errorf("%s: asks %v (-want +got):\n%s", tt.name, f.Ask, diff)
		}
	}
	if m.Read(m.InRoot(file)) != rest+"- "+text+"\n" {
		t.Error("a plan changes the file")
	}
	done := m.forget(false, "MEMORY.md:7")
	if got := m.Read(m.InRoot(file)); got != rest || done.Commit == "" || len(done.Elsewhere) != 0 {
		t.Errorf("%+v, the file:\n%s", done, got)
	}
	if list := m.Read(m.InRoot(tombstone.File)); strings.Contains(list, "cupboard") ||
		strings.Count(list, "\n- 2025-03-10 ") == 0 {
		t.Errorf("the list:\n%s", list)
	}
	if _, err := m.plan(false, "cupboard"); !errors.Is(err, messages.ErrNotFound) {
		t.Errorf("once more: %v", err)
	}
	if _, err := m.plan(false); !errors.Is(err, messages.ErrNotFound) {
		t.Errorf("nothing has come back: %v", err)
	}
	m.Write(m.InRoot(file), rest+"- "+text+"\n")
	if done := m.forget(false); len(done.Lines) != 1 || m.Read(m.InRoot(file)) != rest {
		t.Errorf("what has come back: %+v", done.Lines)
	}
}

// TestForgetHistory removes a text from every commit.
func TestForgetHistory(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	file := m.rel("MEMORY.md")
	m.commit(map[string]string{file: "# Pump\n\n- " + text + "\n- The door sticks\n"})
	m.commit(map[string]string{file: "# Pump\n\n- The door sticks\n"})
	if _, err := m.plan(false, "cupboard"); !errors.Is(err, messages.ErrNotFound) {
		t.Errorf("it is in no file: %v", err)
	}
	f, err := m.plan(true, "cupboard")
	if err != nil || len(f.Lines) != 0 || f.History == nil || f.History.Commits == 0 || len(f.History.Lines) != 1 ||
		f.History.Lines[0].File != file {
		t.Fatalf("%+v, %v", f, err)
	}
	m.forget(true, "cupboard")
	w, _ := m.open()
	n := 0
	for c, err := range w.Store.Log(t.Context(), 0, file) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if b, err := w.Store.Read(c.Hash, file); err != nil || strings.Contains(string(b), "cupboard") ||
			!strings.Contains(string(b), "The door sticks") {
			t.Errorf("%s holds %q, %v", c.Hash, b, err)
		}
	}
	if n == 0 {
		t.Error("no commit has the file any more")
	}
}

func TestForgetRefuses(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.commit(map[string]string{m.rel("MEMORY.md"): "# Pump\n\n- The door sticks\n"})
	for _, tt := range []struct {
		name    string
		history bool
		what    []string
		want    error
	}{
		{"no words", false, []string{`""`}, messages.ErrUsage},
		{"a short word of all history", true, []string{"abc"}, messages.ErrUsage},
		{"the mark", true, []string{"forgotten"}, messages.ErrUsage},
		{"no text", true, []string{"abc\xffdef"}, messages.ErrUsage},
		{"nothing of it", false, []string{"cupboard"}, messages.ErrNotFound},
		{"a blank line", false, []string{"MEMORY.md:2"}, messages.ErrNotFound},
		{"an unknown unit", false, []string{"decision:none"}, messages.ErrNotFound},
		{"an unknown session", false, []string{"transcript:3f2a91c4"}, messages.ErrNotFound},
		{"a value of the profile", false, []string{"profile:tools.editor"}, messages.ErrUsage},
	} {
		if f, err := m.plan(tt.history, tt.what...); !errors.Is(err, tt.want) {
			t.Errorf("%s: %+v, %v", tt.name, f, err)
		}
	}
	f, err := m.plan(false, "MEMORY.md:3", "decision:none")
	if err != nil || len(f.Lines) != 1 || len(f.Missing) != 1 || !strings.Contains(f.Missing[0], "decision:none") {
		t.Errorf("one of two: %+v, %v", f, err)
	}
	other := m.Write(m.InRoot("projects/-q/memory/MEMORY.md"), "# Valve\n\n- It leaks\n") + ":3"
	if f, err := m.plan(false, other); err != nil || len(f.Lines) != 1 {
		t.Errorf("another project's line: %+v, %v", f, err)
	}
	m.Env["CLAUDECODE"] = "1"
	_, err = m.plan(false, other)
	if refusal, ok := errors.AsType[*messages.Refusal](err); !ok ||
		!strings.Contains(refusal.Reason, "all that would be forgotten") {
		t.Errorf("inside the client another project's line: %v", err)
	}
	none := &memory{Machine: workspacetest.New(t), t: t}
	none.dir = none.Home
	if _, err := none.plan(false, "cupboard"); !errors.Is(err, store.ErrNoStore) {
		t.Errorf("without a store: %v", err)
	}
}

// TestForgetOthers hides content that is not gitmem's own, and changes only the copies that gitmem kept.
func TestForgetOthers(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	const line = `{"type":"user","uuid":"u1","sessionId":"` + session +
		`","timestamp":"2025-03-09T14:00:00Z","promptSource":"typed","message":{"role":"user","content":"` +
		text + `"}}` + "\n"
	client := m.Write(m.InRoot("projects/-p/"+session+".jsonl"), line)
	prompts := m.Write(m.InRoot("history.jsonl"), `{"display":"`+text+
		`","timestamp":1741528800000,"project":"/p","sessionId":"`+session+`"}`+"\n")
	var kept []string
	for _, name := range []string{session + ".jsonl", session + "_1.jsonl", session + "/subagents/agent-1.jsonl",
		".gitmem-1/t.jsonl"} {
		kept = append(kept, m.Write(m.InRoot("gitmem/transcripts/-p/"+name), line))
	}
	other := m.Write(m.InRoot("gitmem/transcripts/-p/7b1d02e9-0000-4000-8000-000000000002.jsonl"), line)
	done := m.forget(false, "transcript:"+session+":1", "github:pr:12")
	var hidden []string
	for _, h := range done.Hidden {
		hidden = append(hidden, h.ID)
	}
	if diff := cmp.Diff([]string{"prompt:" + session + ":1", "transcript:" + session + ":1", "github:pr:12"},
		hidden); diff != "" {
		t.Errorf("hidden (-want +got):\n%s", diff)
	}
	for _, name := range kept {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range []string{client, prompts, other} {
		if !strings.Contains(m.Read(name), text) {
			t.Errorf("%s was changed", name)
		}
	}
	if list := m.Read(m.InRoot(tombstone.File)); strings.Contains(list, session) {
		t.Errorf("the list:\n%s", list)
	}
	again, err := m.plan(false, "transcript:"+session[:8])
	if err != nil || len(again.Hidden) != 1 || again.Hidden[0].ID != "transcript:"+session {
		t.Errorf("the whole session: %+v, %v", again, err)
	}
}
