package transcript_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, p := range []string{
		"-home-b/s1.jsonl", "-home-b/s1/subagents/agent-a1.jsonl", "-home-b/s1/subagents/agent-a1.meta.json",
		"-home-b/s1/tool-results/x.jsonl",
		"-home-a/s2.jsonl", "-home-a/agent-old.jsonl", "-home-a/memory/MEMORY.md", "-home-a/sessions-index.json",
		"-home-a/b.ad id.jsonl", "stray.jsonl",
	} {
		path := filepath.Join(root, "projects", filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, errs := transcript.Files(root)
	var got []string
	for _, f := range files {
		rel, _ := filepath.Rel(root, f.Path)
		sub := ""
		if f.Subagent {
			sub = " sub"
		}
		got = append(got, strings.Join([]string{filepath.ToSlash(rel), f.Folder, f.Session, f.Agent}, " ")+sub)
		if f.Stat.Size != 3 {
			t.Errorf("%s: size %d", rel, f.Stat.Size)
		}
	}
	want := []string{
		"projects/-home-a/agent-old.jsonl -home-a  old sub",
		"projects/-home-a/s2.jsonl -home-a s2 ",
		"projects/-home-b/s1.jsonl -home-b s1 ",
		"projects/-home-b/s1/subagents/agent-a1.jsonl -home-b s1 a1 sub",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "b.ad id.jsonl") {
		t.Errorf("errors %v", errs)
	}
}

func TestFilesOfNothing(t *testing.T) {
	t.Parallel()
	if files, errs := transcript.Files(filepath.Join(t.TempDir(), "none")); files != nil || errs != nil {
		t.Errorf("%v %v", files, errs)
	}
}

func TestMunge(t *testing.T) {
	t.Parallel()
	long := "/" + strings.Repeat("a", 199)
	for in, want := range map[string]string{
		"/home/dev/my.proj_1": "-home-dev-my-proj-1",
		`C:\Users\dev`:        "C--Users-dev",
		"/É日":                 "---",
		"/😀":                  "---", // two UTF-16 units
		"":                    "",
		long:                  "-" + strings.Repeat("a", 199),
		// Hashes computed independently, by the rule h = 31·h + unit in 32 bits.
		long + "b":                      "-" + strings.Repeat("a", 199) + "-b6ymvk",
		"/" + strings.Repeat("日😀", 100): strings.Repeat("-", 200) + "-icnnov",
	} {
		if got := transcript.ProjectFolder(in); got != want {
			t.Errorf("Munge(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestValidSessionID(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"3f2a91c4-0000-4000-8000-000000000001", "a", "A_b-9", strings.Repeat("x", 128)} {
		if !transcript.ValidSessionID(s) {
			t.Errorf("%q was refused", s)
		}
	}
	for _, s := range []string{"", ".", "..", "../x", "a/b", `a\b`, "a b", "a.b", "é", "a\x00", "a\n",
		strings.Repeat("x", 129)} {
		if transcript.ValidSessionID(s) {
			t.Errorf("%q was accepted", s)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, p := range []string{"a/s1.jsonl", "b/s2.jsonl", "b/s2/subagents/agent-x.jsonl", "b/agent-old.jsonl",
		"b/s3/subagents/s4.jsonl"} {
		path := filepath.Join(root, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"s1": "a/s1.jsonl", "s2": "b/s2.jsonl", "agent-x": "b/s2/subagents/agent-x.jsonl", "agent-old": "b/agent-old.jsonl",
		"s4": "", "agent-y": "", "subagents": "",
	} {
		if want != "" {
			want = filepath.Join(root, filepath.FromSlash(want))
		}
		if got := transcript.Find(root, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := transcript.Find(filepath.Join(root, "none"), "s1"); got != "" {
		t.Errorf("found %q in no folder", got)
	}
}
