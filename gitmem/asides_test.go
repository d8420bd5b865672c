package gitmem_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// scroll writes a transcript record by record.
type scroll struct {
	l         *lab
	dir, file string
	session   string
	at        int
}

func (l *lab) scroll(dir, session string) *scroll {
	return &scroll{l: l, dir: dir, session: session, file: filepath.Join(l.root, "projects", munge(dir), session+".jsonl")}
}

func (s *scroll) add(kind string, content any, more ...any) {
	s.l.t.Helper()
	s.at++
	rec := map[string]any{
		"type": kind, "uuid": fmt.Sprint("u", s.at), "sessionId": s.session, "cwd": s.dir,
		"timestamp": fmt.Sprintf("2025-03-09T11:%02d:%02d.000Z", s.at/60, s.at%60),
		"message":   map[string]any{"role": kind, "content": content},
	}
	for i := 0; i < len(more); i += 2 {
		rec[more[i].(string)] = more[i+1]
	}
	s.put(rec)
}

func (s *scroll) put(rec any) {
	s.l.t.Helper()
	b, err := json.Marshal(rec)
	if err != nil {
		s.l.t.Fatal(err)
	}
	old, err := os.ReadFile(s.file)
	if err != nil && !os.IsNotExist(err) {
		s.l.t.Fatal(err)
	}
	s.l.write(s.file, string(old)+string(b)+"\n")
}

func (s *scroll) say(who, text string) { s.add(who, text, "promptSource", "typed") }

func (s *scroll) call(id, tool string, input map[string]any) {
	s.add("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}})
}

func (s *scroll) result(id, text string, failed bool) {
	s.add("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}})
}

// workday writes a session with all kinds of blocks besides text.
func (l *lab) workday(dir string) *scroll {
	s := l.scroll(dir, sessionA)
	s.say("user", "Why does the pump stall?")                                                              // 1
	s.add("assistant", []any{map[string]any{"type": "thinking", "thinking": "Perhaps the impeller jams"}}) // 2
	s.add("assistant", []any{
		map[string]any{"type": "text", "text": "I will measure."},
		map[string]any{"type": "tool_use", "id": "t1", "name": "Bash", "input": map[string]any{"command": "go test ./stator",
			"description": "Run the stator suite"}},
		map[string]any{"type": "tool_use", "id": "t2", "name": "Read",
			"input": map[string]any{"file_path": dir + "/docs/gasket.md"}},
	}) // 3
	s.result("t1", "--- FAIL: TestRotor\npanic: torsion", true)                             // 4
	s.result("t2", strings.Repeat("filler line\n", 900)+"the last word is zinnober", false) // 5
	s.call("t3", "TodoWrite", map[string]any{"todos": []any{
		// 6
		map[string]any{"content": "Grease the bearing", "status": "in_progress"},
		map[string]any{"content": "Order a flange", "status": "pending"}}})
	s.call("t4", "ExitPlanMode", map[string]any{"plan": "# Plan\n\n1. Replace the crankshaft"})                 // 7
	s.call("t5", "mcp__forge__open_issue", map[string]any{"title": "Pump stalls", "body": "See the manometer"}) // 8
	s.say("assistant", "The rotor jammed.")                                                                     // 9
	s.put(map[string]any{"type": "ai-title", "aiTitle": "Stalling pump diagnosed", "sessionId": sessionA})      // 10
	s.put(map[string]any{"type": "ai-title", "aiTitle": "Stalling pump diagnosed", "sessionId": sessionA})      // 11
	// 12
	s.add("user", "This session is being continued from a previous conversation. The carburettor was cleaned.",
		"isCompactSummary", true)
	return s
}

// plain returns a folder outside any repository, on a machine with a store.
func (l *lab) plain(name string) string {
	l.t.Helper()
	dir := filepath.Join(l.base, name)
	l.mkdir(dir)
	l.with(dir, func(m *gitmem.Memory) error {
		_, err := m.Init(l.t.Context())
		return err
	})
	return dir
}

// hitsOf returns the ids and types of a search's hits.
func hitsOf(r gitmem.Results) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.Type+" "+h.ID)
	}
	return out
}

