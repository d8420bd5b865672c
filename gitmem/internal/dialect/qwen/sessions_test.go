package qwen

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// write writes a file below a folder and returns its path.
func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestSessions(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{".qwen", "other", "run"} {
		root := filepath.Join(home, dir)
		for _, name := range []string{
			"chats/s-1.jsonl", "chats/s-1.runtime.json", "chats/s-1.ledger.jsonl", "chats/archive/s-2.jsonl",
			"subagents/s-1/agent-x_1.jsonl", "subagents/s-1/agent-x_1.meta.json", "subagents/s-1/agent-a.b.jsonl",
			"subagents/file", "memory/MEMORY.md",
		} {
			write(t, root, "projects/-home-ada/"+name, "{}\n")
		}
		write(t, root, "projects/file", "")
	}
	for _, c := range []struct {
		env map[string]string
		dir string
	}{
		{nil, ".qwen"},
		{map[string]string{"QWEN_HOME": filepath.Join(home, "other")}, "other"},
		{map[string]string{"QWEN_HOME": filepath.Join(home, "other"), "QWEN_RUNTIME_DIR": "~/run"}, "run"},
	} {
		sessions, errs := Sessions(home, func(name string) string { return c.env[name] })
		if len(errs) > 0 {
			t.Error(errs)
		}
		var got []string
		for _, s := range sessions {
			if s.Size != 3 || s.MtimeNs == 0 {
				t.Errorf("%+v", s)
			}
			name, err := filepath.Rel(filepath.Join(home, c.dir, "projects"), s.Source)
			if err != nil {
				t.Error(err)
			}
			got = append(got, fmt.Sprint(filepath.ToSlash(name), " ", s.ID, " ", s.Agent))
		}
		want := []string{
			"-home-ada/chats/s-1.jsonl s-1 ",
			"-home-ada/chats/archive/s-2.jsonl s-2 ",
			"-home-ada/subagents/s-1/agent-x_1.jsonl s-1 x_1",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSessionsOfNoStore(t *testing.T) {
	if sessions, errs := Sessions(t.TempDir(), func(string) string { return "" }); len(sessions) > 0 || len(errs) > 0 {
		t.Errorf("%v, %v", sessions, errs)
	}
}

func TestRecordsOfUnknownFormat(t *testing.T) {
	for _, text := range []string{"{\"role\":\"user\"}\n", "hello\n", "[]\n"} {
		_, err := Records(dialect.Session{Source: write(t, t.TempDir(), "s.jsonl", text), ID: "s"})
		if !errors.Is(err, dialect.ErrUnknownFormat) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzRecords(f *testing.F) {
	files, err := filepath.Glob("testdata/.qwen/projects/*/*/*.jsonl")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for part := range bytes.Lines(b) {
			f.Add(part)
		}
	}
	f.Add([]byte(`{"uuid":"1","parentUuid":"1","type":"system"}` + "\n" + `{"uuid":"2","parentUuid":"1","type":"user"}`))
	f.Fuzz(func(t *testing.T, lines []byte) {
		for _, agent := range []string{"", "a"} {
			s := dialect.Session{Source: write(t, t.TempDir(), "s.jsonl", string(lines)), ID: "s", Agent: agent}
			records, err := Records(s)
			if err != nil {
				continue
			}
			if _, err := dialect.Encode(s, records); err != nil {
				t.Error(err)
			}
		}
	})
}

func BenchmarkSessions(b *testing.B) {
	home := b.TempDir()
	for i := range 2000 {
		write(b, home, fmt.Sprintf(".qwen/projects/p%d/chats/s%d.jsonl", i%20, i), "{}\n")
	}
	for b.Loop() {
		if got, _ := Sessions(home, func(string) string { return "" }); len(got) != 2000 {
			b.Fatal(len(got))
		}
	}
}
