package gitmem_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/gitmem/internal/embed/embedtest"
)

// embedder is a server that treats two groups of words as equal.
type embedder struct {
	*httptest.Server
	mu    sync.Mutex
	texts []string
	dim   int
	down  bool
}

func newEmbedder(t *testing.T) *embedder {
	t.Helper()
	e := &embedder{dim: 3}
	e.Server = httptest.NewServer(http.HandlerFunc(e.serve))
	t.Cleanup(e.Close)
	return e
}

func (e *embedder) serve(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var asked struct{ Input []string }
	if e.down || json.NewDecoder(r.Body).Decode(&asked) != nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	var data []string
	for i, text := range asked.Input {
		v := make([]float64, e.dim)
		for _, word := range strings.Fields(strings.ToLower(text)) {
			switch {
			case slices.Contains([]string{"login", "credentials", "token", "authentication"}, word):
				v[0]++
			case slices.Contains([]string{"pump", "motor"}, word):
				v[1]++
			}
		}
		v[2] = 0.1
		b, _ := json.Marshal(v)
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, b))
	}
	e.texts = append(e.texts, asked.Input...)
	fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
}

// sent returns the texts received since its last call.
func (e *embedder) sent() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.texts
	e.texts = nil
	return out
}

func semantic(r gitmem.Results) (s gitmem.Strategy, titles string) {
	for _, x := range r.Strategies {
		if x.Name == "semantic" {
			s = x
		}
	}
	for _, h := range r.Hits {
		titles += h.Title + " " + h.Excerpt + "\n"
	}
	return s, titles
}

// A server embeds new texts within a question, once, and its failures only cost its own part.
func TestSemanticServer(t *testing.T) {
	t.Parallel()
	l, e := newLab(t), newEmbedder(t)
	dir := filepath.Join(l.base, "pump")
	l.mkdir(dir)
	config := "embed:\n  endpoint: " + e.URL + "\n  model: m\n"
	l.note(dir, "The login lasts for a day")
	l.note(dir, "The motor turns left; password: hunter2hunter2")
	l.search(dir, "login", gitmem.Filter{}) // indexed before a model was selected
	l.write(filepath.Join(l.root, "gitmem", "local.yaml"), config)
	if r := l.search(dir, "authentication", gitmem.Filter{}); len(r.Hits) > 0 ||
		!strings.Contains(strings.Join(r.Caveats, " "), "not embedded yet") {
		t.Errorf("before texts were sent: %+v", r)
	}
	var done []gitmem.Embedded
	l.with(dir, func(m *gitmem.Memory) (err error) { done, err = m.Indexes().Embed(t.Context()); return err })
	total := 0
	for _, d := range done {
		total += d.Embedded
		if d.Embedded != d.Texts {
			t.Errorf("embedded: %+v", d)
		}
	}
	if sent := strings.Join(e.sent(), "\n"); total < 1 || strings.Contains(sent, "hunter2") ||
		!strings.Contains(sent, "login lasts") {
		t.Errorf("%d texts, sent: %s", total, sent)
	}
	if told := strings.Join(l.warned, "\n"); strings.Contains(told, "sent to") {
		t.Errorf("told of texts that stay on this machine: %s", told)
	}
	r := l.search(dir, "authentication", gitmem.Filter{})
	if s, hits := semantic(r); !s.OK || !strings.Contains(hits, "login lasts") || len(r.Caveats) > 0 {
		t.Errorf("found %+v, %s, %v", s, hits, r.Caveats)
	}
	if sent := e.sent(); len(sent) != 1 {
		t.Errorf("one question sent %q", sent)
	}
	l.note(dir, "Credentials are kept in a vault")
	_, hits := semantic(l.search(dir, "authentication", gitmem.Filter{}))
	if sent := e.sent(); !strings.Contains(strings.Join(sent, " "), "vault") || !strings.Contains(hits, "login") ||
		len(sent) > 3 {
		t.Errorf("a new note: found %s, sent %q", hits, sent)
	}
	e.dim = 4
	if s, hits := semantic(l.search(dir, "login", gitmem.Filter{})); s.OK || !strings.Contains(s.Error, "dimensions") ||
		!strings.Contains(hits, "login lasts") {
		t.Errorf("other dimensions: %+v, %s", s, hits)
	}
	e.down = true
	r = l.search(dir, "login", gitmem.Filter{})
	if s, hits := semantic(r); s.OK || !strings.Contains(s.Error, "404") || !strings.Contains(hits, "login lasts") ||
		!strings.Contains(strings.Join(r.Caveats, " "), "404") {
		t.Errorf("down: %+v, %s, %v", s, hits, r.Caveats)
	}
}