func TestSourcesBesideMessages(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.plain("pump")
	l.workday(dir)
	at := "transcript:" + sessionA + ":"
	for _, c := range []struct{ words, hit, title, text string }{
		{"impeller", "thinking " + at + "2#thinking", "thinking", "Perhaps the impeller jams"},
		{"stator suite", "tool " + at + "3#tool", "Bash · go test ./stator …", "go test ./stator\nRun the stator suite"},
		{"gasket.md", "tool " + at + "3#tool-2", "Read · " + dir + "/docs/gasket.md", ""},
		{"torsion", "result " + at + "4#result", "Bash · go test ./stator … · error", "--- FAIL: TestRotor\npanic: torsion"},
		{"zinnober", "result " + at + "5#result", "Read · " + dir + "/docs/gasket.md · result", ""},
		{"flange", "todo " + at + "6#todo", "todo", "- [~] Grease the bearing\n- [ ] Order a flange"},
		{"crankshaft", "plan " + at + "7#plan", "plan", "# Plan\n\n1. Replace the crankshaft"},
		{"manometer", "tool " + at + "8#tool", "mcp__forge__open_issue · body: See the manometer …",
			"body: See the manometer\ntitle: Pump stalls"},
		{"diagnosed", "summary " + at + "10#title", "title", "Stalling pump diagnosed"},
		{"carburettor", "summary " + at + "12", "summary",
			"This session is being continued from a previous conversation. The carburettor was cleaned."},
	} {
		r := l.search(dir, c.words, gitmem.Filter{})
		if got := hitsOf(r); len(got) == 0 || got[0] != c.hit {
			t.Errorf("%s: found %q, want %q first", c.words, got, c.hit)
			continue
		}
		if n := len([]rune(c.title)); n > 60 {
			c.title = r.Hits[0].Title // its end is cut inside a path that differs between machines
		}
		if r.Hits[0].Title != c.title {
			t.Errorf("%s: title %q, want %q", c.words, r.Hits[0].Title, c.title)
		}
		l.with(dir, func(m *gitmem.Memory) error {
			src, err := m.Shown(t.Context(), r.Hits[0].ID, gitmem.ShowOptions{})
			if c.text != "" && src.Text != c.text {
				t.Errorf("%s: text %q, want %q", c.words, src.Text, c.text)
			}
			return err
		})
	}
	if got := hitsOf(l.search(dir, "diagnosed", gitmem.Filter{Type: "summary"})); !slices.Equal(got,
		[]string{"summary " + at + "10#title"}) {
		t.Errorf("a title that is written again: %q", got)
	}
	if got := hitsOf(l.search(dir, "stalls", gitmem.Filter{Type: "tool"})); !slices.Equal(got,
		[]string{"tool " + at + "8#tool"}) {
		t.Errorf("calls alone: %q", got)
	}
	for _, f := range l.findings(dir) {
		t.Errorf("the index is not as built anew: %+v", f)
	}
}

// findings returns the findings of the check of the transcripts index.
func (l *lab) findings(dir string) []gitmem.Finding {
	f := l.doctor(dir, gitmem.Checkup{})["transcripts index"]
	if f.State == gitmem.FindingOK && f.Detail == "verified" {
		return nil
	}
	return []gitmem.Finding{f}
}

// A long result is indexed at both ends, indicates the gap, and is shown as a whole.
func TestLongResultsAreBounded(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.plain("pump")
	s := l.scroll(dir, sessionA)
	s.call("t1", "Bash", map[string]any{"command": "make"})
	s.result("t1", "begin alpha\n"+strings.Repeat("filler line\n", 400)+"middle beta\n"+
		strings.Repeat("filler line\n", 400)+"end gamma", false)
	id := "transcript:" + sessionA + ":2#result"
	for _, word := range []string{"alpha", "gamma"} {
		if got := hitsOf(l.search(dir, word, gitmem.Filter{})); !slices.Contains(got, "result "+id) {
			t.Errorf("%s: %q", word, got)
		}
	}
	if l.indexed("beta") {
		t.Error("the middle is indexed")
	}
	l.with(dir, func(m *gitmem.Memory) error {
		src, err := m.Shown(t.Context(), id, gitmem.ShowOptions{})
		if !strings.Contains(src.Text, "middle beta") {
			t.Error("shown without its middle")
		}
		return err
	})
}

