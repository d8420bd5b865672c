package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Level says how much a [Trouble] matters.
type Level int

// The levels, from harmless to grave.
const (
	Note Level = iota // worth knowing, nothing is wrong
	Warn              // nothing is lost, and something should be done
	Fail              // something is damaged, open to others or does not work
)

// Trouble is one thing that a look at the store found. None of the looks
// changes anything, and each may run while others write: what they change
// meanwhile is found as it was or as it is.
type Trouble struct {
	Level   Level
	Path    string // slash path below the root, an absolute one outside; "" for none
	Line    int    // counted from 1, 0 for none
	Detail  string // in words, without the path; never a secret
	Fixable bool   // the fix that goes with the look puts it right
}

// Same says whether two troubles are one that was seen twice.
func (t Trouble) Same(o Trouble) bool {
	return t.Path == o.Path && t.Line == o.Line && t.Fixable == o.Fixable && t.Level == o.Level
}

// exists says whether something is at a path below the root, a link included.
func (s *Store) exists(rel string) bool {
	_, err := os.Lstat(s.abs(rel))
	return err == nil
}

// walk calls f for each file and folder below a folder of the root. fs.SkipDir from f
// passes a folder over. What vanishes meanwhile is left out, and errors are collected:
// one bad folder does not hide the others.
func (s *Store) walk(dir string, f func(rel string, d fs.DirEntry) error) error {
	var errs []error
	top := s.abs(dir)
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
			return nil
		}
		if name == top {
			return nil
		}
		return f(dir+filepath.ToSlash(name[len(top):]), d)
	})
	return errors.Join(append(errs, err)...)
}

// eachGitFile calls f for each file of our git directory that is no loose
// object, by its path below the root.
func (s *Store) eachGitFile(f func(rel string, d fs.DirEntry) error) error {
	return s.walk(s.gitDir, func(rel string, d fs.DirEntry) error {
		switch {
		case !d.IsDir():
			return f(rel, d)
		case s.isFanout(rel):
			return fs.SkipDir
		}
		return nil
	})
}

// isFanout says whether a path is one of the 256 folders of loose objects.
func (s *Store) isFanout(rel string) bool {
	two, ok := strings.CutPrefix(rel, s.gitPath("objects/"))
	return ok && len(two) == 2 && strings.Trim(two, "0123456789abcdef") == ""
}

// isObjectFile says whether a path below the root is one of git's object files.
func isObjectFile(rel string) bool {
	return strings.HasPrefix(rel, rootGitDir+"/objects/") || strings.HasPrefix(rel, innerGitDir+"/objects/")
}
