package git

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// UntrustedError reports a repository that was found without being named explicitly, and is not used:
// somebody else wrote its configuration, including its remotes. It wraps [ErrNotRepository], because its
// folder then belongs to no repository.
type UntrustedError struct {
	Location Location // for rules that only exclude
	Path     string   // of the work tree, or of a repository without a work tree
	Reason   string
	Advice   string // command that allows it
}

func (e *UntrustedError) Error() string { return e.Path + " " + e.Reason }

func (e *UntrustedError) Unwrap() error { return ErrNotRepository }

// trust refuses what git refuses with safe.bareRepository=explicit if it may have come with a clone, and what
// git's check of owners (safe.directory) refuses.
func (d discovery) trust(c discovered) error {
	if outer := d.outerWorkTree(c); outer != "" {
		return &UntrustedError{
			Location: d.locate(c), Path: c.gitDir, Reason: "lies in the work tree of another repository, " + outer +
				", whose files may have brought it",
			Advice: "GIT_DIR=" + quoted(c.gitDir) + " gitmem …",
		}
	}
	if d.owned(c.gitFile) && d.owned(c.top) && d.owned(c.gitDir) {
		return nil
	}
	path := cmp.Or(c.top, c.gitDir)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if d.safe(path) {
		return nil
	}
	return &UntrustedError{Location: d.locate(c), Path: path, Reason: "belongs to another user",
		Advice: "git config --global --add safe.directory " + quoted(path)}
}

var plainPath = lazy.Pattern(`^[-/._:0-9A-Za-z]*$`)

// quoted quotes a path for a shell, because somebody else may have chosen a part of it.
func quoted(path string) string {
	if plainPath().MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// outerWorkTree returns the work tree of another repository that contains a bare one, or "". A bare
// repository inside the git directory of the other was created by git.
func (d discovery) outerWorkTree(c discovered) string {
	if !c.bare {
		return ""
	}
	for dir := range d.upwards(filepath.Dir(c.gitDir)) {
		outer, ok, err := d.at(dir)
		switch {
		case err != nil: // a .git file without a valid target: there was a repository
			return dir
		case !ok || outer.bare:
		case outer.gitDir == c.gitDir || isAbove(outer.gitDir, c.gitDir):
			return ""
		case !d.locate(outer).Bare:
			return dir
		}
	}
	return ""
}

// owned reports whether the user who runs this process owns a file; for "" it returns true.
func (d discovery) owned(path string) bool {
	return path == "" || ownedByUser(path, d.getenv("SUDO_UID"))
}

// safe reports whether safe.directory of the user's or the system's settings allows a folder. The
// repository's own settings are ignored. The last entry counts.
func (d discovery) safe(path string) bool {
	safe := false
	for _, file := range d.settings() {
		for _, e := range d.included(file, maxIncludes) {
			if e.Section != "safe" || e.Subsection != "" || e.Key != "directory" {
				continue
			}
			safe = e.Value != "" && (safe || e.Value == "*" || d.names(e.Value, path))
		}
	}
	return safe
}

// names reports whether a value of safe.directory matches a folder: it is the folder, or it ends with /* and
// the folder is below it.
func (d discovery) names(value, path string) bool {
	if value == "." {
		return path == d.start
	}
	value, all := strings.CutSuffix(d.expand(value), "/*")
	if !filepath.IsAbs(value + "/") {
		return false
	}
	if real, err := filepath.EvalSymlinks(value + "/"); err == nil {
		value = real
	}
	return path == value && !all || all && isAbove(value, path)
}

// settings returns the files with git's system and user settings.
func (d discovery) settings() []string {
	var files []string
	if !isTrue(d.getenv("GIT_CONFIG_NOSYSTEM")) {
		files = append(files, cmp.Or(d.getenv("GIT_CONFIG_SYSTEM"), "/etc/gitconfig"))
	}
	if f := d.getenv("GIT_CONFIG_GLOBAL"); f != "" {
		return append(files, f)
	}
	home := d.getenv("HOME")
	if xdg := cmp.Or(d.getenv("XDG_CONFIG_HOME"), d.expand("~/.config")); filepath.IsAbs(xdg) {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	return files
}

// maxIncludes is the maximum depth of nested includes, as in git.
const maxIncludes = 10

// included reads a settings file with the files that it includes. Conditional includes (includeIf) are
// skipped.
func (d discovery) included(file string, depth int) config {
	entries, _ := readConfigFile(file) // the entries before any damage count
	var out config
	for _, e := range entries {
		out = append(out, e)
		if e.Section == "include" && e.Subsection == "" && e.Key == "path" && depth > 0 {
			out = append(out, d.included(absFrom(filepath.Dir(file), d.expand(e.Value)), depth-1)...)
		}
	}
	return out
}

// expand replaces a leading ~ with the user's home.
func (d discovery) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && d.getenv("HOME") != "" {
		return filepath.Join(d.getenv("HOME"), filepath.FromSlash(rest))
	}
	return filepath.FromSlash(path)
}
