package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/report"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/workspace/workspacetest"
)

// commit is one commit of a history. Its files are changed relative to its first parent; a file without text is
// removed. The parents are 0-based indexes; none means the previous commit.
type commit struct {
	author, day, message string
	files                map[string]string
	parents              []int
}

// repository is a history on disk with a home beside it.
type repository struct {
	*workspacetest.Machine
	t   *testing.T
	dir string
	ids []string // of the commits
}

// newRepository writes a history with one run of git.
func newRepository(t *testing.T, commits ...commit) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed, and these tests are about real repositories")
	}
	r := &repository{Machine: workspacetest.New(t), t: t}
	r.dir = filepath.Join(r.Home, "pump")
	r.git(r.Home, "", "init", "--quiet", "--initial-branch=main", r.dir)
	if len(commits) == 0 {
		return r
	}
	marks := filepath.Join(r.Home, "marks")
	r.git(r.dir, stream(t, commits), "fast-import", "--quiet", "--export-marks="+marks)
	r.git(r.dir, "", "reset", "--quiet", "--hard")
	b, err := os.ReadFile(marks)
	if err != nil {
		t.Fatal(err)
	}
	byMark := map[string]string{}
	for line := range strings.Lines(string(b)) {
		mark, id, _ := strings.Cut(strings.TrimSpace(line), " ")
		byMark[mark] = id
	}
	for i := range commits {
		r.ids = append(r.ids, byMark[fmt.Sprintf(":%d", i+1)])
	}
	return r
}

// stream returns a history in the format of git fast-import.
func stream(t *testing.T, commits []commit) string {
	t.Helper()
	var b strings.Builder
	for i, c := range commits {
		day, err := time.Parse(time.DateOnly, c.day)
		if err != nil {
			t.Fatal(err)
		}
		who := fmt.Sprintf("%s <%s@example.org> %d +0000\n", c.author, strings.ToLower(strings.Fields(c.author)[0]),
			day.Add(10*time.Hour).Unix())
		fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\nauthor %scommitter %sdata %d\n%s\n", i+1, who, who,
			len(c.message), c.message)
		parents := c.parents
		if parents == nil && i > 0 {
			parents = []int{i - 1}
		}
		for n, p := range parents {
			fmt.Fprintf(&b, "%s :%d\n", []string{"from", "merge"}[min(n, 1)], p+1)
		}
		for name, text := range c.files {
			var quoted strings.Builder
			for _, c := range []byte(name) {
				fmt.Fprintf(&quoted, "\\%03o", c)
			}
			if text == "" {
				fmt.Fprintf(&b, "D \"%s\"\n", quoted.String())
			} else {
				fmt.Fprintf(&b, "M 100644 inline \"%s\"\ndata %d\n%s\n", quoted.String(), len(text), text)
			}
		}
	}
	return b.String()
}

// git runs git without any settings of this machine.
func (r *repository) git(dir, input string, args ...string) {
	r.t.Helper()
	c := exec.CommandContext(r.t.Context(), "git", args...)
	c.Dir, c.Stdin = dir, bytes.NewReader([]byte(input))
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
	c.Env = append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	if out, err := c.CombinedOutput(); err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// open returns the reports of one call from a folder.
func (r *repository) open(dir string) *report.Team {
	r.t.Helper()
	w := r.Open(r.Options(dir))
	src := ingest.New(w)
	r.t.Cleanup(func() { _ = errors.Join(src.Close(), w.Close()) })
	return report.New(w, src, query.New(w, src, &search.Ranker{}))
}

func (r *repository) why(what string) report.Why {
	r.t.Helper()
	w, err := r.open(r.dir).Why(r.t.Context(), report.WhyQuestion{What: what})
	if err != nil {
		r.t.Fatalf("%q: %v", what, err)
	}
	return w
}
