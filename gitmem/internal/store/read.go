package store

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// FileInfo describes one file of memory.
type FileInfo struct {
	Path string // slash path relative to the root
	Size int64  // in bytes
	Info fs.FileInfo
}

// Read returns a file as it is on disk (rev "") or in a revision: HEAD, a branch, a tag or a commit id of at least 4
// digits, each with an optional ~n or ^n suffix. It returns ErrNotFound if there is no such revision or file and
// ErrNotAllowed if the path is not one of ours.
func (s *Store) Read(rev, rel string) ([]byte, error) {
	if !s.allowed(rel) {
		return nil, fmt.Errorf("read %q: %w", rel, ErrNotAllowed)
	}
	if rev == "" {
		b, _, err := s.disk.readPlain(rel)
		if isMissing(err) {
			return nil, fmt.Errorf("read %s: %w", rel, ErrNotFound)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", rel, err)
		}
		return b, nil
	}
	repo, err := s.openHistory()
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	found, err := repo.List(rev, rel)
	switch {
	case err != nil:
		return nil, orAbsent(rev, err)
	case len(found) != 1 || found[0].Path != rel || !isRegularMode(found[0].Mode):
		return nil, fmt.Errorf("read %s at %s: %w", rel, rev, ErrNotFound)
	}
	b, err := repo.Content(found[0])
	if errors.Is(err, git.ErrNotFound) {
		err = fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	return b, err
}

// Files lists the Markdown files of memory on disk, by path. An error is that of an unreadable folder; the other files
// follow.
func (s *Store) Files() iter.Seq2[FileInfo, error] {
	return func(yield func(FileInfo, error) bool) {
		files, err := s.onDisk()
		if err != nil && !yield(FileInfo{}, err) {
			return
		}
		slices.SortFunc(files, func(a, b FileInfo) int { return strings.Compare(a.Path, b.Path) })
		for _, f := range files {
			if isMarkdown(f.Path) && !yield(f, nil) {
				return
			}
		}
	}
}

// onDisk returns the allowed files on disk, in no order, and the errors of folders that it could not read.
func (s *Store) onDisk() (files []FileInfo, err error) {
	var in allowedIn
	err = s.eachEntry(func(rel string, d fs.DirEntry) error {
		if !d.Type().IsRegular() || !in.allowed(rel) || !s.allowedTop(rel) {
			return nil
		}
		fi, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // deleted since the folder was read
		}
		if err != nil {
			return err
		}
		files = append(files, FileInfo{Path: rel, Size: fi.Size(), Info: fi})
		return nil
	})
	return files, err
}

// eachEntry calls f for each entry in our folders that is not a folder, in no order. It never follows links and never
// enters hidden folders or a repository. Errors are collected: one bad folder does not hide the others.
func (s *Store) eachEntry(f func(rel string, d fs.DirEntry) error) error {
	var errs []error
	visit := func(rel string, d fs.DirEntry) {
		if err := f(rel, d); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", rel, err))
		}
	}
	if fi, err := os.Lstat(s.abs(ignoreFile)); err == nil {
		visit(ignoreFile, fs.FileInfoToDirEntry(fi))
	}
	errs = append(errs, s.eachBelow(ourDir, safeSegment, visit))
	projects, err := s.readDir(clientDir)
	errs = append(errs, err)
	for _, p := range projects {
		if p.IsDir() && safeSegment(p.Name()) {
			errs = append(errs, s.eachBelow(clientDir+"/"+p.Name()+"/memory", safeSegment, visit))
		}
	}
	return errors.Join(errs...)
}

// eachBelow reads the folders of one depth concurrently: with many files most of the time is spent on the system calls
// for their size and times. enter reports whether to descend into a folder of a name.
func (s *Store) eachBelow(dir string, enter func(name string) bool, visit func(string, fs.DirEntry)) error {
	var errs []error
	for level := []string{dir}; len(level) > 0; {
		found := make([][]fs.DirEntry, len(level))
		reads := make([]func() error, len(level))
		for i, dir := range level {
			reads[i] = func() (err error) { found[i], err = s.readDir(dir); return err }
		}
		errs = append(errs, together(reads))
		var next []string
		for i, entries := range found {
			for _, d := range entries {
				rel := level[i] + "/" + d.Name()
				if !d.IsDir() {
					visit(rel, d)
				} else if enter(d.Name()) {
					next = append(next, rel)
				}
			}
		}
		level = next
	}
	return errors.Join(errs...)
}

// readDir returns the entries of a folder, none if it is missing or a link.
func (s *Store) readDir(dir string) ([]fs.DirEntry, error) {
	if fi, err := os.Lstat(s.abs(dir)); err != nil || !fi.IsDir() {
		if isMissing(err) {
			err = nil
		}
		return nil, err
	}
	f, err := s.disk.root.Open(dir)
	if err != nil {
		return nil, err
	}
	entries, err := f.ReadDir(-1)
	return entries, errors.Join(err, f.Close())
}
