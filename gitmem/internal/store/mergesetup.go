package store

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// attributes keep git from converting files of memory, and make it merge them semantically. They apply to every path,
// so that two versions of a file that is not memory never conflict: git would write them into the work tree. They
// override a .gitattributes that somebody pushed.
const attributes = "# Memory is stored as it is, whatever core.autocrlf says, and merged by gitmem merge-driver.\n" +
	"* -text -filter -ident !working-tree-encoding merge=gitmem\n"

// oldAttributes are the attributes of earlier versions. A union merge corrupts frontmatter.
const oldAttributes = "# Memory is stored as it is, whatever core.autocrlf says.\n* -text\n" +
	"# Lists: a merge keeps the lines of both sides.\n" +
	"/gitmem/projects/**/project.md merge=union\n/gitmem/forgotten.md merge=union\n" +
	"/projects/*/memory/*.md merge=union\n"

// driverCall is the part after the program in the command of the merge driver. If the program is missing or fails, git
// merge-file marks conflicts as usual; otherwise git would keep our side without marks.
const driverCall = " merge-driver %O %A %B %P || git merge-file --diff3 -L ours -L base -L theirs %A %O %B"

// setting is an entry of our repository's configuration that is the same in each clone.
type setting struct{ key, value, without string }

// mergeSettings returns the settings that restrict what git writes to the allow-list, and make its merges semantic.
func (s *Store) mergeSettings() []setting {
	const foreign = "git pull could write what is not memory"
	return []setting{
		{"core.sparseCheckout", "true", foreign},
		{"core.sparseCheckoutCone", "false", foreign},
		{"core.symlinks", "false", "git pull could write links out of memory"},
		{"sparse.expectFilesOutsideOfPatterns", "true",
			"git would compare what is not memory with what somebody pushed"},
		{"merge.renames", "false", "a merge could take one file of memory for another that looks like it"},
		{"merge.gitmem.name", "files of memory, by their meaning", "git names the merge driver otherwise"},
		{"merge.gitmem.driver", s.driver(), "git merges memory by lines"},
	}
}

