package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// maxForeign limits how many bytes are read of a file of another repository; its index may be long.
const maxForeign = 256 << 20

// foreign is a repository that gitmem did not create and whose work tree contains the root.
type foreign struct {
	top    string // its work tree
	gitDir string // contains the index; "" if unknown
	common string // contains info/exclude; "" if unknown
	below  string // slash path of the root in its work tree, "." for the root itself
}

// foreignRepositories returns the repositories at or above the root: the innermost one with a .git, and dotfiles
// repositories beside it.
func (s *Store) foreignRepositories() ([]foreign, error) {
	real, err := filepath.EvalSymlinks(s.o.Root)
	if err != nil {
		return nil, err
	}
	found, err := s.enclosing(real)
	if err != nil {
		return nil, err
	}
	return append(found, detached(real)...), nil
}

// enclosing returns the innermost repository with a .git that is not ours. The root's own .git counts unless it is
// ours.
func (s *Store) enclosing(real string) ([]foreign, error) {
	for dir := real; ; dir = filepath.Dir(dir) {
		at := filepath.Join(dir, ".git")
		_, err := os.Lstat(at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		if ours := dir == real && s.gitDir == rootGitDir; err == nil && !ours {
			if gitDir, common := gitDirs(at); common != "" || dir == real {
				return []foreign{{dir, gitDir, common, slashBelow(dir, real)}}, nil
			}
		}
		if dir == filepath.Dir(dir) {
			return nil, nil
		}
	}
}

// slashBelow returns the slash path from a folder to one below it.
func slashBelow(dir, at string) string {
	rel, err := filepath.Rel(dir, at)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}

// gitDirs returns the git directory of a .git folder or file, and the common directory that it shares with other work
// trees; "" if there is none.
func gitDirs(at string) (gitDir, common string) {
	if b, err := git.ReadFile(at, maxForeign); err == nil {
		dir, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
		if !ok {
			return "", ""
		}
		at = resolve(filepath.Dir(at), dir)
	}
	if _, err := os.Stat(filepath.Join(at, "HEAD")); err != nil {
		return "", ""
	}
	if b, err := git.ReadFile(filepath.Join(at, "commondir"), maxForeign); err == nil {
		return at, resolve(at, strings.TrimSpace(string(b)))
	}
	return at, at
}

func resolve(base, p string) string {
	if p = filepath.FromSlash(p); filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(base, p)
}

// detached returns repositories whose work tree is a folder above the root but whose git directory is elsewhere, such
// as dotfiles kept with git --git-dir=$HOME/.dotfiles --work-tree=$HOME. It searches the usual locations: beside the
// root's folder and in .config and .local/share there.
func detached(real string) []foreign {
	var out []foreign
	top := filepath.Dir(real)
	tops := []string{top}
	if strings.HasPrefix(filepath.Base(top), ".") { // for .config/claude, home is one level up
		tops = append(tops, filepath.Dir(top))
	}
	for _, top := range tops {
		dirs := slices.Concat(foldersIn(top), foldersIn(top, ".config", "*"), foldersIn(top, ".config", "vcsh", "repo.d"),
			foldersIn(top, ".local", "share", "*"))
		for _, dir := range dirs {
			out = appendDetached(out, dir, top, real)
		}
	}
	return out
}

// foldersIn lists the folders in a folder; with "*" as the last part also those in each of them.
func foldersIn(parts ...string) []string {
	deep := parts[len(parts)-1] == "*"
	if deep {
		parts = parts[:len(parts)-1]
	}
	dir := filepath.Join(parts...)
	entries, _ := os.ReadDir(dir) // empty for a missing folder
	var out []string
	for _, e := range entries {
		if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		at := filepath.Join(dir, e.Name())
		if out = append(out, at); deep && e.IsDir() {
			out = append(out, foldersIn(at)...)
		}
	}
	return out
}

// appendDetached adds a git directory that has an index and whose work tree contains the root. Push-only repositories
// have no index. The work tree is the one in its configuration, else the folder below which the git directory was
// found.
func appendDetached(out []foreign, dir, top, real string) []foreign {
	if fi, err := os.Lstat(filepath.Join(dir, "index")); err != nil || !fi.Mode().IsRegular() ||
		filepath.Base(dir) == ".git" {
		return out
	}
	if _, common := gitDirs(dir); common != dir {
		return out
	}
	conf, err := git.ReadFile(filepath.Join(dir, "config"), maxForeign)
	if err != nil {
		return out
	}
	if tree := git.Settings(conf)["core.worktree"]; tree != "" {
		top = resolve(dir, tree)
		if deep, err := filepath.EvalSymlinks(top); err == nil {
			top = deep
		}
	}
	if real != top && !strings.HasPrefix(real, strings.TrimSuffix(top, string(filepath.Separator))+
		string(filepath.Separator)) {
		return out
	}
	return append(out, foreign{top, dir, dir, slashBelow(top, real)})
}

// excludeElsewhere keeps memory out of the repository that contains the root, and warns of memory paths that it tracks.
// That repository may have been created or cloned again after ours, so each commit checks. Without such a repository
// this costs a few system calls.
func (s *Store) excludeElsewhere(paths []string) {
	real, err := filepath.EvalSymlinks(s.o.Root)
	if err != nil {
		return // the commit reports it
	}
	others, err := s.enclosing(real)
	s.exclude(others, err, func(f foreign) []Trouble {
		found := f.tracked(func(name string) bool { return slices.Contains(paths, name) })
		return slices.DeleteFunc(found, func(t Trouble) bool { return t.Level != Fail })
	})
}

// excludeAll keeps memory out of all repositories that contain the root, and warns of files that they include
// nevertheless.
func (s *Store) excludeAll(ctx context.Context) {
	others, err := s.foreignRepositories()
	s.exclude(others, err, func(f foreign) []Trouble { return s.exposed(ctx, f) })
}

// exclude keeps memory out of other repositories, and warns of the first file that each includes nevertheless.
func (s *Store) exclude(others []foreign, err error, exposed func(foreign) []Trouble) {
	if err != nil {
		s.o.Warn("whether memory lies in another repository is not known: " + err.Error())
	}
	for _, f := range others {
		if err := f.exclude(s.gitDir == rootGitDir); err != nil {
			s.o.Warn(f.name() + " shows memory as untracked: " + err.Error())
		}
		if found := exposed(f); len(found) > 0 {
			s.o.Warn(f.name() + " " + found[0].Detail)
		}
	}
}

func (f foreign) name() string { return "the repository in " + f.top }

// exclude adds our paths to the other repository's info/exclude: gitmem/ and the client's memory folders, which contain
// notes. Files that its user already tracks stay tracked, since git excludes only untracked ones. If our repository is
// at the root itself, whole is set: the other one then sees nothing else of the root, and our own .gitignore would
// re-include memory below it.
func (f foreign) exclude(whole bool) error {
	if f.common == "" {
		return nil
	}
	for _, line := range f.excludeLines(whole) {
		if err := extendList(filepath.Join(f.common, "info", "exclude"), line+"\n", 0o666); err != nil {
			return err
		}
	}
	return nil
}

// excludeLines returns the lines that keep memory out of the other repository.
func (f foreign) excludeLines(whole bool) []string {
	if whole && f.below != "." {
		return []string{ignorePattern(f.below)}
	}
	return []string{ignorePattern(path.Join(f.below, ourDir)), ignorePattern(path.Join(f.below, clientDir)) + "*/memory/"}
}

// reincludes asks git whether a repository would list a note as untracked.
func (s *Store) reincludes(ctx context.Context, f foreign) bool {
	if f.gitDir == "" {
		return false
	}
	note := path.Join(f.below, clientDir, "x", "memory", "x.md")
	err := s.git(ctx, nil, "-C", f.top, "--git-dir="+f.gitDir, "--work-tree="+f.top, "check-ignore", "--quiet",
		"--no-index", note)
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}