// Neither gitmem's answers nor the content of its files are sources.
func TestOwnAnswersAreNoSource(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.plain("pump")
	s := l.scroll(dir, sessionA)
	for i, call := range []struct {
		tool  string
		input map[string]any
	}{
		{"Bash", map[string]any{"command": "cd pump && gitmem ask 'why xylophone?'"}},
		{"Bash", map[string]any{"command": "FOO=1 /usr/local/bin/gitmem search xylophone | head"}},
		{"Bash", map[string]any{"command": "go run ./cmd/gitmem ask xylophone"}},
		{"Bash", map[string]any{"command": "timeout 5 gitmem ask xylophone"}},
		{"Bash", map[string]any{"command": "bash -lc 'gitmem ask xylophone'"}},
		{"Bash", map[string]any{"command": "if gitmem ask xylophone; then echo yes; fi"}},
		{"Bash", map[string]any{"command": "echo xylophone | xargs -n 1 gitmem search"}},
		{"Bash", map[string]any{"command": "cat " + filepath.Join(l.root, "gitmem", "xylophone.md")}},
		{"mcp__gitmem__ask", map[string]any{"question": "xylophone"}},
		{"mcp__plugin_gitmem_gitmem__ask", map[string]any{"question": "xylophone"}},
		{"Skill", map[string]any{"skill": "gitmem:remember", "args": "xylophone"}},
		{"Read", map[string]any{"file_path": filepath.Join(l.root, "gitmem", "xylophone.md")}},
	} {
		s.call(fmt.Sprint("t", i), call.tool, call.input)
		if i == 0 { // the result comes in another refresh than its call
			if hits := hitsOf(l.search(dir, "xylophone", gitmem.Filter{})); len(hits) != 0 {
				t.Errorf("the call is found: %q", hits)
			}
		}
		s.result(fmt.Sprint("t", i), "The xylophone is out of tune", false)
	}
	if hits := hitsOf(l.search(dir, "xylophone", gitmem.Filter{})); len(hits) != 0 || l.indexed("xylophone") {
		t.Errorf("own words are found: %q", hits)
	}
	s.call("t9", "Bash", map[string]any{"command": "cd gitmem && grep -r xylophone ."})
	if hits := hitsOf(l.search(dir, "xylophone", gitmem.Filter{})); len(hits) != 1 {
		t.Errorf("a folder of that name: %q", hits)
	}
	for _, f := range l.findings(dir) {
		t.Errorf("the index is not as built anew: %+v", f)
	}
}

// index_tools determines how much is indexed, and a change applies immediately.
func TestIndexTools(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.plain("pump")
	l.workday(dir)
	for _, c := range []struct{ mode, found, missing string }{
		{"names", "stator flange crankshaft diagnosed rotor", "torsion impeller"},
		{"off", "flange crankshaft diagnosed rotor", "torsion impeller stator"},
		{"on", "torsion impeller stator flange", ""},
	} {
		l.configure("index_tools: " + c.mode + "\n")
		for word := range strings.FieldsSeq(c.found) {
			if len(l.search(dir, word, gitmem.Filter{}).Hits) == 0 {
				t.Errorf("%s: %s is not found", c.mode, word)
			}
		}
		for word := range strings.FieldsSeq(c.missing) {
			if hits := hitsOf(l.search(dir, word, gitmem.Filter{})); slices.ContainsFunc(hits, func(h string) bool {
				return strings.HasPrefix(h, "tool ") || strings.HasPrefix(h, "result ") || strings.HasPrefix(h, "thinking ")
			}) {
				t.Errorf("%s: %s is found: %q", c.mode, word, hits)
			}
		}
		for _, f := range l.findings(dir) {
			t.Errorf("%s: the index is not as built anew: %+v", c.mode, f)
		}
	}
}

