package git

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// UntrustedError is a repository that was found without being named, and that is left
// alone: its configuration, its remotes among it, was written by somebody else. It
// wraps [ErrNotRepository], since its folder then lies outside any.
type UntrustedError struct {
	Location Location // for rules that only exclude
	Path     string   // of the work tree, or of a repository without one
	Reason   string
	Advice   string // the command that allows it
}

func (e *UntrustedError) Error() string { return e.Path + " " + e.Reason }

func (e *UntrustedError) Unwrap() error { return ErrNotRepository }

// trust refuses what git refuses with safe.bareRepository=explicit where a clone may have
// brought it, and what its check of owners (safe.directory) refuses.
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

// quoted writes a path for a shell: a part of it may have been named by somebody else.
func quoted(path string) string {
	if plainPath().MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// outerWorkTree is the work tree of another repository that a bare one lies in, "" for
// none. What lies in the git directory of the other was put there by git.
func (d discovery) outerWorkTree(c discovered) string {
	if !c.bare {
		return ""
	}
	for dir := range d.upwards(filepath.Dir(c.gitDir)) {
		outer, ok, err := d.at(dir)
		switch {
		case err != nil: // a .git file that leads nowhere: there was one
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

// owned reports whether the user who runs this owns a file; "" means none.
func (d discovery) owned(path string) bool {
	return path == "" || ownedByUser(path, d.getenv("SUDO_UID"))
}

// safe reports whether safe.directory of the user's or the system's settings names a
// folder. A repository's own settings don't count. The last entry counts.
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

// names reports whether a value of safe.directory means a folder: it is one, or ends
// with /* and means all below.
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

// settings are the files that git takes the system's and the user's settings from.
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

// maxIncludes is how deep files may include each other, as in git.
const maxIncludes = 10

// included reads a file of settings with those that it includes. Conditions (includeIf)
// are not looked at: what follows them is left out.
func (d discovery) included(file string, depth int) config {
	entries, _ := readConfigFile(file) // what is before the damage counts
	var out config
	for _, e := range entries {
		out = append(out, e)
		if e.Section == "include" && e.Subsection == "" && e.Key == "path" && depth > 0 {
			out = append(out, d.included(absFrom(filepath.Dir(file), d.expand(e.Value)), depth-1)...)
		}
	}
	return out
}

// expand puts the user's home in the place of ~.
func (d discovery) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && d.getenv("HOME") != "" {
		return filepath.Join(d.getenv("HOME"), filepath.FromSlash(rest))
	}
	return filepath.FromSlash(path)
}
