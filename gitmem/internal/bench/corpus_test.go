package bench_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/bench"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// write makes a corpus in a folder of its own.
func write(t *testing.T, c bench.Corpus) (string, bench.Written) {
	t.Helper()
	dir := t.TempDir()
	w, err := c.Write(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, w
}

// sum is a hash of all files below a folder with their names.
func sum(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintf(h, "%s %d\n", filepath.ToSlash(rel), len(b))
		h.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func TestCorpusIsAFunctionOfItsNumbers(t *testing.T) {
	t.Parallel()
	small := bench.Corpus{Messages: 2000, Sessions: 20, Seed: 1}
	a, _ := write(t, small)
	b, _ := write(t, small)
	other := small
	other.Seed = 2
	c, _ := write(t, other)
	if sum(t, a) != sum(t, b) {
		t.Error("the same numbers gave different files")
	}
	if sum(t, a) == sum(t, c) {
		t.Error("two seeds gave the same files")
	}
}

// read returns what a reader of transcripts finds in a corpus.
func read(t *testing.T, dir string) (msgs []transcript.Message, files int) {
	t.Helper()
	found, errs := transcript.Files(dir)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, f := range found {
		in, err := os.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		r := transcript.NewReader(in, transcript.Position{})
		for m, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			if m.Session != f.Session || transcript.Munge(m.Cwd) != f.Folder {
				t.Errorf("%s: message of session %s in %s", f.Path, m.Session, m.Cwd)
			}
			msgs = append(msgs, m)
		}
		st := r.Stats()
		if len(st.Skipped) > 0 || len(st.Unknown) > 0 || st.Torn || st.Injected > 0 {
			t.Errorf("%s: not everything was understood: %+v", f.Path, st)
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return msgs, len(found)
}

// body is the text of a message, of whatever kind.
func body(m transcript.Message) string {
	b := m.Text + m.Thinking
	for _, u := range m.Tools {
		b += string(u.Input)
	}
	for _, r := range m.Results {
		b += r.Text
	}
	return b
}

func TestCorpusIsReadWhole(t *testing.T) {
	t.Parallel()
	const messages, sessions = 6000, 40
	dir, w := write(t, bench.Corpus{Messages: messages, Sessions: sessions, Seed: 1})
	msgs, files := read(t, dir)
	if len(msgs) != messages || files != sessions || w.Messages != messages || w.Sessions != sessions {
		t.Fatalf("%d messages in %d files, told %+v; want %d in %d", len(msgs), files, w, messages, sessions)
	}
	texts, long, secrets := int64(0), 0, 0
	kinds := map[string]int{}
	ids := map[string]bool{}
	redactor := redact.New()
	for _, m := range msgs {
		b := body(m)
		if strings.TrimSpace(b) == "" {
			t.Fatalf("line %d of %s says nothing", m.Line, m.Session)
		}
		texts += int64(len(b))
		ids[m.UUID] = true
		kinds[kind(m)]++
		if len(b) >= 4000 {
			long++
		}
		if clean, _ := redactor.Text(b); clean != b {
			secrets++
		}
	}
	if texts != w.Texts {
		t.Errorf("%d bytes of text were told, %d are there", w.Texts, texts)
	}
	between(t, "bytes a message", float64(texts)/messages, 360, 440)
	between(t, "share of long messages", float64(long)/messages, 0.008, 0.014)
	between(t, "share taken for secrets", float64(secrets)/messages, 0, 0.001)
	for k, least := range map[string]float64{"prompt": 0.05, "text": 0.15, "thinking": 0.05, "tool": 0.2, "result": 0.2} {
		between(t, "share of "+k, float64(kinds[k])/messages, least, 0.4)
	}
	if len(ids) != messages {
		t.Errorf("%d different ids of %d messages", len(ids), messages)
	}
}

func between(t *testing.T, what string, got, from, to float64) {
	t.Helper()
	if got < from || got > to {
		t.Errorf("%s: %.4f, want %v to %v", what, got, from, to)
	}
}

func kind(m transcript.Message) string {
	switch {
	case m.Prompt:
		return "prompt"
	case m.Thinking != "":
		return "thinking"
	case len(m.Tools) > 0:
		return "tool"
	case len(m.Results) > 0:
		return "result"
	}
	return "text"
}

// The number of different words must grow with the text, slower than the text.
func TestVocabularyGrows(t *testing.T) {
	t.Parallel()
	dir, _ := write(t, bench.Corpus{Messages: 8000, Sessions: 40, Seed: 1})
	msgs, _ := read(t, dir)
	seen := map[string]bool{}
	var at []int
	for i, m := range msgs {
		for w := range strings.FieldsSeq(strings.ToLower(body(m))) {
			seen[w] = true
		}
		if i+1 == 2000 || i+1 == 4000 || i+1 == 8000 {
			at = append(at, len(seen))
		}
	}
	for i := 1; i < len(at); i++ {
		between(t, "growth of the vocabulary when the text doubles", float64(at[i])/float64(at[i-1]), 1.4, 1.9)
	}
}

func TestCorpusRefusesTooFewMessages(t *testing.T) {
	t.Parallel()
	_, err := bench.Corpus{Messages: 3, Sessions: 4}.Write(t.Context(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "each session needs one") {
		t.Errorf("error %v, want one about sessions", err)
	}
}

func TestEverySessionHasAMessage(t *testing.T) {
	t.Parallel()
	dir, _ := write(t, bench.Corpus{Messages: 50, Sessions: 40, Seed: 3})
	per := map[string]int{}
	msgs, _ := read(t, dir)
	for _, m := range msgs {
		per[m.Session]++
	}
	if len(per) != 40 || len(msgs) != 50 {
		t.Errorf("%d messages in %d sessions: %s", len(msgs), len(per), cmp.Diff(40, len(per)))
	}
}

func TestMessagesAreWhole(t *testing.T) {
	t.Parallel()
	dir, w := write(t, bench.Corpus{Messages: 700, Sessions: 7, Seed: 1})
	n, bytes := 0, 0
	ids := map[string]bool{}
	for d, err := range bench.Messages(dir) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		bytes += len(d.Text)
		ids[d.ID] = true
	}
	if n != w.Messages || len(ids) != n {
		t.Errorf("%d messages with %d ids, want %d", n, len(ids), w.Messages)
	}
	between(t, "share of the text", float64(bytes)/float64(w.Texts), 0.95, 1)
}
