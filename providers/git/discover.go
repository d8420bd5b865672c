package git

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Location contains the paths of the parts of a repository. All paths are absolute.
type Location struct {
	// GitDir contains HEAD. CommonDir contains objects and refs; it differs from GitDir only in a linked
	// worktree.
	GitDir, CommonDir string
	// WorkTree is the top folder of the checked-out files, or empty.
	WorkTree string
	// Bare is set if the repository has no checked-out files.
	Bare bool
}

// Discover finds the repository of dir in the way git does: it is in the folder itself or in the nearest one
// above it that contains a .git folder, contains a .git file that refers to another folder, or is a bare
// repository.
//
// getenv reads the environment; nil means an empty one. GIT_DIR, GIT_WORK_TREE, GIT_COMMON_DIR,
// GIT_CEILING_DIRECTORIES and core.worktree are respected. Relative values are relative to dir. Symbolic
// links in dir are resolved first. Discovery crosses file system boundaries.
//
// Without a repository it returns [ErrNotRepository]. It returns an [UntrustedError] for a repository that
// may belong to somebody else, unless GIT_DIR names it.
func Discover(dir string, getenv func(string) string) (Location, error) {
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	start, err := filepath.Abs(dir)
	if err != nil {
		return Location{}, fmt.Errorf("discover from %s: %w", dir, err)
	}
	// A link into a repository resolves to that repository, so the folders above are those of the real path.
	if real, err := filepath.EvalSymlinks(start); err == nil {
		start = real
	}
	d := discovery{start: start, getenv: getenv}
	if v := getenv("GIT_DIR"); v != "" {
		return d.explicit(v)
	}
	return d.search()
}

type discovery struct {
	start  string
	getenv func(string) string
}

// abs makes a path from the environment absolute.
func (d discovery) abs(p string) string { return absFrom(d.start, p) }

func absFrom(base, p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(base, p)
}

// explicit opens the repository in GIT_DIR. Its default work tree is the current folder.
func (d discovery) explicit(value string) (Location, error) {
	gitDir := d.abs(value)
	if info, err := os.Stat(gitDir); err == nil && info.Mode().IsRegular() {
		target, err := readGitFile(gitDir)
		if err != nil {
			return Location{}, err
		}
		gitDir = target
	}
	common := d.commonDir(gitDir)
	if !isGitDir(gitDir, common) {
		return Location{}, fmt.Errorf("GIT_DIR=%s: %w", value, ErrNotRepository)
	}
	return d.locate(discovered{gitDir: gitDir, common: common, top: d.start}), nil
}

// search walks up from the start folder.
func (d discovery) search() (Location, error) {
	for dir := range d.upwards(d.start) {
		c, ok, err := d.at(dir)
		if ok {
			err = d.trust(c)
		}
		if err != nil {
			return Location{}, err
		}
		if ok {
			return d.locate(c), nil
		}
	}
	return Location{}, fmt.Errorf("%s: %w (nor is any folder above it)", d.start, ErrNotRepository)
}

// upwards yields a folder and those above it, up to the ceiling.
func (d discovery) upwards(dir string) iter.Seq[string] {
	ceiling := d.ceiling()
	return func(yield func(string) bool) {
		for yield(dir) {
			parent := filepath.Dir(dir)
			if parent == dir || parent == ceiling {
				return
			}
			dir = parent
		}
	}
}

// discovered is a repository that was found but not opened.
type discovered struct {
	gitDir, common string
	top            string // folder that contains .git, or ""
	gitFile        string // path of .git if it is a file that refers to gitDir, else ""
	bare           bool   // the folder itself looks like a repository
}

// at checks for a repository in one folder.
func (d discovery) at(dir string) (discovered, bool, error) {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	switch {
	case err == nil && info.Mode().IsRegular():
		gitDir, err := readGitFile(dot)
		if err != nil {
			return discovered{}, false, err
		}
		common := d.commonDir(gitDir)
		if !isGitDir(gitDir, common) {
			return discovered{}, false, fmt.Errorf("%s points to %s: %w", dot, gitDir, ErrNotRepository)
		}
		return discovered{gitDir: gitDir, common: common, top: dir, gitFile: dot}, true, nil
	case err == nil && info.IsDir():
		if common := d.commonDir(dot); isGitDir(dot, common) {
			return discovered{gitDir: dot, common: common, top: dir}, true, nil
		}
	}
	common := d.commonDir(dir)
	if !isGitDir(dir, common) {
		return discovered{}, false, nil
	}
	if filepath.Base(dir) == ".git" {
		return discovered{gitDir: dir, common: common, top: filepath.Dir(dir)}, true, nil
	}
	return discovered{gitDir: dir, common: common, bare: true}, true, nil
}

