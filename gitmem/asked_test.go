package gitmem_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// askedQuestion is a judged question about sessions: see testdata/asked/README.md.
type askedQuestion struct {
	Question, Kind string
	None           bool
	Gold           []struct {
		Session any
		Turns   []int
		Plan    string
		Memory  string
		Phrase  string
	}
}

// askedFolder creates the client's folder of a judged set and returns the turn of each transcript line.
func askedFolder(t *testing.T, set string) (l *lab, turnOf map[string]string) {
	t.Helper()
	l, turnOf = newLab(t), map[string]string{}
	l.now = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	files := globbed(t, filepath.Join("testdata", "asked", set, "sessions", "*.json"))
	if len(files) == 0 {
		t.Fatal("no sessions")
	}
	for n, file := range files {
		var s struct {
			Project, Branch string
			Start           time.Time
			Turns           []struct {
				Role, Text, Name, Result string
				Input                    map[string]any
			}
		}
		if err := json.Unmarshal([]byte(l.read(file)), &s); err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", n+1)
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		var lines []string
		record := func(at int, role string, content any) {
			b, err := json.Marshal(map[string]any{
				"type": role, "uuid": fmt.Sprintf("u%d", len(lines)), "sessionId": id, "cwd": s.Project, "gitBranch": s.Branch,
				"timestamp": s.Start.Add(time.Duration(at) * 45 * time.Second).Format(time.RFC3339),
				"message":   map[string]any{"role": role, "content": content},
			})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(b))
			turnOf[fmt.Sprintf("transcript:%s:%d", id, len(lines))] = fmt.Sprintf("%s/%d", name, at)
		}
		for at, turn := range s.Turns {
			block := func(b map[string]any) []any { return []any{b} }
			switch call := fmt.Sprintf("call%d", at); turn.Role {
			case "user":
				record(at, "user", turn.Text)
			case "assistant":
				record(at, "assistant", block(map[string]any{"type": "text", "text": turn.Text}))
			case "tool":
				record(at, "assistant",
					block(map[string]any{"type": "tool_use", "id": call, "name": turn.Name, "input": turn.Input}))
				record(at, "user", block(map[string]any{"type": "tool_result", "tool_use_id": call, "content": turn.Result}))
			}
		}
		l.write(filepath.Join(l.root, "projects", munge(s.Project), id+".jsonl"), strings.Join(lines, "\n")+"\n")
	}
	l.askedNotes(filepath.Join("testdata", "asked", set))
	return l, turnOf
}

// askedNotes copies the plans and the memory files of a judged set.
func (l *lab) askedNotes(dir string) {
	l.t.Helper()
	copies := map[string]string{}
	for _, f := range globbed(l.t, filepath.Join(dir, "plans", "*.md")) {
		copies[f] = filepath.Join(l.root, "plans", filepath.Base(f))
	}
	for _, f := range globbed(l.t, filepath.Join(dir, "memory", "*", "*.md")) {
		copies[f] = filepath.Join(l.root, "projects", munge("/home/dev/"+filepath.Base(filepath.Dir(f))), "memory",
			filepath.Base(f))
	}
	for from, to := range copies {
		l.write(to, l.read(from))
	}
}

func globbed(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// right reports whether a citation answers a question.
func (q askedQuestion) right(c gitmem.Citation, turnOf map[string]string) bool {
	for _, g := range q.Gold {
		for _, id := range append([]string{c.ID}, c.Also...) {
			id, _, _ = strings.Cut(id, "#")
			if slices.ContainsFunc(g.Turns, func(n int) bool { return turnOf[id] == fmt.Sprintf("%v/%d", g.Session, n) }) {
				return true
			}
			if g.Plan != "" && id == "plan:"+strings.TrimSuffix(g.Plan, ".md")+".md" {
				return true
			}
		}
		folded := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		if g.Phrase != "" && c.Source == "memory" && (strings.Contains(folded(g.Phrase), folded(c.Excerpt)) ||
			strings.Contains(folded(c.Excerpt), folded(g.Phrase))) {
			return true
		}
	}
	return false
}

// TestAskedOfSessions counts the questions of the judged sets with the right turn, plan or note among the first three
// results, and those without an answer.
func TestAskedOfSessions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		set, half   string
		least, most int // right among the first three; answered although nothing is recorded
	}{
		{"work", "open", 25, 0},
		{"work", "sealed", 25, 0},
		{"languages", "open", 35, 0},
		{"languages", "sealed", 32, 0},
	}
	for _, tt := range tests {
		t.Run(tt.set+"/"+tt.half, func(t *testing.T) {
			t.Parallel()
			l, turnOf := askedFolder(t, tt.set)
			b := l.read(filepath.Join("testdata", "asked", tt.set, tt.half+".json"))
			var questions []askedQuestion
			if err := json.Unmarshal([]byte(b), &questions); err != nil {
				t.Fatal(err)
			}
			right, asked, wrong := map[string]int{}, map[string]int{}, 0
			for _, q := range questions {
				a := l.ask(l.base, q.Question, gitmem.Filter{})
				if q.None {
					if a.Verdict == "answered" {
						wrong++
					}
					continue
				}
				asked[q.Kind]++
				found := a.Citations[:min(3, len(a.Citations))]
				if a.Verdict != "none" && slices.ContainsFunc(found, func(c gitmem.Citation) bool { return q.right(c, turnOf) }) {
					right[q.Kind]++
					right["all"]++
				} else if tt.half == "open" {
					t.Logf("not among the first three: %s", q.Question)
				}
			}
			t.Logf("right among the first three %v of %v, answered though never recorded %d", right, asked, wrong)
			if right["all"] < tt.least || wrong > tt.most {
				t.Errorf("right %d, want %d at least; answered though never recorded %d, want %d at most", right["all"], tt.least,
					wrong, tt.most)
			}
		})
	}
}
