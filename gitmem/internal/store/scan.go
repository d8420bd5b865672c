package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Level is the severity of a [Trouble].
type Level int

// The levels, in order of severity.
const (
	Note Level = iota // for information; nothing is wrong
	Warn              // nothing is lost, but something should be done
	Fail              // something is damaged, open to others or does not work
)

// Trouble is one finding of a check of the store. The checks change nothing, and may run while others write: concurrent
// changes are seen in their old or new state.
type Trouble struct {
	Level   Level
	Path    string // slash path relative to the root, absolute outside of it; "" for none
	Line    int    // 1-based, 0 for none
	Detail  string // text without the path; never a secret
	Fixable bool   // the corresponding fix can repair it
}

// Same reports whether two troubles are the same finding.
func (t Trouble) Same(o Trouble) bool {
	return t.Path == o.Path && t.Line == o.Line && t.Fixable == o.Fixable && t.Level == o.Level
}

// exists reports whether a path relative to the root exists, links included.
func (s *Store) exists(rel string) bool {
	_, err := os.Lstat(s.abs(rel))
	return err == nil
}

// walk calls f for each file and folder below a folder of the root. fs.SkipDir from f skips a folder. Entries that
// vanish meanwhile are ignored, and errors are collected: one bad folder does not hide the others.
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

// eachGitFile calls f for each file of our git directory except loose objects, by its path relative to the root.
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

// isFanout reports whether a path is one of the 256 folders of loose objects.
func (s *Store) isFanout(rel string) bool {
	two, ok := strings.CutPrefix(rel, s.gitPath("objects/"))
	return ok && len(two) == 2 && strings.Trim(two, "0123456789abcdef") == ""
}

// isObjectFile reports whether a path below the root is one of git's object files.
func isObjectFile(rel string) bool {
	return strings.HasPrefix(rel, rootGitDir+"/objects/") || strings.HasPrefix(rel, innerGitDir+"/objects/")
}