// A model's hypothetical answer is also searched by meaning, and only yields similar records.
func TestSemanticPassage(t *testing.T) {
	t.Parallel()
	l, e := newLab(t), newEmbedder(t)
	dir := filepath.Join(l.base, "pump")
	l.mkdir(dir)
	l.write(filepath.Join(l.root, "gitmem", "local.yaml"), "agent: {backend: claude, hyde: on}\nembed:\n  endpoint: "+
		e.URL+"\n  model: m\n")
	l.note(dir, "The login lasts for a day")
	l.note(dir, "The motor turns left")
	l.with(dir, func(m *gitmem.Memory) error { _, err := m.Indexes().Embed(t.Context()); return err })
	guess := func(context.Context, string) (string, error) { return "credentials authentication", nil }
	for name, f := range map[string]gitmem.Filter{"without": {}, "with": {Passage: guess}} {
		a := l.ask(dir, "how is the gate opened by people?", f)
		found := slices.ContainsFunc(a.Citations, func(c gitmem.Citation) bool {
			return strings.Contains(c.Excerpt, "login lasts")
		})
		if found != (f.Passage != nil) || a.Confidence != gitmem.None {
			t.Errorf("%s a passage: %+v", name, a)
		}
	}
	if sent := strings.Join(e.sent(), "\n"); !strings.Contains(sent, "credentials authentication") {
		t.Errorf("sent: %s", sent)
	}
}

// oneModel installs and selects a static model that treats some words as equal.
func oneModel(t *testing.T, l *lab, dir string) {
	t.Helper()
	made := filepath.Join(l.base, "made")
	err := embedtest.Model{
		Vocab: []string{"a", "login", "credentials", "authentication", "pump", "motor"}, Dim: 48, Seed: 5,
		Alike: [][]string{{"login", "credentials", "authentication"}, {"pump", "motor"}},
	}.Write(made)
	if err != nil {
		t.Fatal(err)
	}
	l.with(dir, func(m *gitmem.Memory) error {
		if _, err := m.Models().Import(t.Context(), made, "tiny"); err != nil {
			return err
		}
		return m.Models().Use(t.Context(), "tiny")
	})
}

// Ideas of sessions have vectors like all memory, from their own words and those of their topic.
func TestIdeasByMeaning(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := filepath.Join(l.base, "pump")
	l.mkdir(dir)
	log := l.observe(dir, gitmem.Observation{Session: "s1", Tool: "Bash", Input: "ls", OK: true})
	project, _, _ := strings.Cut(filepath.ToSlash(log), "/observations/")
	l.write(filepath.Join(project, "sessions", "2025", "2025-03-09.md"),
		"---\nformat: 1\nkind: sessions\ndate: 2025-03-09\n---\n\n## The gate ^s-11111111\n\n"+
			"### Doors (L1–L4) ^t-11111111-1\n\n- [decision] The login lasts for a day ^i-aaaaaaaaaa\n\n"+
			"### Credentials (L5–L9) ^t-11111111-2\n\n- [decision] It is blue ^i-bbbbbbbbbb\n")
	oneModel(t, l, dir)
	var ids []string
	for _, h := range l.search(dir, "authentication", gitmem.Filter{}).Hits {
		ids = append(ids, h.ID)
	}
	for _, id := range []string{"idea:i-aaaaaaaaaa", "idea:i-bbbbbbbbbb"} {
		if !slices.Contains(ids, id) {
			t.Errorf("%s is not among %v", id, ids)
		}
	}
}

