package cite_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/providers/git"
)

// history is a repository that a test creates with git.
type history struct {
	t   *testing.T
	dir string
	n   int
}

func newHistory(t *testing.T) *history {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED, NOT PASSED: this test needs the git program, which is not on PATH")
	}
	h := &history{t: t, dir: t.TempDir()}
	h.git("init", "-q", "-b", "main")
	return h
}

func (h *history) git(args ...string) string {
	h.t.Helper()
	h.n++
	cmd := exec.Command("git", args...)
	cmd.Dir = h.dir
	date := fmt.Sprintf("%d +0000", 1700000000+60*h.n)
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
	cmd.Env = append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada",
		"GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+
			date, "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// write commits a file and returns the commit.
func (h *history) write(name, text, message string) string {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	h.git("add", "--", name)
	h.git("commit", "-q", "-m", message)
	return h.git("rev-parse", "HEAD")
}

func (h *history) resolver() *cite.Resolver {
	h.t.Helper()
	loc, err := git.Discover(h.dir, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	repo, err := git.Open(loc)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = repo.Close() })
	return &cite.Resolver{Repository: repo, Redactor: redact.New()}
}

func TestResolveBlame(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	first := h.write("a.go", "one\ntwo\nthree\n", "feat: add lines")
	h.write("a.go", "one\n2\nthree\n", "Change")
	r := h.resolver()
	src, err := r.Resolve("git:blame:a.go:2-3@" + first[:8])
	if err != nil || src.Text != "two\nthree\n" || src.ID != "git:blame:a.go:2-3@"+first || src.Line != 2 ||
		src.Path != "a.go" || src.Author != "Ada" || src.Layer != cite.LayerTeam {
		t.Errorf("%+v %v", src, err)
	}
	for _, id := range []string{"git:blame:a.go:4@" + first, "git:blame:b.go:1@" + first, "git:blame:a.go:1@" +
		strings.Repeat("1", 40)} {
		if src, err := r.Resolve(id); !errors.Is(err, cite.ErrNotFound) {
			t.Errorf("%s: %+v %v", id, src, err)
		}
	}
	if _, err := (&cite.Resolver{Redactor: redact.New()}).Resolve("git:blame:a.go:1@" + first); !errors.Is(err,
		cite.ErrNotFound) {
		t.Errorf("outside a repository: %v", err)
	}
}

func TestBlameIsRedacted(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	const secret = "AKIAQ3EGRN5XKZV7LM2P"
	id := "git:blame:a.env:1@" + h.write("a.env", "AWS_ACCESS_KEY_ID="+secret+
		"\nAWS_SECRET_ACCESS_KEY=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\n", "Add keys")
	src, err := h.resolver().Resolve(id)
	if err != nil || strings.Contains(src.Text, secret) {
		t.Errorf("%q %v", src.Text, err)
	}
}