// driver returns the command of the merge driver, with % escaped for git.
func (s *Store) driver() string {
	program := s.o.Program
	if program == "" {
		program = "gitmem"
	}
	if strings.Trim(program, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") != "" {
		program = "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	}
	return strings.ReplaceAll(program, "%", "%%") + driverCall
}

// driverProgram returns the program that a merge driver's command runs; ok reports whether the command is of this
// version.
func driverProgram(command string) (program string, ok bool) {
	program, ok = strings.CutSuffix(command, driverCall)
	program = strings.ReplaceAll(program, "%%", "%")
	if quoted, is := strings.CutPrefix(program, "'"); is {
		program = strings.ReplaceAll(strings.TrimSuffix(quoted, "'"), `'\''`, "'")
	}
	return program, ok
}

// names returns the section of the key and the name in it.
func (w setting) names() (section, name string) {
	at := strings.LastIndexByte(w.key, '.')
	return w.key[:at], w.key[at+1:]
}

// wrong describes the problem with a setting, or returns "" if there is none. A merge driver may run any gitmem.
func (w setting) wrong(conf map[string]string) string {
	section, name := w.names()
	has := conf[section+"."+strings.ToLower(name)]
	switch {
	case w.key == "merge.gitmem.driver" && has != "":
	case has == w.value:
		return ""
	default:
		return w.key + " is not " + w.value + ": " + w.without
	}
	program, ok := driverProgram(has)
	if !ok {
		return w.key + " is that of another version: " + w.without
	}
	if _, err := exec.LookPath(program); err != nil {
		return w.key + " runs " + program + ", which is not there: " + w.without
	}
	return ""
}

// gitConfig reads our repository's configuration, overridden by that of the work tree.
func (s *Store) gitConfig() (map[string]string, error) {
	name := s.gitPath("config")
	b, err := s.disk.readFile(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	conf := git.Settings(b)
	if strings.EqualFold(conf["extensions.worktreeconfig"], "true") {
		if b, err := s.disk.readFile(s.gitPath("config.worktree")); err == nil {
			for key, value := range git.Settings(b) {
				conf[key] = value
			}
		}
	}
	return conf, nil
}

// MergeSetup checks whether git in this clone merges memory semantically and writes nothing else.
func (s *Store) MergeSetup() ([]Trouble, error) {
	if !s.HasRepository() {
		return nil, nil
	}
	conf, err := s.gitConfig()
	if err != nil {
		return nil, err
	}
	var found []Trouble
	for _, w := range s.mergeSettings() {
		if why := w.wrong(conf); why != "" {
			found = append(found, Trouble{Level: Warn, Path: s.gitPath("config"), Fixable: true, Detail: why})
		}
	}
	for _, f := range s.mergeFiles() {
		old, err := s.disk.readFile(f.path)
		switch {
		case err != nil && !isMissing(err):
			return found, fmt.Errorf("read %s: %w", f.path, err)
		case f.become(string(old)) != string(old):
			found = append(found, Trouble{Level: Warn, Path: f.path, Fixable: true, Detail: f.wrong})
		}
	}
	return found, nil
}

// mergeFile is a file of git that contains our lines: they replace old ones, or are the whole file if old is "".
type mergeFile struct{ path, wrong, old, now string }

func (s *Store) mergeFiles() [2]mergeFile {
	return [...]mergeFile{
		{s.gitPath("info/attributes"), "does not let git merge memory by its meaning", oldAttributes, attributes},
		{s.gitPath("info/sparse-checkout"),
			"is not the allow-list: git pull could write what is not memory, or leave out what is",
			"", sparsePatterns(s.gitDir == rootGitDir)},
	}
}

// become returns the new content of the file for its current text.
func (f mergeFile) become(text string) string {
	if f.old == "" {
		return f.now
	}
	return replaceLines(text, f.old, f.now)
}

// replaceLines replaces old lines, or appends the new lines to a text that has neither.
func replaceLines(text, old, now string) string {
	gone, at := strings.Split(strings.TrimSuffix(old, "\n"), "\n"), -1
	var kept []string
	for line := range strings.Lines(text) {
		if !slices.Contains(gone, strings.TrimRight(line, "\r\n")) {
			kept = append(kept, line)
		} else if at < 0 {
			at = len(kept)
		}
	}
	if at < 0 {
		at = len(kept)
	}
	if missingLines(strings.Join(kept, ""), now) == 0 {
		return strings.Join(kept, "")
	}
	if at > 0 && !strings.HasSuffix(kept[at-1], "\n") {
		kept[at-1] += "\n"
	}
	return strings.Join(slices.Insert(kept, at, now), "")
}

// FixMergeSetup repairs the problems that [Store.MergeSetup] found. Only git changes its configuration.
func (s *Store) FixMergeSetup(ctx context.Context) error {
	found, err := s.MergeSetup()
	if err != nil || len(found) == 0 {
		return err
	}
	if err := s.skipForeign(ctx); err != nil {
		return err
	}
	for _, f := range s.mergeFiles() {
		old, err := s.disk.readFile(f.path)
		if err != nil && !isMissing(err) {
			return fmt.Errorf("read %s: %w", f.path, err)
		}
		if now := f.become(string(old)); now != string(old) {
			if err := s.replaceGitFile(f.path, now); err != nil {
				return err
			}
		}
	}
	return s.setMergeConfig(ctx)
}

func (s *Store) setMergeConfig(ctx context.Context) error {
	conf, err := s.gitConfig()
	if err != nil {
		return err
	}
	for _, w := range s.mergeSettings() {
		if w.wrong(conf) == "" {
			continue
		}
		if s.exists(s.gitPath("config.worktree")) { // it would take precedence
			_ = s.git(ctx, nil, "config", "--file="+s.abs(s.gitPath("config.worktree")), "--unset-all", w.key)
		}
		err := s.setConfig(ctx, "--replace-all", w.key, w.value)
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New("git is not installed, and it alone changes its config file")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replaceGitFile atomically replaces a file of our git directory.
func (s *Store) replaceGitFile(rel, content string) error {
	temp, err := s.disk.temp(path.Dir(rel), []byte(content), filePerm, true)
	if err != nil {
		return err
	}
	return s.disk.rename(temp, rel)
}

// skipForeign marks tracked paths that are not memory as skip-worktree, as a sparse checkout does: without the mark git
// would delete the files with these names when it becomes sparse.
func (s *Store) skipForeign(ctx context.Context) error {
	snap, err := s.snapshot()
	if err != nil {
		return err
	}
	var missing, skip strings.Builder
	mark := func(name string) { skip.WriteString(name + "\x00") }
	if snap.index != nil {
		for _, e := range snap.index.entries {
			if name := string(e.name); e.stage() == 0 && !e.isSkipped() && !s.allowed(name) {
				mark(name)
			}
		}
	}
	err = flatten(s.objects.get, snap.tree, everywhere, func(name string, f file) error {
		if s.allowed(name) {
			return nil
		}
		if snap.index != nil {
			if _, staged, unmerged := snap.index.find(name); staged || unmerged {
				return nil
			}
		}
		fmt.Fprintf(&missing, "%o %s\t%s\x00", f.mode, f.id, name)
		mark(name)
		return nil
	})
	if err != nil || skip.Len() == 0 {
		return err
	}
	if _, err := s.ourGit(ctx, []byte(missing.String()), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	_, err = s.ourGit(ctx, []byte(skip.String()), "update-index", "--skip-worktree", "-z", "--stdin")
	return err
}
