package crush_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/dialect/crush"
)

// TestTrackedDatabaseIsNotRead: a database that is part of a repository is not the user's session.
func TestTrackedDatabaseIsNotRead(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, version := range []string{"2", "4"} { // versions of git's index; 4 stores shortened paths
		folder := home(t)
		git := func(args ...string) {
			t.Helper()
			c := exec.Command("git", append([]string{"-C", filepath.Join(folder, "proj"), "-c", "index.version=" + version},
				args...)...)
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("git %s: %v\n%s", args, err, out)
			}
		}
		git("init", "--quiet")
		if err := os.WriteFile(filepath.Join(folder, "proj", "a.txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", "a.txt")
		if sessions, errs := crush.Sessions(folder, env()); len(sessions) == 0 || len(errs) > 0 {
			t.Errorf("untracked: %d sessions, %v", len(sessions), errs)
		}
		if err := os.WriteFile(filepath.Join(folder, "proj", ".crush", "crush.db-wal"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", "--force", ".crush/crush.db-wal")
		if sessions, errs := crush.Sessions(folder, env()); len(sessions) > 0 || len(errs) != 1 {
			t.Errorf("tracked newest rows: %d sessions, %v", len(sessions), errs)
		}
		git("add", "--force", ".crush")
		sessions, errs := crush.Sessions(folder, env())
		if len(sessions) > 0 || len(errs) != 1 || !strings.Contains(errs[0].Error(), "came with the repository") {
			t.Errorf("tracked: %d sessions, %v", len(sessions), errs)
		}
	}
}
