package workspace

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
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
	files := []string{filepath.Join(home, ".gitconfig"), filepath.Join(cmp.Or(getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "config")}
	if f := getenv("GIT_CONFIG_GLOBAL"); f != "" {
		files = []string{f}
	}
	for _, file := range files {
		n, e := userSection(file)
		name, email = cmp.Or(name, n), cmp.Or(email, e)
	}
	return name, email
}

func userSection(file string) (name, email string) {
	f, err := os.Open(file)
	if err != nil {
		return "", ""
	}
	defer f.Close()
	in := false
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		if strings.HasPrefix(line, "[") {
			in = strings.EqualFold(line, "[user]")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !in || !ok {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "name":
			name = value
		case "email":
			email = value
		}
	}
	return name, email
}
