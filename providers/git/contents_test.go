package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
	"github.com/gitmem/gitmem/providers/providertest"
	"github.com/google/go-cmp/cmp"
)

// gitNumstat returns git's changed lines of every commit: "hash path" to "added removed". Binary files are
// not counted.
func gitNumstat(tb testing.TB, dir string, args ...string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	hash := ""
	args = append([]string{"-c", "core.quotePath=false", "log", "--no-renames", "--numstat", "--format=%x01%H"}, args...)
	for line := range strings.Lines(runIn(tb, dir, "", args...)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "\x01"); ok {
			hash = rest
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) == 3 {
			out[hash+" "+fields[2]] = strings.ReplaceAll(fields[0]+" "+fields[1], "-", "0")
		}
	}
	return out
}

// TestSubstanceEqualsGit compares the counts of a random history with git's. A renamed file counts once here
// and twice in git.
func TestSubstanceEqualsGit(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	runIn(t, dir, randomHistory(11, 150, false), "fast-import", "--quiet", "--force")
	want := gitNumstat(t, dir, "--all")
	tips := strings.Fields(run(t, dir, "for-each-ref", "--format=%(objectname)"))
	n := 0
	for _, c := range walk(t, open(t, dir), git.WalkOptions{DiffTerms: true}, tips...) {
		if len(c.Parents) > 1 {
			if c.DiffTerms != nil || c.Changes != nil {
				t.Errorf("merge %s has diff terms", c.Hash)
			}
			continue
		}
		if len(c.DiffTerms.Files) != len(c.Changes) {
			t.Fatalf("%s: %d files for %d changes", c.Hash, len(c.DiffTerms.Files), len(c.Changes))
		}
		renamed := map[string]bool{}
		for _, f := range c.DiffTerms.Files {
			if f.From != "" {
				renamed[f.Path], renamed[f.From] = true, true
			}
		}
		for i, f := range c.DiffTerms.Files {
			if f.Path != c.Changes[i].Path {
				t.Fatalf("%s: file %d is %q, the change %q", c.Hash, i, f.Path, c.Changes[i].Path)
			}
			n++
			got := fmt.Sprint(f.Added, " ", f.Removed)
			if !renamed[f.Path] && got != want[c.Hash+" "+f.Path] {
				t.Errorf("%s %s: %s, git says %s", c.Hash, f.Path, got, want[c.Hash+" "+f.Path])
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d files were compared", n)
	}
}

func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		b.WriteString("line " + strconv.Itoa(i) + "\n")
	}
	return b.String()
}

