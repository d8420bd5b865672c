package gitmem_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/redact/redacttest"
)

// orchard is a lab into which hundreds of secrets come in every possible way.
type orchard struct {
	*lab
	repo    *repo
	secrets []redacttest.Secret
	names   []string // values identified by their own format
}

func newOrchard(t *testing.T) *orchard {
	t.Helper()
	o := &orchard{lab: newLab(t), secrets: redacttest.Planted(7)}
	redactor := redact.New()
	for _, s := range o.secrets {
		// Short ones without a distinctive prefix could be any word.
		if _, telling := redactor.Name(s.Value); telling && strings.HasPrefix(s.Form, "named ") &&
			!strings.ContainsAny(s.Value, "/\\ \n\":*?<>|") && len(s.Value) < 200 {
			o.names = append(o.names, s.Value)
		}
	}
	if len(o.secrets) < 300 || len(o.names) < 100 {
		t.Fatalf("%d secrets, %d of them names: too few", len(o.secrets), len(o.names))
	}
	o.repo = o.lab.repo("orchard")
	return o
}

// batches combines secrets to texts of a few kilobytes.
func (o *orchard) batches() []string {
	var out []string
	for i, s := range o.secrets {
		if len(out) == 0 || len(out[len(out)-1]) > 4<<10 {
			out = append(out, "Orchard gate batch")
		}
		out[len(out)-1] += fmt.Sprintf("\n\nThe orchard gate number %d opens with\n%s\n", i, s.Text)
	}
	return out
}

// plant uses every way: notes, hooks, transcripts, rules and memory by hand, the repository's commits, and names of
// files and branches.
func (o *orchard) plant() {
	o.t.Helper()
	batches := o.batches()
	for i, text := range batches {
		o.with(o.repo.dir, func(m *gitmem.Memory) error {
			_, err := m.Note(o.t.Context(), text, true)
			return err
		})
		o.write(fmt.Sprintf("orchard/.claude/rules/gate-%d.md", i), "# Gate\n\n"+text)
		o.repo.git("add", "--all")
		o.git(o.repo.dir, identity("Ada Example", "2024-01-01T10:00:00Z"), "commit", "--quiet", "--message",
			"Open gate "+text)
	}
	for i, value := range o.names {
		o.write(filepath.Join(o.repo.dir, "gates", value, fmt.Sprint(i)+".txt"), "x\n")
	}
	o.repo.git("add", "--all")
	o.git(o.repo.dir, identity("Ada "+o.names[0], "2024-01-02T10:00:00Z"), "commit", "--quiet", "--message",
		"Name the gates")
	memory := filepath.Join(o.root, "projects", munge(o.repo.dir), "memory")
	for _, value := range o.names {
		o.write(filepath.Join(memory, value+".md"), "# Gate\n\nThe orchard gate squeaks\n")
	}
	o.write(filepath.Join(memory, "by-hand.md"), "# By hand\n\n"+strings.Join(batches, "\n"))
	o.hooks()
}

// hooks passes every secret as input, output and path of a tool, and in a transcript.
func (o *orchard) hooks() {
	o.t.Helper()
	at := time.Date(2025, 3, 9, 14, 0, 0, 0, time.UTC)
	turns := []turn{{role: "user", at: at.Format(time.RFC3339), text: "Open the orchard gates please"}}
	o.with(o.repo.dir, func(m *gitmem.Memory) error {
		for i, s := range o.secrets {
			name := o.names[i%len(o.names)]
			obs := gitmem.Observation{Session: sessionA, Tool: "Bash", OK: true, Input: s.Text, Output: "it said\n" + s.Text,
				Read: []string{"gates/" + name}, Wrote: []string{name}}
			if _, err := m.Sessions().Observe(o.t.Context(), obs); err != nil {
				return err
			}
			at = at.Add(time.Second)
			stamp := at.Format(time.RFC3339)
			turns = append(turns, turn{role: "user", at: stamp, branch: "feature/" + name,
				text: "The next gate of the orchard. Use this:\n" + s.Text + "\nand go on"},
				turn{role: "assistant", at: stamp, branch: name, text: "We decided that the gate opens with\n" + s.Text +
					"\nfrom now on. The gate is open.",
					tool: map[string]any{"type": "tool_use", "id": "t", "name": "Edit",
						"input": map[string]any{"file_path": o.repo.dir + "/gates/" + name}}})
		}
		_, err := m.Sessions().Stop(o.t.Context(), sessionA)
		return err
	})
	o.endSession(o.repo.dir, sessionA, o.transcriptFile(o.repo.dir, sessionA, turns...))
}