func vectorsBelow(t *testing.T, l *lab) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, b := range filesBelow(t, filepath.Join(l.root, "gitmem", ".index", "vectors")) {
		if !strings.HasSuffix(name, ".lock") {
			out[name] = b
		}
	}
	return out
}

// Forgotten text leaves no vector, and the others come back.
func TestForgetVectors(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := filepath.Join(l.base, "pump")
	l.mkdir(dir)
	l.note(dir, "The login lasts for a day")
	l.note(dir, "The motor turns left")
	oneModel(t, l, dir)
	l.search(dir, "authentication", gitmem.Filter{})
	var before []byte
	for _, b := range vectorsBelow(t, l) {
		before = []byte(b)
	}
	if len(before) < 72 {
		t.Fatalf("%d bytes of vectors were kept", len(before))
	}
	key := string(before[64:72])
	l.forget(dir, false, "login lasts")
	if _, hits := semantic(l.search(dir, "authentication", gitmem.Filter{})); strings.Contains(hits, "login") {
		t.Errorf("forgotten and found: %s", hits)
	}
	for name, after := range vectorsBelow(t, l) {
		if strings.Contains(after, key) {
			t.Errorf("%s still has the vector", name)
		}
	}
	if _, hits := semantic(l.search(dir, "pump", gitmem.Filter{})); !strings.Contains(hits, "motor") {
		t.Errorf("what stays is not found: %s", hits)
	}
}

// A rebuilt index and one of the past use the existing vectors.
func TestVectorsOutliveIndexes(t *testing.T) {
	t.Parallel()
	l, e := newLab(t), newEmbedder(t)
	dir := filepath.Join(l.base, "pump")
	l.mkdir(dir)
	l.note(dir, "The login lasts for a day")
	l.write(filepath.Join(l.root, "gitmem", "local.yaml"), "embed: {endpoint: '"+e.URL+"', model: m}\n")
	l.with(dir, func(m *gitmem.Memory) error { _, err := m.Indexes().Embed(t.Context()); return err })
	e.sent()
	l.with(dir, func(m *gitmem.Memory) error { _, err := m.Indexes().Rebuild(t.Context()); return err })
	if sent := e.sent(); len(sent) > 0 {
		t.Errorf("a rebuild sent %q", sent)
	}
	if _, hits := semantic(l.search(dir, "authentication", gitmem.Filter{AsOf: "2025-03-10"})); !strings.Contains(hits,
		"login lasts") {
		t.Errorf("of the past is found: %s", hits)
	}
	if err := os.RemoveAll(filepath.Join(l.root, "gitmem", ".index", "vectors")); err != nil {
		t.Fatal(err)
	}
	if r := l.search(dir, "authentication", gitmem.Filter{}); len(r.Hits) > 0 ||
		!strings.Contains(strings.Join(r.Caveats, " "), "semantic: ") {
		t.Errorf("without vectors: %v", r.Caveats)
	}
}

// A key that other programs use is only sent to its own host, and a project's files configure nothing.
func TestSemanticStaysOff(t *testing.T) {
	t.Parallel()
	l, e := newLab(t), newEmbedder(t)
	dir := filepath.Join(l.base, "pump")
	l.write(filepath.Join(dir, ".claude", "gitmem", "local.yaml"), "embed: {endpoint: '"+e.URL+"', model: m}\n")
	l.write(filepath.Join(dir, "local.yaml"), "embed: {endpoint: '"+e.URL+"', model: m}\n")
	l.note(dir, "The login lasts for a day")
	r := l.search(dir, "login", gitmem.Filter{})
	if s, _ := semantic(r); s.Name != "" || len(e.sent()) > 0 || len(r.Hits) == 0 {
		t.Errorf("strategies %+v", r.Strategies)
	}
	if len(vectorsBelow(t, l)) > 0 {
		t.Error("vectors were kept")
	}
}
