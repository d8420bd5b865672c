package workspace

import (
	"cmp"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers/git"
)

// author returns the committer for the store: git's own variables, else the user's git configuration, else a neutral
// name, since a missing name must not prevent a note.
func author(getenv func(string) string, home, machine string) store.Signature {
	name, email := getenv("GIT_AUTHOR_NAME"), getenv("GIT_AUTHOR_EMAIL")
	if name == "" || email == "" {
		n, e := userConfig(getenv, home)
		name, email = cmp.Or(name, n), cmp.Or(email, e)
	}
	return store.Signature{Name: cmp.Or(name, "gitmem"), Email: cmp.Or(email, "gitmem@"+cmp.Or(machine, "localhost"))}
}

// userConfig reads user.name and user.email from the user's own configuration files. Includes are not followed: a name
// in an included file is rare, and a neutral name suffices.
func userConfig(getenv func(string) string, home string) (name, email string) {
	files := []string{filepath.Join(home, ".gitconfig"),
		filepath.Join(cmp.Or(getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "config")}
	if f := getenv("GIT_CONFIG_GLOBAL"); f != "" {
		files = []string{f}
	}
	for _, file := range files {
		text, _ := git.ReadFile(file, 1<<20) // empty if unreadable
		set := git.Settings(text)
		name, email = cmp.Or(name, set["user.name"]), cmp.Or(email, set["user.email"])
	}
	return name, email
}
