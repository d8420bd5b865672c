package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// Init opens the memory at the root and makes what is missing of it: the root,
// gitmem/, and a repository of our own. created says whether a repository was
// made. Calling it again changes nothing.
//
// Where the root has or lies in somebody's repository, ours is gitmem/.git and
// the other one gets one line in its info/exclude; nothing else of it is
// touched. Otherwise ours is .git at the root, with an allow-list .gitignore,
// unless there is one already. Our own info/exclude always has the list, too.
func Init(ctx context.Context, o Options) (s *Store, created bool, err error) {
	if o, err = o.check(); err != nil {
		return nil, false, err
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
		created, err = s.initLocked(ctx)
	}
	if err != nil {
		s.Close()
		return nil, false, fmt.Errorf("init %s: %w", o.Root, err)
	}
	return s, created, nil
}

func (s *Store) initLocked(ctx context.Context) (bool, error) {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	if s.findRepository(); s.HasRepository() {
		return false, nil // another process was faster
	}
	foreign, err := foreignRepository(s.o.Root)
	if err != nil {
		return false, err
	}
	dir := rootGitDir
	if foreign != nil {
		dir = innerGitDir
	}
	if err := s.makeRepository(dir); err != nil {
		return false, err
	}
	if foreign != nil {
		if err := foreign.exclude(s.o.Root); err != nil {
			s.o.Warn("the other repository still shows gitmem/ as untracked: " + err.Error())
		}
	}
	s.findRepository()
	if !s.HasRepository() {
		return false, errors.New("the new repository is not readable")
	}
	return true, nil
}

// makeRepository builds the repository in the cache and moves it into place,
// so that a crash never leaves half of one.
func (s *Store) makeRepository(dir string) error {
	if dir == rootGitDir {
		if err := s.writeNew(ignoreFile, ignoreRules(true)); err != nil && !errors.Is(err, fs.ErrExist) {
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
		"HEAD":            "ref: refs/heads/main\n",
		"config":          repositoryConfig(dir == innerGitDir),
		"description":     "Memory kept by gitmem.\n",
		"info/exclude":    ignoreRules(dir == rootGitDir), // also where .gitignore is: it may be deleted
		"info/attributes": "# Memory is stored as it is, whatever core.autocrlf says.\n* -text\n",
	} {
		if err := s.writeNew(build+"/"+name, content); err != nil {
			return err
		}
	}
	return s.disk.rename(build, dir)
}

// writeNew creates a file with its content; fs.ErrExist if there is one.
func (s *Store) writeNew(name, content string) error {
	f, err := s.disk.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, filePerm)
	if err != nil {
		return err
	}
	_, err = s.disk.write(f, []byte(content))
	if err == nil {
		err = s.disk.fsync(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = s.disk.remove(name)
	}
	return err
}

// repositoryConfig marks the repository as ours. The rest keeps a user's own
// settings from changing what is stored or how the index looks.
func repositoryConfig(inner bool) string {
	var b strings.Builder
	b.WriteString("[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tlogallrefupdates = true\n")
	fmt.Fprintf(&b, "\tfilemode = %t\n", runtime.GOOS != "windows")
	switch runtime.GOOS {
	case "windows":
		b.WriteString("\tsymlinks = false\n\tignorecase = true\n")
	case "darwin":
		b.WriteString("\tignorecase = true\n\tprecomposeunicode = true\n")
	}
	b.WriteString("\tautocrlf = false\n\tsplitIndex = false\n")
	if inner {
		b.WriteString("\tworktree = ../..\n")
	}
	b.WriteString("[index]\n\tversion = 2\n[gitmem]\n\towned = true\n")
	return b.String()
}

// foreign is a repository that we did not make.
type foreign struct {
	top    string // the folder that holds .git
	common string // where info/exclude lies; "" if that can't be told
}

// foreignRepository returns the repository that the root has or lies in, or
// nil. The root's own .git counts whatever it is, since it is not ours.
func foreignRepository(root string) (*foreign, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	for dir := real; ; dir = filepath.Dir(dir) {
		at := filepath.Join(dir, ".git")
		_, err := os.Lstat(at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		if common := commonDir(at); err == nil && (common != "" || dir == real) {
			return &foreign{dir, common}, nil
		}
		if dir == filepath.Dir(dir) {
			return nil, nil
		}
	}
}

// commonDir returns the shared git directory behind a .git folder or file, ""
// if it is none.
func commonDir(at string) string {
	if b, err := os.ReadFile(at); err == nil {
		dir, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
		if !ok {
			return ""
		}
		at = resolve(filepath.Dir(at), dir)
	}
	if _, err := os.Stat(filepath.Join(at, "HEAD")); err != nil {
		return ""
	}
	if b, err := os.ReadFile(filepath.Join(at, "commondir")); err == nil {
		return resolve(at, strings.TrimSpace(string(b)))
	}
	return at
}

func resolve(base, p string) string {
	if p = filepath.FromSlash(p); filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(base, p)
}

// exclude adds our paths to the other repository's info/exclude: gitmem/ and the
// client's memory folders, into which notes go. What its user tracks there stays
// tracked, since git excludes only what it does not track.
func (f *foreign) exclude(root string) error {
	if f.common == "" {
		return nil
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(f.top, real)
	if err != nil {
		return err
	}
	below := filepath.ToSlash(rel)
	return errors.Join(
		f.excludeLine(ignorePattern(path.Join(below, ourDir))),
		f.excludeLine(ignorePattern(path.Join(below, clientDir))+"*/memory/"),
	)
}

func (f *foreign) excludeLine(line string) error {
	name := filepath.Join(f.common, "info", "exclude")
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for have := range strings.Lines(string(old)) {
		if strings.TrimRight(have, "\r\n") == line {
			return nil
		}
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		line = "\n" + line
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = out.WriteString(line + "\n")
	return errors.Join(err, out.Close())
}