// locate finds the work tree: GIT_WORK_TREE, then core.worktree, then the folder of .git unless the
// repository is bare. A linked worktree has files even if the shared configuration sets core.bare. Damage in
// the configuration is ignored here.
func (d discovery) locate(c discovered) Location {
	loc := Location{GitDir: c.gitDir, CommonDir: c.common}
	cfg, _ := readConfig(c.gitDir, c.common)
	worktree, hasWorktree := cfg.get("core", "worktree")
	switch env := d.getenv("GIT_WORK_TREE"); {
	case env != "":
		loc.WorkTree = d.abs(env)
	case c.gitDir != c.common:
		loc.WorkTree = c.top
	case hasWorktree && worktree != "":
		loc.WorkTree = absFrom(c.gitDir, filepath.FromSlash(worktree))
	case cfg.isTrue("core", "bare") && !wasCheckedOut(c):
	default:
		loc.WorkTree = c.top
	}
	loc.Bare = loc.WorkTree == ""
	return loc
}

// wasCheckedOut reports whether a repository that is configured as bare has checked-out files next to its
// .git, as some programs that create work trees leave it: a bare repository has no index.
func wasCheckedOut(c discovered) bool {
	info, err := os.Stat(filepath.Join(c.gitDir, "index"))
	return c.top != "" && err == nil && info.Mode().IsRegular()
}

// commonDir returns the folder that contains objects and refs for gitDir.
func (d discovery) commonDir(gitDir string) string {
	if v := d.getenv("GIT_COMMON_DIR"); v != "" {
		return d.abs(v)
	}
	b, err := ReadFile(filepath.Join(gitDir, "commondir"), maxGitFile)
	if err != nil {
		return gitDir
	}
	return absFrom(gitDir, filepath.FromSlash(strings.TrimRight(string(b), "\r\n")))
}

// ceiling returns the nearest folder above the start where the search ends, exclusive. As in git, the start
// folder is never excluded, and symbolic links are resolved for the entries before an empty one.
func (d discovery) ceiling() string {
	best, resolve := "", true
	for _, c := range filepath.SplitList(d.getenv("GIT_CEILING_DIRECTORIES")) {
		if c == "" {
			resolve = false
			continue
		}
		if !filepath.IsAbs(c) {
			continue
		}
		c = filepath.Clean(c)
		names := []string{c}
		if real, err := filepath.EvalSymlinks(c); resolve && err == nil {
			names = append(names, real)
		}
		for _, name := range names {
			if isAbove(name, d.start) && len(name) > len(best) {
				best = name
			}
		}
	}
	return best
}

// isAbove reports whether dir is a proper ancestor of path.
func isAbove(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// readGitFile parses "gitdir: X"; X is relative to the file's own folder.
func readGitFile(path string) (string, error) {
	b, err := ReadFile(path, maxGitFile)
	if errors.Is(err, ErrTooLarge) {
		return "", fmt.Errorf("%s: %w (too long for a .git file)", path, ErrNotRepository)
	}
	if err != nil {
		return "", fmt.Errorf("read .git file: %w", err)
	}
	target, ok := strings.CutPrefix(string(b), "gitdir:")
	target = strings.TrimSpace(target)
	if !ok || target == "" {
		return "", fmt.Errorf("%s: %w (no gitdir line)", path, ErrNotRepository)
	}
	return absFrom(filepath.Dir(path), filepath.FromSlash(target)), nil
}

// isGitDir applies git's own test: a valid HEAD, objects, refs.
func isGitDir(gitDir, common string) bool {
	return isHead(filepath.Join(gitDir, "HEAD")) &&
		isDir(filepath.Join(common, "objects")) &&
		isDir(filepath.Join(common, "refs"))
}

func isHead(path string) bool {
	if target, err := os.Readlink(path); err == nil {
		return strings.HasPrefix(filepath.ToSlash(target), "refs/")
	}
	b, err := ReadFile(path, maxGitFile)
	if err != nil {
		return false
	}
	s := strings.TrimSpace(string(b))
	if ref, ok := strings.CutPrefix(s, "ref:"); ok {
		return strings.HasPrefix(strings.TrimSpace(ref), "refs/")
	}
	return isHex(s) && (len(s) == 40 || len(s) == 64)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isHex(s string) bool { return s != "" && strings.Trim(s, "0123456789abcdefABCDEF") == "" }
