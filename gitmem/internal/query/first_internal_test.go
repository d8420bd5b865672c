package query

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// firstTogether creates a repository whose history another process indexes for the first time. It returns a function
// that ends that process's work.
func firstTogether(t *testing.T, o *workspace.Options) (end func()) {
	t.Helper()
	o.Dir, o.Home, o.CacheDir, o.Now = t.TempDir(), t.TempDir(), t.TempDir(), time.Now
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit",
		"-q", "--allow-empty", "-m",
		"Choose the membrane pump\n\nWe chose the membrane pump because the gear pump leaked."}} {
		c := exec.Command("git", args...)
		c.Dir, c.Env = o.Dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	m, err := Open(*o)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	p, err := m.ws.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shards, err := m.src.Shards(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shards {
		if s.Name == "history" {
			unlock, ok, err := osfile.Lock(filepath.Join(s.Index.Dir(), "lock"))
			if err != nil || !ok {
				t.Fatalf("the lock: %v, %v", ok, err)
			}
			return unlock
		}
	}
	t.Fatal("no history")
	return nil
}

// A question concurrent with another first question waits for the index that the other one builds.
func TestFirstQuestionWaits(t *testing.T) {
	t.Parallel()
	var o workspace.Options
	end := firstTogether(t, &o)
	var waited []string
	o.Progress = func(p workspace.Progress) {
		if p.Waiting != "" {
			waited = append(waited, p.Waiting)
			end()
		}
	}
	m, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	r, err := m.Search(t.Context(), "membrane pump", Filter{})
	if err != nil || len(r.Hits) != 1 || len(r.Caveats) > 0 {
		t.Errorf("%v, hits %+v, caveats %q", err, r.Hits, r.Caveats)
	}
	if len(waited) != 1 || !strings.Contains(waited[0], "history index, which another process builds") {
		t.Errorf("waited for %q", waited)
	}
}

// A question that waits too long reports what is missing from its answer.
func TestFirstQuestionWaitsNotForEver(t *testing.T) {
	t.Parallel()
	var o workspace.Options
	end := firstTogether(t, &o)
	defer end()
	m, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	m.src.FirstBuildWait = time.Millisecond
	r, err := m.Search(t.Context(), "membrane pump", Filter{})
	if err != nil || len(r.Hits) != 0 || len(r.Caveats) != 1 ||
		!strings.Contains(r.Caveats[0], "history index is being built by another process for the first time") {
		t.Errorf("%v, hits %+v, caveats %q", err, r.Hits, r.Caveats)
	}
}
