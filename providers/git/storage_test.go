package git_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// TestReadersGo: the caches of readers are freed at the next garbage collection once the objects are
// unreachable.
func TestReadersGo(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	id := commitFile(t, dir, "a", "text", "first", 1)
	isKept := func() func() bool {
		objects := git.OpenObjects(filepath.Join(dir, ".git"))
		defer objects.Close()
		if _, err := objects.EncodedObject(plumbing.AnyObject, plumbing.NewHash(id)); err != nil {
			t.Error(err)
		}
		return git.IsKept(objects.EncodedObjectStorer)
	}()
	runtime.GC()
	if isKept() {
		t.Error("objects that nobody has survive a collection")
	}
}

// TestObjects reads every object and ref, and compares with git.
func TestObjects(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(*testing.T, string) string{
		"loose":           layouts()["normal"],
		"packed":          packings()["packed"],
		"index version 1": packings()["index version 1"],
		"other name":      packings()["pack of another name"],
		"borrowed":        clones()["shared twice"],
		"linked":          layouts()["worktree with own config"],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := build(t, sample(t))
			r := open(t, dir)
			objects := git.OpenObjects(r.Location().CommonDir)
			defer objects.Close()
			for line := range strings.SplitSeq(run(t, dir, "cat-file", "--batch-all-objects", "--batch-check"), "\n") {
				id := plumbing.NewHash(line[:40])
				o, err := objects.EncodedObject(plumbing.AnyObject, id)
				if err != nil {
					t.Fatal(err)
				}
				in, err := o.Reader()
				if err != nil {
					t.Fatal(err)
				}
				b, err := io.ReadAll(in)
				size, err2 := objects.EncodedObjectSize(id)
				if err := errors.Join(err, err2); err != nil {
					t.Fatal(err)
				}
				if plumbing.ComputeHash(o.Type(), b) != id || o.Hash() != id || size != int64(len(b)) || size != o.Size() {
					t.Errorf("%s has %d bytes, or %d", id, len(b), size)
				}
				if diff := cmp.Diff(line, fmt.Sprintf("%s %s %d", id, o.Type(), size)); diff != "" {
					t.Errorf("object (-git +ours):\n%s", diff)
				}
			}
			for line := range strings.SplitSeq(run(t, dir, "for-each-ref", "--format=%(objectname) %(refname)"), "\n") {
				want, name, _ := strings.Cut(line, " ")
				if got, err := r.Resolve(name); err != nil || got != run(t, dir, "rev-parse", want+"^{commit}") {
					t.Errorf("%s is %s, %v; want %s", name, got, err, want)
				}
			}
			if _, err := objects.EncodedObject(plumbing.AnyObject, plumbing.Hash{1}); !errors.Is(err,
				plumbing.ErrObjectNotFound) {
				t.Errorf("no object: %v", err)
			}
			head := plumbing.NewHash(run(t, dir, "rev-parse", "HEAD"))
			if _, err := objects.EncodedObject(plumbing.BlobObject, head); !errors.Is(err, plumbing.ErrObjectNotFound) {
				t.Errorf("a commit as a blob: %v", err)
			}
		})
	}
}

// TestEmptyRef has an empty ref file, as after a loss of power. The ref must not have the older packed value,
// and must not hide others.
func TestEmptyRef(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	run(t, dir, "tag", "v1")
	run(t, dir, "pack-refs", "--all")
	for _, name := range []string{"heads/main", "tags/broken"} {
		writeFile(t, dir, filepath.Join(".git", "refs", name), "")
	}
	r := open(t, dir)
	if head, err := r.Head(); err == nil {
		t.Errorf("HEAD is %v", head)
	}
	tags, err := r.Tags()
	if err != nil || len(tags) != 1 || len(r.Skipped()) != 1 {
		t.Errorf("tags %v, %v, skipped %v", tags, err, r.Skipped())
	}
	if err := os.Remove(filepath.Join(dir, ".git", "refs", "heads", "main")); err != nil {
		t.Fatal(err)
	}
	if head, err := open(t, dir).Head(); err != nil || head.Name != "refs/heads/main" {
		t.Errorf("HEAD is %v, %v", head, err)
	}
}
