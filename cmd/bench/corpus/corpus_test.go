package corpus_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// write writes a corpus to a new folder.
func write(t *testing.T, c corpus.Corpus) (string, corpus.Written) {
	t.Helper()
	dir := t.TempDir()
	w, err := c.Write(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, w
}

// sum returns a hash of all files below a folder and their names.
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
	small := corpus.Corpus{Size: 2000, Sessions: 20, Seed: 1}
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

// TestWhatIsWrittenIsWhatIsTold compares the transcripts with Messages.
func TestWhatIsWrittenIsWhatIsTold(t *testing.T) {
	t.Parallel()
	const messages, sessions = 6000, 40
	c := corpus.Corpus{Size: messages, Sessions: sessions, Seed: 1}
	dir, w := write(t, c)
	files, _ := filepath.Glob(filepath.Join(dir, "projects", "*", "*.jsonl"))
	if len(files) != sessions || w.Messages != messages || w.Sessions != sessions {
		t.Fatalf("%d files, told %+v", len(files), w)
	}
	lines := map[string]int{} // with messages, by session
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var r struct {
				Type, SessionID, Cwd string
				Message              *json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if r.SessionID+".jsonl" != filepath.Base(name) || corpus.Munge(r.Cwd) != filepath.Base(filepath.Dir(name)) {
				t.Fatalf("%s: a record of session %s in %s", name, r.SessionID, r.Cwd)
			}
			if r.Message != nil {
				lines[r.SessionID]++
			}
		}
	}
	said, kinds, ids := map[string]int{}, map[string]int{}, map[string]bool{}
	bytes, long := 0, 0
	for m := range c.Messages() {
		said[m.Session]++
		kinds[m.Kind]++
		ids[m.ID] = true
		bytes += len(m.Text)
		if len(m.Text) >= 4000 {
			long++
		}
		if strings.TrimSpace(m.Text) == "" {
			t.Errorf("%s says nothing", m.ID)
		}
	}
	for session, n := range said {
		if lines[session] != n {
			t.Errorf("session %s: %d messages are written, %d told", session, lines[session], n)
		}
	}
	if len(ids) != messages || len(said) != sessions {
		t.Errorf("%d ids in %d sessions", len(ids), len(said))
	}
	between(t, "bytes a message", float64(w.Texts)/messages, 360, 440)
	between(t, "share of the text", float64(bytes)/float64(w.Texts), 0.95, 1)
	between(t, "share of long messages", float64(long)/messages, 0.008, 0.014)
	for k, least := range map[string]float64{"prompt": 0.05, "text": 0.15, "thinking": 0.05, "tool": 0.2, "result": 0.2} {
		between(t, "share of "+k, float64(kinds[k])/messages, least, 0.4)
	}
}

func between(t *testing.T, what string, got, from, to float64) {
	t.Helper()
	if got < from || got > to {
		t.Errorf("%s: %.4f, want %v to %v", what, got, from, to)
	}
}

// The number of different words must grow with the text, but slower than the text.
func TestVocabularyGrows(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	var at []int
	i := 0
	for m := range (corpus.Corpus{Size: 8000, Sessions: 40, Seed: 1}).Messages() {
		for w := range strings.FieldsSeq(strings.ToLower(m.Text)) {
			seen[w] = true
		}
		if i++; i == 2000 || i == 4000 || i == 8000 {
			at = append(at, len(seen))
		}
	}
	for i := 1; i < len(at); i++ {
		between(t, "growth of the vocabulary when the text doubles", float64(at[i])/float64(at[i-1]), 1.4, 1.95)
	}
}

func TestCorpusRefusesTooFewMessages(t *testing.T) {
	t.Parallel()
	_, err := corpus.Corpus{Size: 3, Sessions: 4}.Write(t.Context(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "each session needs one") {
		t.Errorf("error %v, want one about sessions", err)
	}
}

func TestEverySessionHasAMessage(t *testing.T) {
	t.Parallel()
	per, n := map[string]int{}, 0
	for m := range (corpus.Corpus{Size: 50, Sessions: 40, Seed: 3}).Messages() {
		per[m.Session]++
		n++
	}
	if len(per) != 40 || n != 50 {
		t.Errorf("%d messages in %d sessions", n, len(per))
	}
}
