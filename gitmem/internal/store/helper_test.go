package store_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

func clean(s string) redact.Clean { return redact.New().Clean(s) }

func options(t testing.TB, root string) store.Options {
	return store.Options{
		// a busy machine must not look like a held lock
		Root: root, Now: time.Now, Machine: "testhost", LockWait: 5 * time.Minute,
		Author: store.Signature{Name: "A U Thor", Email: "author@example.com"},
		Warn:   func(s string) { t.Log("warning:", s) },
	}
}

func initStore(t testing.TB, root string) *store.Store {
	t.Helper()
	s, _, err := store.Init(t.Context(), options(t, root), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// needGit skips a test that compares with the real git if it is not installed.
func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH, so what it thinks of our repository is NOT checked")
	}
}

// gitEnv keeps the machine's own configuration out of the tests.
func gitEnv() []string {
	env := []string{"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=g", "GIT_AUTHOR_EMAIL=g@example.com", "GIT_COMMITTER_NAME=g", "GIT_COMMITTER_EMAIL=g@example.com"}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			env = append(env, kv)
		}
	}
	return env
}

func tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, gitEnv()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(out, "\n")
}

// inStore runs git on the store's repository, wherever it is.
func inStore(t testing.TB, s *store.Store, args ...string) string {
	t.Helper()
	return git(t, s.Root(), append([]string{"--git-dir=" + s.GitDir(), "--work-tree=" + s.Root()}, args...)...)
}

// checkSound asks the real git whether repository, index and files agree.
func checkSound(t testing.TB, s *store.Store) {
	t.Helper()
	if got := inStore(t, s, "status", "--porcelain", "--untracked-files=all"); got != "" {
		t.Errorf("git status is not clean:\n%s", got)
	}
	if got := inStore(t, s, "fsck", "--strict", "--no-dangling"); got != "" {
		t.Errorf("git fsck: %s", got)
	}
	if want, got := inStore(t, s, "rev-parse", "HEAD^{tree}"), inStore(t, s, "write-tree"); got != want {
		t.Errorf("the index makes tree %s, HEAD has %s", got, want)
	}
}

func commit(t testing.TB, s *store.Store, c store.Change) string {
	t.Helper()
	id, err := s.Commit(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func write(t testing.TB, root, rel, content string) {
	t.Helper()
	name := filepath.Join(root, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, root, rel string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rel)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
