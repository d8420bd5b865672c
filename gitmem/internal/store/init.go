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

// Init opens the memory at the root and creates what is missing: the root, gitmem/, and a repository of our own.
// created reports whether a repository was created. A second call changes nothing. adopt is called with the git
// directory of a clone of memory and its origin, "" if unknown, and decides whether gitmem may commit to it. A nil
// adopt refuses, and the error is then ErrNotAdopted.
//
// If the root is in another repository, ours is gitmem/.git and the other one gets the lines for our paths in its
// info/exclude; nothing else in it changes. Each call checks for such repositories again, since one may be created
// after ours. Otherwise ours is .git at the root, with an allow-list .gitignore unless that file exists. Our own
// info/exclude always contains the list, too.
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

// plainFolder returns an error if anything but a folder is at the path of ours. A link there could redirect all of
// memory into a folder that belongs to something else.
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

// makeRepository builds the repository in the cache and moves it into place, so that a crash never leaves a partial
// one.
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
		"info/exclude":         ignoreRules(dir == rootGitDir), // also beside .gitignore, which may be deleted
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

// repositoryConfig returns the configuration that marks the repository as ours. The other settings override user
// settings that would change what is stored or how the index looks.
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
