package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Location reports special properties of the root's path: a link, or a repository that contains it.
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

// Permissions finds what other users may read or change in our own folders, what we ourselves may not, and what another
// user owns. Files in a closed folder count as closed, whatever their own mode. On Windows it finds nothing.
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

// permissions checks one file or folder recursively. above is the expected owner; closed means that a parent folder
// excludes others.
func (s *Store) permissions(found []Trouble, rel string, fi fs.FileInfo, above uint32, closed bool) []Trouble {
	if fi.Mode()&fs.ModeSymlink != 0 {
		return found // reported by Names
	}
	perm := fi.Mode().Perm()
	if st := sysStat(fi); st.ino != 0 && st.uid != above { // otherwise the owner is unknown
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

// closedMode returns the mode that a file or folder of ours should have: the least that we need and the most that
// others may get. Objects and packs are read-only, as in git.
func closedMode(fi fs.FileInfo, rel string) fs.FileMode {
	switch {
	case fi.IsDir():
		return dirPerm
	case fi.Mode().Perm()&0o200 == 0 && isObjectFile(rel):
		return objectPerm
	}
	return filePerm | fi.Mode().Perm()&0o100
}

// ClosePermissions sets the modes of the files and folders that [Store.Permissions] found.
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
