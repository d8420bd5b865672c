package transcript_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
)

// A folder is read from the system in parts: no entry may be lost, repeated, or out of path order, in which a session's
// folder follows its file.
func TestFilesOfALargeFolder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var want []string
	write := func(elem ...string) {
		file := filepath.Join(append([]string{root, "projects"}, elem...)...)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		want = append(want, file)
	}
	for i := range 600 { // some 70 bytes each in parts of 16 KB
		id := fmt.Sprintf("%08x-0000-4000-8000-%012d", uint32(i)*2654435761, i)
		write("-home-a", id+".jsonl")
		if i%50 == 0 {
			write("-home-a", id, "subagents", "agent-b.jsonl")
			write("-home-a", id, "subagents", "agent-a.jsonl")
			write("-home-a", id+"-more.jsonl")
		}
	}
	write("-home-a-b", "s.jsonl") // sorts before files below -home-a, like its path
	slices.Sort(want)
	files, errs := transcript.Files(root)
	var got []string
	for i := range files {
		got = append(got, files[i].Path)
		if stem := strings.TrimSuffix(filepath.Base(files[i].Path), ".jsonl"); !files[i].Subagent &&
			files[i].Session != stem {
			t.Errorf("%s is said to be of session %s", files[i].Path, files[i].Session)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || errs != nil {
		t.Errorf("%v\n%s", errs, diff)
	}
}
