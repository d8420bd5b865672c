package git_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// TestSHA256 compares with git, whose ids have 64 digits, of which the first 40 are used.
func TestSHA256(t *testing.T) {
	t.Parallel()
	needGit(t)
	dir := filepath.Join(tempDir(t), "repo")
	if _, err := tryGit(filepath.Dir(dir), "", "init", "-q", "-b", "main", "--object-format=sha256", dir); err != nil {
		t.Skipf("SKIPPED: this git makes no SHA-256 repositories: %v", err)
	}
	commitFile(t, dir, "README.md", "one\n", "Start", 0)
	commitFile(t, dir, "src/deep/relay.go", strings.Repeat("package relay\n", 300), "feat: add the relay", 1)
	commitFile(t, dir, "src/deep/relay.go", strings.Repeat("package relay\n", 301), "Change it", 2)
	ids := "object " + strings.Repeat("0123456789abcdef", 4) + "\n"
	commitFile(t, dir, "ids", ids, "Write down an id", 3)
	run(t, dir, "tag", "-a", "-m", "A tag", "v1")
	for _, step := range [][]string{{"status"}, {"repack", "-q", "-a", "-d"}, {"-c", "pack.indexVersion=1", "repack", "-q",
		"-a", "-d", "-f"}, {"pack-refs", "--all"}} {
		run(t, dir, step...)
		r := open(t, dir)
		var want []string
		for _, line := range gitNameStatus(t, dir) {
			want = append(want, line[:40]+line[64:])
		}
		if diff := cmp.Diff(want, nameStatus(walk(t, r, git.WalkOptions{Paths: true}))); diff != "" {
			t.Errorf("after %v (-git +walk):\n%s", step, diff)
		}
		full := run(t, dir, "rev-parse", "HEAD~1")
		for _, rev := range []string{full, full[:50], full[:40], full[:9], "HEAD~1", "main^", "v1~1"} {
			if id, err := r.Resolve(rev); err != nil || id != full[:40] {
				t.Errorf("Resolve(%s) = %s, %v", rev, id, err)
			}
		}
		if b, err := r.Blob("HEAD", "src/deep/relay.go"); err != nil || len(b) != 301*14 {
			t.Errorf("Blob = %d bytes, %v", len(b), err)
		}
		if b, err := r.Blob("HEAD", "ids"); err != nil || string(b) != ids {
			t.Errorf("Blob = %q, %v", b, err)
		}
		if s := r.Skipped(); len(s) > 0 {
			t.Errorf("skipped %v", s)
		}
	}
	shallow := filepath.Join(tempDir(t), "shallow")
	run(t, dir, "clone", "-q", "--depth=2", "file://"+filepath.ToSlash(dir), shallow)
	r := open(t, shallow)
	if n := len(walk(t, r, git.WalkOptions{Paths: true})); n != 2 || len(r.Skipped()) > 0 {
		t.Errorf("%d commits of a shallow clone, skipped %v", n, r.Skipped())
	}
}