func TestLineStandings(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	first := h.write("a.go", "alpha one\nbeta two\ngamma three\ndelta four\nepsilon five\n", "Start")
	h.write("a.go", "alpha one\nbeta 2\ngamma three\ndelta four\nepsilon five\n", "Change")
	h.write("a.go", "alpha one\nbeta II\ninserted\ngamma three\nepsilon five\n", "Change again")
	other := h.write("b.go", "x y z\n", "Another file")
	h.git("rm", "-q", "b.go")
	h.git("commit", "-q", "-m", "Drop it")
	at := func(line int) string { return fmt.Sprintf("git:blame:a.go:%d@%s", line, first) }
	got, err := h.resolver().Statuses(t.Context(), at(1), at(2), at(3), at(4), "git:blame:b.go:1@"+other,
		"git:blame:a.go:1@"+strings.Repeat("1", 40), "rules:x#y", "nonsense")
	want := map[string]cite.CitationStatus{
		at(1):                       {Status: answer.StatusHolds, Path: "a.go", Line: 1},
		at(2):                       {Status: answer.StatusChanged, Since: 2, Path: "a.go", Line: 2},
		at(3):                       {Status: answer.StatusMoved, Path: "a.go", Line: 4},
		at(4):                       {Status: answer.StatusGone},
		"git:blame:b.go:1@" + other: {Status: answer.StatusGone},
		"git:blame:a.go:1@" + strings.Repeat("1", 40): {Status: answer.StatusGone},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	for id, words := range map[string]string{at(1): "", at(2): "changed (2 commits since)", at(3): "moved to a.go:4",
		at(4): "gone"} {
		if got[id].String() != words {
			t.Errorf("%s is %q, want %q", id, got[id], words)
		}
	}
	if holds, changed, gone := got[at(1)].Weight(), got[at(2)].Weight(), got[at(4)].Weight(); holds != 1 ||
		changed >= holds || gone >= changed {
		t.Errorf("fresh: %v, %v, %v", holds, changed, gone)
	}
}

// A forge that squashes commits names the pull request in a revert, not its commit.
func TestRevertedByNumber(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	lid := h.write("a", "1\n", "Add a lid (#12)")
	other := h.write("a", "2\n", "Paint the lid\n\nIt follows #12.")
	noLid := h.write("a", "3\n", "Revert \"Add a lid\" (#13)\n\nReverts acme/pump#12")
	again := h.write("a", "4\n", "Add a lid (#12)")
	float := h.write("b", "1\n", "Add a float (#20)")
	noFloat := h.write("b", "2\n", "Revert \"Add a float (#20)\" (#21)")
	back := h.write("b", "3\n", "Revert \"Revert \"Add a float (#20)\" (#21)\" (#22)\n\nReverts acme/pump#21")
	merged := h.write("c", "1\n", "Merge branch 'valve' into 'main'\n\nSee merge request acme/pump!7")
	noValve := h.write("c", "2\n", "Revert \"Merge branch 'valve'\"\n\nThis reverts merge request !7")
	id := func(sha string) string { return "git:commit:" + sha }
	got, err := h.resolver().Statuses(t.Context(), id(lid), id(other), id(noLid), id(again), id(float), id(noFloat),
		id(back), id(merged))
	holds := func(by string) cite.CitationStatus {
		return cite.CitationStatus{Status: answer.StatusHolds, RevertedBy: by}
	}
	want := map[string]cite.CitationStatus{
		id(lid): holds(id(noLid)), id(other): holds(""), id(noLid): holds(""), id(again): holds(""),
		id(float): holds(""), id(noFloat): holds(id(back)), id(back): holds(""), id(merged): holds(id(noValve)),
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
}

func TestCommitStandings(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	kept := h.write("a", "1\n", "Kept")
	taken := h.write("a", "2\n", "Taken back")
	h.git("revert", "--no-edit", taken)
	back := h.git("rev-parse", "HEAD")
	again := h.write("b", "2\n", "Taken back in vain")
	h.git("revert", "--no-edit", again)
	vain := h.git("rev-parse", "HEAD")
	h.git("revert", "--no-edit", vain)
	tagged := h.write("c", "2\n", "Released from a branch that was left")
	h.git("tag", "v1.0.1")
	h.git("reset", "-q", "--hard", "HEAD~1")
	lost := h.write("c", "3\n", "Lost")
	h.git("reset", "-q", "--hard", "HEAD~1")
	id := func(sha string) string { return "git:commit:" + sha }
	got, err := h.resolver().Statuses(t.Context(), id(kept), id(taken), id(taken[:10]), id(again), id(vain), id(lost),
		id(tagged), id("123456789012"))
	want := map[string]cite.CitationStatus{
		id(kept):           {Status: answer.StatusHolds},
		id(taken):          {Status: answer.StatusHolds, RevertedBy: id(back)},
		id(taken[:10]):     {Status: answer.StatusHolds, RevertedBy: id(back)},
		id(again):          {Status: answer.StatusHolds},
		id(vain):           {Status: answer.StatusHolds, RevertedBy: id(h.git("rev-parse", "HEAD"))},
		id(lost):           {Status: answer.StatusGone},
		id(tagged):         {Status: answer.StatusHolds},
		id("123456789012"): {Status: answer.StatusGone},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
}