// leaks names the secrets whose value is in a text.
func (o *orchard) leaks(text string) []string {
	var out []string
	for _, s := range o.secrets {
		if strings.Contains(text, s.Value) {
			out = append(out, s.Kind+"/"+s.Form)
		}
	}
	return out
}

func (o *orchard) wantNone(where, text string) {
	o.t.Helper()
	if found := o.leaks(text); len(found) > 0 {
		o.t.Errorf("%s holds %d secrets: %q", where, len(found), found[:min(len(found), 30)])
	}
}

func TestPlantedSecrets(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("hundreds of commits")
	}
	o := newOrchard(t)
	o.plant()
	o.checkShown()
	for name, text := range filesBelow(t, filepath.Join(o.root, "gitmem")) {
		if !strings.Contains(name, "modules") {
			o.wantNone(name, name+"\n"+text)
		}
	}
	log := o.git(o.root, nil, "log", "-p", "--all", "--format=fuller")
	if n := strings.Count(log, "[redacted:"); n < len(o.secrets) {
		t.Errorf("%d marks in the history of %d secrets: were they planted?", n, len(o.secrets))
	}
	o.wantNone("git log -p --all", log)
	o.wantNone("the tree", o.git(o.root, nil, "ls-files", "-z"))
	o.checkTerms()
}

// checkShown asks for the planted texts and shows the citations: for transcripts, which are read again for each
// citation, one in four, and in the nightly run all.
func (o *orchard) checkShown() {
	o.t.Helper()
	ids := map[string]bool{}
	lines := 0
	var out strings.Builder
	for n, q := range []string{"open the orchard gate", "who worked on gates?", "why did we open gate batch?",
		"what was I doing?", "what did we do in January 2024?"} {
		for _, layer := range []string{"", "rules", "memory", "summaries", "transcripts", "team"} {
			if n > 0 && layer != "" && !isNightly() {
				continue
			}
			a := o.ask(o.repo.dir, q, gitmem.Filter{Layer: layer, Limit: 30})
			r := o.search(o.repo.dir, q, gitmem.Filter{Layer: layer, Limit: 200})
			out.WriteString(asJSON(o.t, a) + strings.Join(a.Trail, "\n") + asJSON(o.t, r))
			for _, h := range r.Hits {
				ids[h.ID] = true
			}
		}
	}
	if len(ids) < 200 {
		o.t.Errorf("%d hits only: the check is weak", len(ids))
	}
	o.with(o.repo.dir, func(m *gitmem.Memory) error {
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			if strings.HasPrefix(id, "transcript:") {
				if lines++; lines%4 != 1 && !isNightly() {
					continue
				}
			}
			s, err := m.Shown(o.t.Context(), id, gitmem.ShowOptions{})
			if err != nil {
				o.t.Errorf("show %s: %v", id, err)
			}
			out.WriteString(asJSON(o.t, s))
		}
		return nil
	})
	o.wantNone("what is shown", strings.ReplaceAll(out.String(), `\n`, "\n"))
	o.wantNone("a notice", strings.Join(o.warned, "\n"))
}

// checkTerms searches the index: its files, and the words in its dictionaries, which the files contain in packed form.
func (o *orchard) checkTerms() {
	o.t.Helper()
	dir := o.status(o.repo.dir).IndexDir
	for name, text := range filesBelow(o.t, dir) {
		o.wantNone("index file "+name, text)
	}
	words := map[string]bool{}
	stores, err := filepath.Glob(filepath.Join(dir, "shards", "*", "g*", "bleve", "*.zap"))
	if err != nil || len(stores) < 4 {
		o.t.Fatalf("%d indexes, %v", len(stores), err)
	}
	for _, s := range stores {
		if err := dictionary(s, words); err != nil {
			o.t.Fatal(err)
		}
	}
	if !words["orchard"] {
		o.t.Error("no word of the texts is in the dictionaries: the check is weak")
	}
	for _, s := range o.secrets {
		for _, term := range index.Terms(s.Value) {
			if telling(term) && words[term] {
				o.t.Errorf("%s/%s: the index knows %d letters of it as a word", s.Kind, s.Form, len(term))
			}
		}
	}
}

// telling reports whether a word can only come from a secret.
func telling(term string) bool { return len(term) >= 10 && strings.ContainsAny(term, "0123456789") }
