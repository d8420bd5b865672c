package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Location reports what is special about where the root lies: a link, or somebody's
// repository.
func (s *Store) Location() ([]Trouble, error) {
	var found []Trouble
	if fi, err := os.Lstat(s.o.Root); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		real, err := filepath.EvalSymlinks(s.o.Root)
		if err != nil {
			return nil, err
		}
		found = append(found, Trouble{Path: s.o.Root, Detail: "is a link to " + real})
	}
	others, err := s.foreignRepositories()
	if err != nil {
		return nil, err
	}
	for _, f := range others {
		found = append(found, Trouble{Path: f.gitDir, Detail: f.name() +
			" holds the root; memory is kept apart from it, in " + cmp.Or(s.gitDir, "no repository yet")})
	}
	return found, nil
}

// Permissions finds what other users may read or change of our own folders, what
// we ourselves may not, and what belongs to somebody else. What lies in a closed
// folder is closed, whatever its own bits say. On Windows it finds nothing.
func (s *Store) Permissions() ([]Trouble, error) {
	if onWindows {
		return nil, nil
	}
	var found []Trouble
	tops := []string{ourDir}
	if s.gitDir == rootGitDir {
		tops = append(tops, rootGitDir)
	}
	for _, top := range tops {
		fi, err := os.Lstat(s.abs(top))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return found, err
		}
		found = s.permissions(found, top, fi, uint32(os.Geteuid()), false)
	}
	return found, nil
}

// permissions looks at one file or folder and below. above owns what holds it,
// or should; closed says that a folder above keeps others out.
func (s *Store) permissions(found []Trouble, rel string, fi fs.FileInfo, above uint32, closed bool) []Trouble {
	if fi.Mode()&fs.ModeSymlink != 0 {
		return found // reported by Names
	}
	perm := fi.Mode().Perm()
	if st := sysStat(fi); st.ino != 0 && st.uid != above { // elsewhere the owner is unknown
		found = append(found,
			Trouble{Level: Warn, Path: rel, Detail: fmt.Sprintf("belongs to user %d, not to user %d", st.uid, above)})
		above = st.uid
	}
	if want := closedMode(fi, rel); perm|want != perm || perm&0o077 != 0 && !closed {
		found = append(found, Trouble{Level: Fail, Path: rel, Fixable: true,
			Detail: fmt.Sprintf("has the mode %v instead of %v", perm, want)})
	}
	if !fi.IsDir() {
		return found
	}
	closed = closed || perm&0o077 == 0
	entries, err := os.ReadDir(s.abs(rel))
	if err != nil {
		return append(found, Trouble{Level: Fail, Path: rel, Detail: "can't be read"})
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			found = s.permissions(found, rel+"/"+e.Name(), info, above, closed)
		}
	}
	return found
}

// closedMode is the least that we need of a file or folder of ours, and the most
// that others are left. Objects and packs are read-only, as git makes them.
func closedMode(fi fs.FileInfo, rel string) fs.FileMode {
	switch {
	case fi.IsDir():
		return dirPerm
	case fi.Mode().Perm()&0o200 == 0 && isObjectFile(rel):
		return objectPerm
	}
	return filePerm | fi.Mode().Perm()&0o100
}

// ClosePermissions gives the files and folders of troubles that
// [Store.Permissions] found the modes that they should have.
func (s *Store) ClosePermissions(found []Trouble) error {
	var errs []error
	for _, t := range found {
		if !t.Fixable {
			continue
		}
		fi, err := os.Lstat(s.abs(t.Path))
		if err == nil && (fi.IsDir() || fi.Mode().IsRegular()) {
			err = s.disk.root.Chmod(t.Path, closedMode(fi, t.Path))
		}
		if !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
