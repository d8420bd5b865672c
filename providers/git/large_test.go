package git_test

import (
	"strings"
	"testing"
)

// TestLargeCommit has a commit whose message exceeds the limit: only its beginning is read, which is
// reported, and the history before it is read.
func TestLargeCommit(t *testing.T) {
	t.Parallel()
	for _, packed := range []bool{false, true} {
		dir := newRepo(t)
		first := commitFile(t, dir, "a.txt", "a", "Begin", 0)
		tree := run(t, dir, "rev-parse", "HEAD^{tree}")
		large := strings.TrimSpace(runIn(t, dir, "Say much\n\n"+strings.Repeat("word by word\n", 1<<20), "commit-tree",
			tree, "-p", first))
		run(t, dir, "update-ref", "refs/heads/main", large)
		top := commitFile(t, dir, "b.txt", "b", "Go on", 1)
		if packed {
			run(t, dir, "gc", "-q")
		}
		r := open(t, dir)
		c, err := r.Commit(large)
		if err != nil || c.Subject != "Say much" || c.Author.Name != "Ada" || len(c.Parents) != 1 || c.Parents[0] != first ||
			len(c.Body) > 8<<20 {
			t.Fatalf("packed %v: %.200v, %v", packed, c.Subject, err)
		}
		root, err := r.Root()
		if err != nil || root != first {
			t.Errorf("packed %v: the root is %s, %v; behind %s", packed, root, err, top)
		}
		if s := r.Skipped(); len(s) != 1 || s[0].Object != large || !strings.Contains(s[0].Reason, "larger than 8 MiB") {
			t.Errorf("packed %v: told is %v", packed, s)
		}
	}
}
