package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/cmd/internal/settings"
	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/templates"
)

// installed is the result of install and uninstall. The JSON form is a public contract.
type installed struct {
	Settings string            `json:"settings"` // file of the client
	Backup   string            `json:"backup"`   // "" when there is none
	Program  string            `json:"program"`  // that the hooks run
	Root     string            `json:"root"`     // the root of memory
	DryRun   bool              `json:"dry_run"`
	Changes  []settings.Change `json:"changes"`
	Skills   []settings.Change `json:"skills"`
	Sessions int               `json:"sessions"` // whose transcripts backfill has not looked at
	Notes    []string          `json:"notes"`    // for the user to know or do
	Diff     string            `json:"diff"`     // of a dry run
}

// readOnlyRules are permission rules by which the client may query memory without asking. None
// of these commands writes memory.
func readOnlyRules() []string {
	return []string{"Bash(gitmem ask:*)", "Bash(gitmem recall:*)", "Bash(gitmem search:*)", "Bash(gitmem show:*)"}
}

// wanted is what the settings should hold if program runs the hooks.
func wanted(program string, rules bool) settings.Wanted {
	w := settings.Wanted{Own: gitmem.HookWords}
	for _, r := range hook.Registered() {
		w.Hooks = append(w.Hooks, settings.Hook{
			Event: r.Event, Matcher: r.Matcher, Command: program, Args: []string{"hook", r.Name}, Timeout: r.Timeout, StatusMessage: r.StatusMessage,
		})
	}
	if rules {
		w.Allow = readOnlyRules()
	}
	return w
}

// stableProgram is the path that still leads to this program after an upgrade: the one that
// it was called by if it is a link to this file, such as a package manager's, else the file
// itself.
func (a *app) stableProgram() (string, error) {
	program, err := a.program()
	if err != nil {
		return "", err
	}
	if path, err := a.calledBy(); err == nil && sameFile(path, program) {
		program = path
	}
	switch _, ok := gitmem.HookWords(program, []string{"hook", "stop"}); {
	case !ok:
		return "", hintError{fmt.Errorf("this program is called %s", filepath.Base(program)), "hooks are known again by their program's name: call it gitmem"}
	case strings.Contains(program, "go-build") && strings.Contains(filepath.ToSlash(program), "/exe/"):
		return "", hintError{fmt.Errorf("%s goes away when go run ends", program), "build it first: go install github.com/gitmem/gitmem/cmd/gitmem@latest"}
	case strings.ToValidUTF8(program, "") != program:
		return "", fmt.Errorf("the path %q is no UTF-8, which settings can't hold", program)
	}
	return program, nil
}

func (a *app) calledBy() (string, error) {
	name := a.name
	if !strings.ContainsAny(name, `/\`) {
		for _, dir := range filepath.SplitList(a.getenv("PATH")) {
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(path) {
				return path, nil
			}
		}
		return "", exec.ErrNotFound
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.dir, name)
	}
	return filepath.Clean(name), nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// settingsFile is the file of the client's settings to edit: the user's, or the local one
// of a checkout. A project's shared settings are never edited: they would publish the path
// of one user's program.
func settingsFile(m *gitmem.Memory, project bool) (string, error) {
	if !project {
		dir, err := m.Client()
		return filepath.Join(dir, "settings.json"), err
	}
	dir, err := m.Checkout()
	return filepath.Join(dir, ".claude", "settings.local.json"), err
}

// maxTries bounds how often an edit is repeated because the file was written meanwhile.
const maxTries = 5

// retryEdit repeats an edit until the file is not written in between.
func retryEdit(do func() error) error {
	for i := 0; ; i++ {
		err := do()
		if !errors.Is(err, install.ErrChanged) {
			return err
		}
		if i == maxTries {
			return fmt.Errorf("%w: %w", gitmem.ErrConflict, err)
		}
	}
}

// editSettings adds what is wanted to a file of settings.
func editSettings(recs install.Records, path string, w settings.Wanted, r *installed) error {
	return retryEdit(func() error {
		file, err := install.Read(path)
		if err != nil {
			return err
		}
		out, changes, err := settings.Install(file.Bytes, w)
		if err != nil {
			return refused(path, err)
		}
		r.Changes = changes
		if r.DryRun {
			r.Diff += unifiedDiff(path, file.Bytes, out)
			return nil
		}
		rec, known := recs.Load(path)
		if known && rec.Existed {
			r.Backup = recs.Backup(path)
		}
		if bytes.Equal(out, file.Bytes) {
			return nil
		}
		if rec, err = recordOf(rec, known, file, w); err != nil {
			return err
		}
		if err := recs.Save(rec.WithAfter(out)); err != nil {
			return err
		}
		if rec.Existed {
			r.Backup = recs.Backup(path)
		}
		return file.Write(out)
	})
}

// recordOf records the settings without gitmem's entries, before they are written.
func recordOf(rec install.Record, known bool, file install.File, w settings.Wanted) (install.Record, error) {
	if known && rec.Wrote(file.Bytes) {
		return rec, nil
	}
	if !known {
		rec = install.Record{File: file.Path, Existed: file.Exists}
	}
	before := file.Bytes
	if known || settings.HasOwn(file.Bytes, w) {
		w.Allow = readOnlyRules()
		var err error
		if before, _, err = settings.Remove(file.Bytes, rec.Before, w); err != nil {
			return rec, err
		}
	}
	rec.Before = before
	return rec, nil
}

// refused names the file that is invalid and says that nothing was changed.
func refused(path string, err error) error {
	return hintError{fmt.Errorf("%s: %w", path, err), "nothing was changed; put this right, then try again"}
}

// putSkill writes a skill of the user, but never overwrites the user's own.
func putSkill(dir string, r *installed) error {
	path := skillFile(dir)
	return retryEdit(func() error {
		file, err := install.Read(path)
		if err != nil {
			return err
		}
		text := install.Seal([]byte(templates.Remember()))
		r.Skills = []settings.Change{}
		change := settings.Change{Did: "added", What: path}
		switch {
		case bytes.Equal(file.Bytes, text):
			change.Did = "kept"
		case file.Exists && !install.Sealed(file.Bytes):
			change.Did, change.Notes = "kept", "a skill of your own"
		case file.Exists:
			change.Did = "replaced"
		}
		if r.Skills = append(r.Skills, change); change.Did == "kept" {
			return nil
		}
		if r.DryRun {
			r.Diff += unifiedDiff(path, file.Bytes, text)
			return nil
		}
		return file.Write(text)
	})
}

func skillFile(dir string) string { return filepath.Join(dir, "skills", "remember", "SKILL.md") }
