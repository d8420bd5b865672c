package git_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/google/go-cmp/cmp"
)

// TestStorer lets go-git's interface tell objects and refs, and compares with git.
func TestStorer(t *testing.T) {
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
			s := open(t, dir).Storer()
			objects, err := s.IterEncodedObjects(plumbing.AnyObject)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			if err := objects.ForEach(func(o plumbing.EncodedObject) error {
				r, err := o.Reader()
				if err != nil {
					return err
				}
				b, err := io.ReadAll(r)
				size, err2 := s.EncodedObjectSize(o.Hash())
				if plumbing.ComputeHash(o.Type(), b) != o.Hash() || size != o.Size() {
					t.Errorf("%s has %d bytes, or %d", o.Hash(), len(b), size)
				}
				got = append(got, fmt.Sprintf("%s %s %d", o.Hash(), o.Type(), o.Size()))
				return errors.Join(err, err2)
			}); err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			want := strings.Split(run(t, dir, "cat-file", "--batch-all-objects", "--batch-check"), "\n")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("objects (-git +ours):\n%s", diff)
			}
			refs, err := s.IterReferences()
			if err != nil {
				t.Fatal(err)
			}
			got = nil
			if err := refs.ForEach(func(ref *plumbing.Reference) error {
				ref, err := storer.ResolveReference(s, ref.Name())
				got = append(got, fmt.Sprint(ref))
				return err
			}); err != nil {
				t.Fatal(err)
			}
			want = strings.Split(run(t, dir, "for-each-ref", "--format=%(objectname) %(refname)"), "\n")
			if name == "borrowed" { // origin/HEAD stands for another
				want = slices.DeleteFunc(want, func(s string) bool { return strings.HasSuffix(s, "/HEAD") })
				got = slices.Compact(got)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("refs (-git +ours):\n%s", diff)
			}
		})
	}
}

// TestStorerOnlyReads asks for what is not there, and to write.
func TestStorerOnlyReads(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	s := open(t, dir).Storer()
	head, err := storer.ResolveReference(s, plumbing.HEAD)
	if err != nil || head.Name() != "refs/heads/main" {
		t.Fatalf("HEAD is %v, %v", head, err)
	}
	if _, err := s.EncodedObject(plumbing.BlobObject, head.Hash()); !errors.Is(err, plumbing.ErrObjectNotFound) {
		t.Errorf("a commit as a blob: %v", err)
	}
	if err := s.HasEncodedObject(plumbing.Hash{1}); !errors.Is(err, plumbing.ErrObjectNotFound) {
		t.Errorf("no object: %v", err)
	}
	if index, err := s.Index(); err != nil || len(index.Entries) == 0 {
		t.Errorf("index: %v, %v", index, err)
	}
	o := s.NewEncodedObject()
	o.SetType(plumbing.BlobObject)
	_, err1 := s.SetEncodedObject(o)
	for _, err := range []error{err1, s.SetReference(head), s.RemoveReference(head.Name()), s.SetShallow([]plumbing.Hash{head.Hash()}), s.AddAlternate(dir)} {
		if err == nil {
			t.Error("it was written")
		}
	}
	if out := run(t, dir, "status", "--porcelain") + run(t, dir, "rev-parse", "HEAD"); out != head.Hash().String() {
		t.Errorf("now git says %s", out)
	}
}

// TestEmptyRef is what a loss of power leaves of a ref. It is no older one that was
// packed, and hides no other.
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
