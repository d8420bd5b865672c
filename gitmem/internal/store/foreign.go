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

// maxForeign bounds what is read of a file of another repository; its index may be long.
const maxForeign = 256 << 20

// foreign is a repository that we did not make and whose work tree holds the root.
type foreign struct {
	top    string // its work tree
	gitDir string // where its index lies; "" if unknown
	common string // where its info/exclude lies; "" if unknown
	below  string // slash path of the root in its work tree, "." for the root itself
}

// foreignRepositories returns the repositories that the root has or lies in: the
// innermost one with a .git, and those that people keep their dotfiles in beside it.
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

// enclosing returns the innermost repository with a .git that is not ours. The
// root's own .git counts whatever it is, unless it is ours.
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

// gitDirs returns the git directory behind a .git folder or file, and the one that
// it shares with other work trees; "" if there is none.
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

// detached returns repositories whose work tree is a folder above the root but that
// lie elsewhere, as dotfiles are kept with git --git-dir=$HOME/.dotfiles
// --work-tree=$HOME and by programs that do the same. They are looked for where
// they usually lie: beside the root's folder and in .config and .local/share there.
func detached(real string) []foreign {
	var out []foreign
	top := filepath.Dir(real)
	tops := []string{top}
	if strings.HasPrefix(filepath.Base(top), ".") { // .config/claude: home is one above
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

// foldersIn lists the folders in a folder; "*" at the end also those in each of them.
func foldersIn(parts ...string) []string {
	deep := parts[len(parts)-1] == "*"
	if deep {
		parts = parts[:len(parts)-1]
	}
	dir := filepath.Join(parts...)
	entries, _ := os.ReadDir(dir) // none in a folder that is not there
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

// appendDetached adds a git directory that has an index, which one that is only
// pushed to has not, and whose work tree holds the root: the one its configuration
// names, else the folder that it was found below.
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

// excludeElsewhere keeps memory out of the repository that the root lies in, and warns of
// the paths that it tracks. It may have been made, or cloned anew, since ours was, so each
// commit looks: that takes a few system calls where there is none.
func (s *Store) excludeElsewhere(paths []string) {
	real, err := filepath.EvalSymlinks(s.o.Root)
	if err != nil {
		return // the commit will say so
	}
	others, err := s.enclosing(real)
	s.exclude(others, err, func(f foreign) []Trouble {
		found := f.tracked(func(name string) bool { return slices.Contains(paths, name) })
		return slices.DeleteFunc(found, func(t Trouble) bool { return t.Level != Fail })
	})
}

// excludeAll keeps memory out of all repositories that the root lies in, and warns of what
// they would take in all the same.
func (s *Store) excludeAll(ctx context.Context) {
	others, err := s.foreignRepositories()
	s.exclude(others, err, func(f foreign) []Trouble { return s.exposed(ctx, f) })
}

// exclude keeps memory out of other repositories, and warns of the first thing that each
// takes in all the same.
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

// exclude adds our paths to the other repository's info/exclude: gitmem/ and the
// client's memory folders, into which notes go. What its user tracks there stays
// tracked, since git excludes only what it does not track. Where our repository is
// at the root itself, whole is set: the other one sees nothing else of the root
// anyway, and our own .gitignore would let memory in again below it.
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

// reincludes asks git whether a repository would show a note as untracked.
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
