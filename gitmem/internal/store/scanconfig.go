package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// Config checks our repository's configuration: whether it is ours, whether its work tree is the root, and which
// settings can't be used here.
func (s *Store) Config() ([]Trouble, error) {
	var found []Trouble
	for _, dir := range []string{innerGitDir, rootGitDir} {
		if dir != s.gitDir && s.markedOurs(dir) {
			found = append(found, Trouble{Level: Warn, Path: dir, Detail: "is a second repository of gitmem's; only " +
				s.gitDir + " is written to"})
		}
	}
	if s.gitDir == "" {
		if s.exists(innerGitDir) {
			found = append(found, Trouble{Level: Fail, Path: innerGitDir,
				Detail: "is there, but its config does not say gitmem.owned = true, so nothing is committed to it"})
		}
		return found, nil
	}
	if dir := s.Unadopted(); dir != "" {
		found = append(found, Trouble{Level: Warn, Path: dir, Detail: "is a clone of memory, but notes go to " + s.gitDir +
			": move that away, then gitmem init --adopt goes on with the clone"})
	}
	name := s.gitPath("config")
	b, err := s.disk.readFile(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	add := func(l Level, fixable bool, detail string) {
		found = append(found, Trouble{Level: l, Path: name, Fixable: fixable, Detail: detail})
	}
	conf := git.Settings(b)
	if s.problem != "" {
		add(Fail, false, s.problem+", which can't be written here")
	}
	if git := s.wrongWorktree(conf["core.worktree"]); git != "" {
		add(Fail, true, git)
	}
	if slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(conf["core.bare"])) {
		add(Fail, true, "core.bare is true, so that git sees no files")
	}
	if auto := strings.ToLower(conf["core.autocrlf"]); auto != "" && auto != "false" {
		add(Warn, true, "core.autocrlf is "+auto+", so that git changes line ends")
	}
	return found, nil
}

func (s *Store) markedOurs(dir string) bool {
	b, err := s.disk.readFile(dir + "/config")
	return err == nil && git.Settings(b)["gitmem.owned"] == "true"
}

// wrongWorktree describes the problem with core.worktree, or returns "" if there is none.
func (s *Store) wrongWorktree(set string) string {
	switch {
	case set == "" && s.gitDir == innerGitDir:
		return "core.worktree is missing: git takes gitmem/ for the work tree"
	case set == "":
		return ""
	}
	at := resolve(s.GitDir(), set)
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	if root, err := filepath.EvalSymlinks(s.o.Root); err == nil && root != at {
		return "core.worktree names another folder than the root"
	}
	return ""
}

// FixConfig repairs what [Store.Config] found, through git, which preserves the rest of the file. It returns an error
// if git is not installed.
func (s *Store) FixConfig(ctx context.Context) error {
	err := errors.Join(s.setConfig(ctx, "core.bare", "false"), s.setConfig(ctx, "core.autocrlf", "false"))
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("git is not installed, and it alone changes its config file")
	}
	if s.gitDir == innerGitDir {
		return errors.Join(err, s.setConfig(ctx, "core.worktree", "../.."))
	}
	if b, readErr := s.disk.readFile(s.gitPath("config")); readErr == nil &&
		s.wrongWorktree(git.Settings(b)["core.worktree"]) != "" {
		err = errors.Join(err, s.setConfig(ctx, "--unset-all", "core.worktree"))
	}
	return err
}