func TestSubstanceFollowsRenames(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	for name, text := range map[string]string{"a/same.go": numbered(0, 9), "a/near.go": numbered(100, 120),
		"a/far.go": numbered(200, 220), "empty": "", "a/x.md": numbered(300, 340)} {
		writeFile(t, dir, name, text)
	}
	run(t, dir, "add", ".")
	commit(t, dir, "Start", 0)
	run(t, dir, "rm", "-q", "-r", "a", "empty")
	for name, text := range map[string]string{"b/same.go": numbered(0, 9), "b/near.go": numbered(100, 118) + "new\n",
		"b/other.go": numbered(0, 3) + numbered(200, 205), "empty2": "", "b/x.md": numbered(300, 345)} {
		writeFile(t, dir, name, text)
	}
	run(t, dir, "add", ".")
	id := commit(t, dir, "Move", 1)
	s, err := open(t, dir).Substance(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	want := []providers.FileChange{
		{Path: "a/far.go", Removed: 20}, {Path: "a/near.go"}, {Path: "a/same.go"}, {Path: "a/x.md"},
		{Path: "b/near.go", From: "a/near.go", Added: 1, Removed: 2}, {Path: "b/other.go", Added: 8},
		{Path: "b/same.go", From: "a/same.go"}, {Path: "b/x.md", From: "a/x.md", Added: 5},
		{Path: "empty"}, {Path: "empty2"},
	}
	if diff := cmp.Diff(want, s.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if want := "renames a/ → b/ (3 files); adds b/other.go, empty2; removes a/far.go, empty; changes b/x.md +5 −0, " +
		"b/near.go +1 −2"; s.Summary != want {
		t.Errorf("gist %q,\nwant %q", s.Summary, want)
	}
}

func TestSubstanceOfOddContent(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	writeFile(t, dir, "bin", "a\x00b")
	writeFile(t, dir, "large.txt", strings.Repeat("0123456789abcde\n", 1<<16+1))
	writeFile(t, dir, "text.txt", "some text\n")
	run(t, dir, "add", ".")
	id := commit(t, dir, "Start", 0)
	run(t, dir, "update-index", "--chmod=+x", "text.txt")
	mode := commit(t, dir, "Let it run", 1)
	r := open(t, dir)
	s, err := r.Substance(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	want := []providers.FileChange{{Path: "bin"}, {Path: "large.txt"}, {Path: "text.txt", Added: 1}}
	if diff := cmp.Diff(want, s.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if s, err = r.Substance(t.Context(), mode); err != nil || s.Summary != "changes text.txt (mode)" {
		t.Errorf("a change of mode gives %+v, %v", s, err)
	}
}

// TestSubstanceNeedsContent removes contents: the names of changed files remain, without details, and in a
// partial clone this is reported once.
func TestSubstanceNeedsContent(t *testing.T) {
	t.Parallel()
	origin := sample(t)
	run(t, origin, "config", "uploadpack.allowFilter", "true")
	dir := filepath.Join(tempDir(t), "partial")
	run(t, origin, "clone", "-q", "--bare", "--filter=blob:none", "file://"+filepath.ToSlash(origin), dir)
	damaged := sample(t)
	blob := run(t, damaged, "rev-parse", "HEAD:README.md")
	if err := os.Remove(looseObject(filepath.Join(damaged, ".git"), blob)); err != nil {
		t.Fatal(err)
	}
	for where, want := range map[string]struct{ without, skipped int }{dir: {4, 1}, damaged: {1, 1}} {
		r := open(t, where)
		items, _, err := fetch(t, git.NewSource(r).WithDiffTerms(nil), providers.Cursor{})
		if err != nil || len(items) != 4 {
			t.Fatalf("Fetch = %d items, %v", len(items), err)
		}
		without := 0
		for _, it := range items {
			if len(it.Paths) == 0 {
				t.Errorf("%s lost its paths", it.ID)
			}
			if it.Files == nil {
				without++
				if it.Words+it.Gist != "" {
					t.Errorf("%s says what can't be known: %+v", it.ID, it)
				}
			}
		}
		if skipped := r.Skipped(); without != want.without || len(skipped) != want.skipped {
			t.Errorf("%d items without diff terms and %v skipped, want %+v", without, skipped, want)
		}
	}
}

// TestSubstanceForgetsWhatItCantTell removes the content of one of two files: data read from the other one
// must not appear in the next commit.
func TestSubstanceForgetsWhatItCantTell(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	writeFile(t, dir, "a.txt", "kept\n")
	writeFile(t, dir, "z.txt", "lost\n")
	run(t, dir, "add", ".")
	commit(t, dir, "Add two files", 9)
	if err := os.Remove(looseObject(filepath.Join(dir, ".git"), run(t, dir, "rev-parse", "HEAD:z.txt"))); err != nil {
		t.Fatal(err)
	}
	commits := walk(t, open(t, dir), git.WalkOptions{DiffTerms: true})
	if commits[0].DiffTerms != nil || len(commits[0].Changes) != 2 {
		t.Errorf("the damaged commit has %+v", commits[0])
	}
	if s := commits[1].DiffTerms; s == nil || s.Summary != "removes src/relay.go" || strings.Contains(s.Words, "kept") {
		t.Errorf("the next one has %+v", s)
	}
}

func TestSourceWithSubstanceContract(t *testing.T) {
	t.Parallel()
	needGit(t)
	providertest.Run(t, func(t *testing.T) providertest.Fixture {
		dir := sample(t)
		n := 10
		return providertest.Fixture{
			Source: git.NewSource(open(t, dir)).WithDiffTerms(nil),
			Grow: func(t *testing.T) []string {
				n++
				return []string{"git:commit:" + commitFile(t, dir, "a.txt", strconv.Itoa(n), "Grow", n)}
			},
		}
	})
}

// TestSubstanceIsExtra compares the two ways of reading a history.
func TestSubstanceIsExtra(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	s := git.NewSource(open(t, dir))
	names, cursor, err := fetch(t, s, providers.Cursor{})
	if err != nil {
		t.Fatal(err)
	}
	full, same, err := fetch(t, s.WithDiffTerms(nil), providers.Cursor{})
	if err != nil || same != cursor {
		t.Fatalf("cursor %v, %v; want %v", same, err, cursor)
	}
	for i, it := range full {
		if diff := cmp.Diff(it, itemOf(t, s.WithDiffTerms(nil), it.ID)); diff != "" {
			t.Errorf("-fetched +by id:\n%s", diff)
		}
		if it.Gist == "" || len(it.Files) != len(it.Paths) {
			t.Errorf("%s has no diff terms: %+v", it.ID, it)
		}
		it.Files, it.Gist, it.Words = nil, "", ""
		if diff := cmp.Diff(names[i], it); diff != "" {
			t.Errorf("what else an item says differs:\n%s", diff)
		}
	}
	if !slices.ContainsFunc(full, func(it providers.Item) bool { return strings.Contains(it.Words, "relay") }) {
		t.Error("no item has the word that only its diff adds")
	}
}