// Forgetting one block keeps the others of its record.
func TestForgetOneBlock(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin")
	l.workday(r.dir)
	l.note(r.dir, "A store is needed to forget")
	id := "transcript:" + sessionA + ":3#tool"
	l.with(r.dir, func(m *gitmem.Memory) error {
		f, err := m.PlanForget(t.Context(), []string{id}, false)
		if err == nil {
			_, err = m.Forget(t.Context(), f)
		}
		return err
	})
	if l.indexed("stator") || len(l.search(r.dir, "gasket.md", gitmem.Filter{}).Hits) == 0 {
		t.Error("not this block alone is gone")
	}
	l.with(r.dir, func(m *gitmem.Memory) error {
		if _, err := m.Shown(t.Context(), id+"-1", gitmem.ShowOptions{}); err == nil {
			t.Error("it is shown")
		}
		_, err := m.Shown(t.Context(), id+"-2", gitmem.ShowOptions{})
		return err
	})
}

// A prompt is found in the client's history after its transcript is deleted, and never twice.
func TestPromptHistory(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir, secret := l.plain("pump"), l.plain("secret")
	entry := func(text, project, session string) string {
		b, err := json.Marshal(map[string]any{"display": text,
			"pastedContents": map[string]any{"1": map[string]any{"content": "the pasted tuba"}},
			"timestamp":      1741518000000, "project": project, "sessionId": session})
		must(t, err)
		return string(b) + "\n"
	}
	file := l.write(filepath.Join(l.root, "history.jsonl"), entry("Tune the theremin [Pasted text #1 +3 lines]", dir,
		sessionA)+"no entry\n"+
		entry("/clear", dir, sessionA)+entry("Hide the trombone", secret, sessionB)+
		strings.Replace(entry("Old clients whistle", dir, ""), sessionB, "", 1))
	l.configure("exclude: ['" + secret + "/**']\n")
	s := l.scroll(dir, sessionA)
	s.say("user", "Tune the theremin")
	find := func(word string) []string { return hitsOf(l.search(dir, word, gitmem.Filter{})) }
	equal(t, "beside the transcript", []string{"discussion transcript:" + sessionA + ":1"}, find("theremin"))
	must(t, os.RemoveAll(filepath.Dir(s.file)))
	equal(t, "without it", []string{"prompt prompt:" + sessionA + ":1"}, find("theremin"))
	equal(t, "pasted text", []string{"prompt prompt:" + sessionA + ":1"}, find("tuba"))
	equal(t, "without a session", []string{"prompt prompt:history:5"}, find("whistle"))
	if find("trombone") != nil || l.indexed("trombone") {
		t.Error("a prompt in an excluded folder is found")
	}
	more, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0o600)
	must(t, err)
	_, err = more.WriteString(entry("Tune the harp", dir, "5e550003-0000-4000-8000-00000000000c"))
	must(t, err)
	must(t, more.Close())
	equal(t, "appended", []string{"prompt prompt:" + "5e550003-0000-4000-8000-00000000000c" + ":6"}, find("harp"))
	for _, f := range l.findings(dir) {
		t.Errorf("the index is not as built anew: %+v", f)
	}
	l.with(dir, func(m *gitmem.Memory) error {
		src, err := m.Shown(t.Context(), "prompt:"+sessionA+":1", gitmem.ShowOptions{})
		if src.Text != "Tune the theremin the pasted tuba" {
			t.Errorf("shown: %q", src.Text)
		}
		if _, err := m.Shown(t.Context(), "prompt:"+sessionB+":1", gitmem.ShowOptions{}); err == nil {
			t.Error("a prompt is shown under another session")
		}
		return err
	})
	s.say("user", "Tune the theremin")
	equal(t, "the transcript is back", []string{"discussion transcript:" + sessionA + ":1"}, find("theremin"))
}
