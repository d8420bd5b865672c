package install_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/install"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) install.File {
	t.Helper()
	f, err := install.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestChangedMeanwhile: what somebody writes between reading and writing is not lost.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, meanwhile string }{
		{"other text", "a", "b"}, {"made", "", "b"}, {"removed", "a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x", "settings.json")
			if tt.before != "" {
				write(t, path, tt.before)
			}
			f := read(t, path)
			if tt.meanwhile != "" {
				write(t, path, tt.meanwhile)
			} else if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := f.Write([]byte("ours")); !errors.Is(err, install.ErrChanged) {
				t.Errorf("written: %v", err)
			}
			if err := f.Remove(); !errors.Is(err, install.ErrChanged) {
				t.Errorf("removed: %v", err)
			}
			if got := string(read(t, path).Bytes); got != tt.meanwhile {
				t.Errorf("it is %q, not %q", got, tt.meanwhile)
			}
			list, err := os.ReadDir(filepath.Dir(path))
			if want := min(1, len(tt.meanwhile)); err != nil || len(list) != want {
				t.Errorf("%d files are left, want %d (%v)", len(list), want, err)
			}
		})
	}
}

func TestBehindLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "dotfiles", "settings.json"), "a")
	link := filepath.Join(dir, "settings.json")
	if err := os.Symlink(filepath.Join("dotfiles", "settings.json"), link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := read(t, link).Write([]byte("b")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	behind, err := os.Stat(filepath.Join(dir, "dotfiles", "settings.json"))
	if err != nil || runtime.GOOS != "windows" && behind.Mode().Perm() != 0o640 {
		t.Errorf("permissions are %v (%v)", behind.Mode(), err)
	}
	if got := string(read(t, link).Bytes); got != "b" {
		t.Errorf("it is %q", got)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if _, err := install.Read(loop); err == nil {
		t.Error("a link to itself was read")
	}
	if _, err := install.Read(filepath.Join(dir, "dotfiles")); err == nil {
		t.Error("a folder was read")
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "a")
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	f := read(t, path)
	if err := f.Write([]byte("b")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("written: %v", err)
	}
	if err := f.Remove(); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("removed: %v", err)
	}
}

func TestRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recs := install.Records{Dir: filepath.Join(dir, "install")}
	file := filepath.Join(dir, "a", "b", "settings.json")
	if _, ok := recs.Load(file); ok {
		t.Fatal("a record of nothing")
	}
	if err := read(t, file).Write([]byte("after")); err != nil {
		t.Fatal(err)
	}
	want := install.Record{File: file, Existed: true, Before: []byte("before")}.WithAfter([]byte("after"))
	if err := recs.Save(want); err != nil {
		t.Fatal(err)
	}
	got, ok := recs.Load(file)
	if diff := cmp.Diff(want, got); !ok || diff != "" || !got.Wrote([]byte("after")) || got.Wrote([]byte("before")) {
		t.Error(ok, diff)
	}
	if b, err := os.ReadFile(recs.Backup(file)); err != nil || string(b) != "before" {
		t.Errorf("the backup is %q (%v)", b, err)
	}
	if err := os.Remove(recs.Backup(file)); err != nil {
		t.Fatal(err)
	}
	if _, ok := recs.Load(file); ok {
		t.Error("a record without its backup")
	}
	if err := recs.Drop(file); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir(recs.Dir); err != nil || len(list) > 0 {
		t.Errorf("%d files are left (%v)", len(list), err)
	}
	write(t, filepath.Join(dir, "a", "other"), "")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	install.RemoveFolder(filepath.Join(dir, "a", "b"))
	install.RemoveFolder(filepath.Join(dir, "a"))
	if _, err := os.Stat(filepath.Join(dir, "a", "b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder is left: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a", "other")); err != nil {
		t.Error(err)
	}
}

func TestSealed(t *testing.T) {
	t.Parallel()
	text := []byte("---\nname: x\n---\nBody.\n")
	sealed := install.Seal(text)
	if !install.Sealed(sealed) || !bytes.HasPrefix(sealed, []byte("---\n# Written by gitmem")) ||
		!bytes.HasSuffix(sealed, text[4:]) {
		t.Errorf("%s", sealed)
	}
	for _, other := range [][]byte{text, nil, append(sealed, "More.\n"...),
		bytes.Replace(sealed, []byte("name: x"), []byte("name: y"), 1)} {
		if install.Sealed(other) {
			t.Errorf("sealed: %s", other)
		}
	}
}
