package workspace

import (
	"cmp"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers/git"
)

// author is who commits to the store: git's own variables, else the user's git
// configuration, else a neutral name, since a missing name must not stop a note.
func author(getenv func(string) string, home, machine string) store.Signature {
	name, email := getenv("GIT_AUTHOR_NAME"), getenv("GIT_AUTHOR_EMAIL")
	if name == "" || email == "" {
		n, e := userConfig(getenv, home)
		name, email = cmp.Or(name, n), cmp.Or(email, e)
	}
	return store.Signature{Name: cmp.Or(name, "gitmem"), Email: cmp.Or(email, "gitmem@"+cmp.Or(machine, "localhost"))}
}

// userConfig reads user.name and user.email of the user's own configuration files.
// Includes are not followed: a name behind one is rare and a neutral name does.
func userConfig(getenv func(string) string, home string) (name, email string) {
	files := []string{filepath.Join(home, ".gitconfig"),
		filepath.Join(cmp.Or(getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "config")}
	if f := getenv("GIT_CONFIG_GLOBAL"); f != "" {
		files = []string{f}
	}
	for _, file := range files {
		text, _ := git.ReadFile(file, 1<<20) // none where it can't be read
		set := git.Settings(text)
		name, email = cmp.Or(name, set["user.name"]), cmp.Or(email, set["user.email"])
	}
	return name, email
}
