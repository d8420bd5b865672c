package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Init opens the memory at the root and makes what is missing of it: the root,
// gitmem/, and a repository of our own. created says whether a repository was
// made. Calling it again changes nothing. adopt is asked whether a clone of memory shall
// be committed to from now on: its git directory, and where it was cloned from, "" if that
// is not known. nil refuses, and the error is then ErrNotAdopted.
//
// Where the root has or lies in somebody's repository, ours is gitmem/.git and
// the other one gets the lines of our paths in its info/exclude; nothing else of
// it is touched. They are looked at again at each call, since a repository may be
// made, or made anew, after ours. Otherwise ours is .git at the root, with an allow-list .gitignore,
// unless there is one already. Our own info/exclude always has the list, too.
func Init(ctx context.Context, o Options, adopt func(dir, from string) bool) (s *Store, created bool, err error) {
	if o, err = o.check(); err != nil {
		return nil, false, err
	}
	if err := plainFolder(filepath.Join(o.Root, ourDir)); err != nil {
		return nil, false, fmt.Errorf("init %s: %w", o.Root, err)
	}
	if err := os.MkdirAll(o.Root, dirPerm); err != nil {
		return nil, false, fmt.Errorf("make root: %w", err)
	}
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, false, fmt.Errorf("open root: %w", err)
	}
	s = newStore(o, root)
	if !s.HasRepository() {
		created, err = s.initLocked(ctx, adopt)
	} else if s.repository() == nil {
		err = s.FixMergeSetup(ctx)
	}
	if err != nil {
		s.Close()
		if errors.Is(err, ErrNotAdopted) {
			return nil, false, err
		}
		return nil, false, fmt.Errorf("init %s: %w", o.Root, err)
	}
	s.excludeAll(ctx)
	return s, created, nil
}

func (s *Store) initLocked(ctx context.Context, adopt func(dir, from string) bool) (bool, error) {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	if s.findRepository(); s.HasRepository() {
		return false, nil // another process was faster
	}
	if dir := s.Unadopted(); dir != "" {
		return false, s.adoptIfAsked(ctx, dir, adopt)
	}
	others, err := s.foreignRepositories()
	if err != nil {
		return false, err
	}
	dir := rootGitDir
	if len(others) > 0 {
		dir = innerGitDir
	}
	if err := s.makeRepository(dir); err != nil {
		return false, err
	}
	s.findRepository()
	if !s.HasRepository() {
		return false, errors.New("the new repository is not readable")
	}
	return true, nil
}

// plainFolder refuses anything but a folder where ours must be. A link there
// would lead all of memory to a place that belongs to something else.
func plainFolder(name string) error {
	fi, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && fi.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%w: %s is a link; make it a folder, or let GITMEM_HOME name the folder that holds the one it "+
			"leads to", ErrNotAllowed, name)
	case err == nil && !fi.IsDir():
		return fmt.Errorf("%w: %s is not a folder", ErrNotAllowed, name)
	}
	return err
}

// makeRepository builds the repository in the cache and moves it into place,
// so that a crash never leaves half of one.
func (s *Store) makeRepository(dir string) error {
	if dir == rootGitDir {
		if err := s.createExclusive(ignoreFile, []byte(ignoreRules(true)), true); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	build := indexDir + "/new-" + s.disk.unique()
	defer os.RemoveAll(s.abs(build))
	for _, sub := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "info"} {
		if err := s.disk.mkdir(build + "/" + sub); err != nil {
			return err
		}
	}
	for name, content := range map[string]string{
		"HEAD":                 "ref: refs/heads/main\n",
		"config":               s.repositoryConfig(dir == innerGitDir),
		"description":          "Memory kept by gitmem.\n",
		"info/exclude":         ignoreRules(dir == rootGitDir), // also where .gitignore is: it may be deleted
		"info/attributes":      attributes,
		"info/sparse-checkout": sparsePatterns(dir == rootGitDir),
		movesFile:              seenMoves(0, hash{}),
	} {
		if err := s.createExclusive(build+"/"+name, []byte(content), true); err != nil {
			return err
		}
	}
	return s.disk.rename(build, dir)
}

// repositoryConfig marks the repository as ours. The rest keeps a user's own
// settings from changing what is stored or how the index looks.
func (s *Store) repositoryConfig(inner bool) string {
	var b strings.Builder
	b.WriteString("[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tlogallrefupdates = true\n")
	fmt.Fprintf(&b, "\tfilemode = %t\n", !onWindows)
	switch runtime.GOOS {
	case "windows":
		b.WriteString("\tignorecase = true\n")
	case "darwin":
		b.WriteString("\tignorecase = true\n\tprecomposeunicode = true\n")
	}
	b.WriteString("\tautocrlf = false\n\tsplitIndex = false\n")
	if inner {
		b.WriteString("\tworktree = ../..\n")
	}
	b.WriteString("[index]\n\tversion = 2\n[gitmem]\n\towned = true\n")
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
	last := ""
	for _, w := range s.mergeSettings() {
		section, name := w.names()
		if top, sub, ok := strings.Cut(section, "."); ok {
			section = top + ` "` + sub + `"`
		}
		if section != last {
			fmt.Fprintf(&b, "[%s]\n", section)
		}
		fmt.Fprintf(&b, "\t%s = \"%s\"\n", name, quote.Replace(w.value))
		last = section
	}
	return b.String()
}