// TestRefsThroughGit reads refs in a format that only git supports. A git that can't create such a repository
// ignores an extension in the oldest format version, and so returns the refs in files.
func TestRefsThroughGit(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	if _, err := tryGit(dir, "", "refs", "migrate", "--ref-format=reftable"); err != nil {
		run(t, dir, "config", "extensions.refStorage", "reftable")
	}
	r := open(t, dir)
	_, err := r.Resolve("topic")
	wantErr(t, err, git.ErrNotFound)
	run(t, dir, "branch", "topic", "HEAD~2")
	run(t, dir, "update-ref", "refs/remotes/origin/main", "HEAD~1")
	run(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	compareWithGit(t, dir)
	r = open(t, dir)
	if id, err := r.Resolve("topic"); err != nil || id != run(t, dir, "rev-parse", "HEAD~2") {
		t.Errorf("topic is %s, %v", id, err)
	}
	tips, err := r.Tips()
	want := []git.Ref{{Name: "refs/heads/main", Hash: run(t, dir, "rev-parse", "HEAD")},
		{Name: "refs/remotes/origin/main", Hash: run(t, dir, "rev-parse", "HEAD~1")}}
	if diff := cmp.Diff(want, tips); diff != "" || err != nil {
		t.Errorf("Tips: %v (-want +got):\n%s", err, diff)
	}
	run(t, dir, "checkout", "-q", "--detach")
	r = open(t, dir)
	if head, err := r.Head(); err != nil || head != (git.Ref{Name: "HEAD", Hash: want[0].Hash}) {
		t.Errorf("detached: %+v, %v", head, err)
	}
	compareWithGit(t, linkedWorktree(t, dir))
	run(t, dir, "checkout", "-q", "--orphan", "fresh")
	_, err = open(t, dir).Head()
	wantErr(t, err, git.ErrEmpty)
}

// TestUnknownForms: the error contains a workaround.
func TestUnknownForms(t *testing.T) {
	t.Parallel()
	needGit(t)
	for _, c := range []struct{ key, value, words, way string }{
		{"extensions.refStorage", "strange", "strange", "with: git refs migrate"},
		{"extensions.objectFormat", "md5", "md5", "SHA-256 can be read"},
	} {
		dir := sample(t)
		run(t, dir, "config", "core.repositoryFormatVersion", "1")
		run(t, dir, "config", c.key, c.value)
		loc, err := git.Discover(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = git.Open(loc)
		wantErr(t, err, git.ErrUnsupported)
		if err == nil || !strings.Contains(err.Error(), c.words) || !strings.Contains(err.Error(), c.way) {
			t.Errorf("the error %v does not name %s and a way out", err, c.words)
		}
	}
}

// TestBadIndex has an index with which all its objects would seem to be missing.
func TestBadIndex(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	run(t, dir, "repack", "-q", "-a", "-d")
	indexes, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.idx"))
	if err != nil || len(indexes) != 1 {
		t.Fatalf("%v, %v", indexes, err)
	}
	overwrite(t, indexes[0], []byte("\xfftOc\x00\x00\x00\x02 and no more"))
	r := open(t, dir)
	for range 2 {
		_, err := r.Commit("HEAD")
		wantErr(t, err, git.ErrUnsupported)
		if err == nil || !strings.Contains(err.Error(), indexes[0]) || !strings.Contains(err.Error(), "git index-pack") {
			t.Errorf("the error %v does not name the index and a way out", err)
		}
	}
	for _, err := range r.Walk(t.Context(), []string{"HEAD"}, git.WalkOptions{Paths: true}) {
		wantErr(t, err, git.ErrUnsupported)
	}
	pack := strings.TrimSuffix(filepath.Base(indexes[0]), ".idx")
	run(t, dir, "index-pack", filepath.Join(filepath.Dir(indexes[0]), pack+".pack"))
	if n := len(walk(t, open(t, dir), git.WalkOptions{Paths: true})); n != 4 {
		t.Errorf("%d commits with a new index, want 4", n)
	}
}

// Releases are found in every form of a repository.
func TestTagsOfOtherForms(t *testing.T) {
	t.Parallel()
	needGit(t)
	long := filepath.Join(tempDir(t), "repo")
	if _, err := tryGit(filepath.Dir(long), "", "init", "-q", "-b", "main", "--object-format=sha256", long); err != nil {
		long = newRepo(t)
	}
	tables := newRepo(t)
	if _, err := tryGit(tables, "", "refs", "migrate", "--ref-format=reftable"); err != nil {
		run(t, tables, "config", "extensions.refStorage", "reftable")
	}
	for name, dir := range map[string]string{"SHA-256": long, "reftable": tables} {
		commitFile(t, dir, "a", "1\n", "One", 1)
		run(t, dir, "tag", "-a", "-m", "One", "v1.0.0")
		commitFile(t, dir, "a", "2\n", "Two", 2)
		run(t, dir, "tag", "v1.1.0")
		for _, step := range [][]string{{"status"}, {"pack-refs", "--all"}} {
			run(t, dir, step...)
			r := open(t, dir)
			var got []string
			tags, err := r.Tags()
			for _, tag := range tags {
				got = append(got, fmt.Sprintf("%s %s %v", tag.Name, tag.Hash, tag.Annotated))
			}
			want := []string{"v1.0.0 " + run(t, dir, "rev-parse", "HEAD~1")[:40] + " true", "v1.1.0 " +
				run(t, dir, "rev-parse", "HEAD")[:40] + " false"}
			if diff := cmp.Diff(want, got); diff != "" || err != nil || len(r.Skipped()) > 0 {
				t.Errorf("%s after %s: %v, skipped %v\n%s", name, step, err, r.Skipped(), diff)
			}
		}
	}
}
