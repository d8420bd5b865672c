package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/index"

	"github.com/gitmem/gitmem/providers/git"
)

// Tracked finds files of memory that other repositories track: those that contain the root, including dotfiles kept
// beside the home folder. It also reports a .gitignore there that re-includes memory, if git is installed to check
// that.
func (s *Store) Tracked(ctx context.Context) ([]Trouble, error) {
	others, err := s.foreignRepositories()
	var found []Trouble
	for _, f := range others {
		found = append(found, s.exposed(ctx, f)...)
	}
	return found, err
}

// exposed returns the files of memory that a repository includes although it may exclude them.
func (s *Store) exposed(ctx context.Context, f foreign) []Trouble {
	found := f.tracked(func(name string) bool {
		return name != ignoreFile && (Allowed(name) || strings.HasPrefix(name, ourDir+"/"))
	})
	if len(f.notExcluded(s.gitDir == rootGitDir)) == 0 && s.reincludes(ctx, f) {
		found = append(found, Trouble{Level: Fail, Path: f.gitDir,
			Detail: "does not ignore memory: one of its .gitignore files lets in what its info/exclude keeps out"})
	}
	return found
}

// tracked returns the paths relative to the root that are in the index of a repository and that asked accepts.
func (f foreign) tracked(asked func(name string) bool) []Trouble {
	b, err := git.ReadFile(filepath.Join(f.gitDir, "index"), maxForeign)
	if f.gitDir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var ix index.Index
	if err == nil {
		err = index.NewDecoder(bytes.NewReader(b)).Decode(&ix)
	}
	if err != nil && !errors.Is(err, index.ErrInvalidChecksum) { // index.skipHash omits it
		return []Trouble{{Path: f.gitDir, Detail: "whether it tracks files of memory is not known: " + err.Error()}}
	}
	var found []Trouble
	prefix := path.Clean(f.below) + "/"
	if f.below == "." {
		prefix = ""
	}
	for _, e := range ix.Entries {
		if name, inRoot := strings.CutPrefix(e.Name, prefix); inRoot && asked(name) {
			found = append(found, Trouble{Level: Fail, Path: f.gitDir, Detail: "tracks " + e.Name +
				", too: what is written there goes where that repository goes; git rm --cached takes it out there"})
		}
	}
	return found
}