// setConfig makes git change our repository's configuration, and waits while another git does so.
func (s *Store) setConfig(ctx context.Context, args ...string) error {
	wait, cancel := s.deadline(ctx)
	defer cancel()
	for {
		err := s.git(ctx, nil, append([]string{"config", "--file=" + s.abs(s.gitPath("config"))}, args...)...)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != configLocked {
			return err
		}
		select {
		case <-wait.Done():
			return err
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// configLocked is the exit code of git config while another git is changing the file.
const configLocked = 255

// IgnoreLists checks whether the allow-list is complete: in our info/exclude and, if the root is ours, in the
// .gitignore that gitmem created; and whether the repository that contains the root excludes our folders.
func (s *Store) IgnoreLists() ([]Trouble, error) {
	if !s.HasRepository() {
		return nil, nil
	}
	var found []Trouble
	for _, name := range s.ignoreFiles() {
		b, err := s.disk.readFile(name)
		if err != nil && !isMissing(err) {
			return found, fmt.Errorf("read %s: %w", name, err)
		}
		if n := missingLines(string(b), s.rules()); n > 0 {
			found = append(found, Trouble{Level: Fail, Path: name, Fixable: true,
				Detail: fmt.Sprintf("%d lines of the allow-list are missing: git add could take what is not memory", n)})
		}
	}
	others, err := s.foreignRepositories()
	for _, f := range others {
		found = append(found, f.notExcluded(s.gitDir == rootGitDir)...)
	}
	return found, err
}

// notExcluded reports that a repository does not exclude memory.
func (f foreign) notExcluded(whole bool) []Trouble {
	if f.common == "" {
		return nil
	}
	name := filepath.Join(f.common, "info", "exclude")
	t := Trouble{Level: Fail, Path: name, Fixable: true}
	b, err := git.ReadFile(name, maxForeign)
	lacks := func(line string) bool { return missingLines(string(b), line) > 0 }
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		t.Fixable, t.Detail = false, "can't be read, so that "+f.name()+" shows memory as untracked: "+err.Error()
	case slices.ContainsFunc(f.excludeLines(whole), lacks):
		t.Detail = "does not exclude memory, so that " + f.name() + " shows memory as untracked: git add there would take it"
	default:
		return nil
	}
	return []Trouble{t}
}

func (s *Store) rules() string { return ignoreRules(s.gitDir == rootGitDir) }

// ignoreFiles lists the files that contain our allow-list. A .gitignore that existed before gitmem belongs to its
// owner.
func (s *Store) ignoreFiles() []string {
	names := []string{s.gitPath("info/exclude")}
	if s.gitDir != rootGitDir {
		return names
	}
	first, _, _ := strings.Cut(s.rules(), "\n")
	if b, err := s.disk.readFile(ignoreFile); err == nil && strings.Contains(string(b), first) {
		names = append(names, ignoreFile)
	}
	return names
}

// missingLines counts the rules that a file lacks. They must be in order: a later line overrides an earlier one.
// Comments do not count.
func missingLines(have, rules string) int {
	missing := 0
	left := strings.Split(strings.ReplaceAll(have, "\r\n", "\n"), "\n")
	for rule := range strings.SplitSeq(strings.TrimSuffix(rules, "\n"), "\n") {
		if strings.HasPrefix(rule, "#") {
			continue
		}
		if i := slices.Index(left, rule); i >= 0 {
			left = left[i+1:]
		} else {
			missing++
		}
	}
	return missing
}

// WriteIgnoreLists appends the whole allow-list to the files that lack a part of it, so that it overrides earlier
// lines, and our lines to the other repository's exclude file.
func (s *Store) WriteIgnoreLists(found []Trouble) error {
	var errs []error
	for _, t := range found {
		switch {
		case !t.Fixable:
		case slices.Contains(s.ignoreFiles(), t.Path):
			errs = append(errs, s.extendOwn(t.Path, s.rules()))
		default:
			others, err := s.foreignRepositories()
			for _, f := range others {
				err = errors.Join(err, f.exclude(s.gitDir == rootGitDir))
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// extendOwn appends lines to a file of our own, unless a link leads it out of the root.
func (s *Store) extendOwn(rel, lines string) error {
	if _, err := s.disk.root.Stat(rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return extendList(s.abs(rel), lines, filePerm)
}

// extendList appends lines to a file of git, unless it has them. perm applies to a new file, and determines the mode of
// its folder.
func extendList(name, lines string, perm fs.FileMode) error {
	old, err := git.ReadFile(name, maxForeign)
	if err != nil && !isMissing(err) || missingLines(string(old), lines) == 0 {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), perm|perm>>2&0o111); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, perm)
	if err != nil {
		return err
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		lines = "\n" + lines
	}
	_, err = f.WriteString(lines)
	return errors.Join(err, f.Close())
}
