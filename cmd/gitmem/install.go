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

// installed is what install and uninstall did. The JSON form is a public contract.
type installed struct {
	Settings string            `json:"settings"` // file of the client
	Backup   string            `json:"backup"`   // "" when there is none
	Program  string            `json:"program"`  // that the hooks run
	Root     string            `json:"root"`     // where memory lies
	DryRun   bool              `json:"dry_run"`
	Changes  []settings.Change `json:"changes"`
	Skills   []settings.Change `json:"skills"`
	Sessions int               `json:"sessions"` // whose transcripts backfill has not looked at
	Notes    []string          `json:"notes"`    // what a person should know or do
	Diff     string            `json:"diff"`     // of a dry run
}

// readRules let the client ask memory without asking the person. None of these
// commands writes memory.
func readRules() []string {
	return []string{"Bash(gitmem ask:*)", "Bash(gitmem recall:*)", "Bash(gitmem search:*)", "Bash(gitmem show:*)"}
}

// wanted is what belongs into the settings when program runs the hooks.
func wanted(program string, rules bool) settings.Wanted {
	w := settings.Wanted{Own: gitmem.HookWords}
	for _, r := range hook.Registered() {
		w.Hooks = append(w.Hooks, settings.Hook{
			Event: r.Event, Matcher: r.Matcher, Command: program, Args: []string{"hook", r.Name}, Timeout: r.Timeout, StatusMessage: r.StatusMessage,
		})
	}
	if rules {
		w.Allow = readRules()
	}
	return w
}

// stableProgram is the path by which this program is found again after an upgrade: the
// one that it was called by where that is this file, such as a link that a package
// manager renews, else the file itself.
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
		return "", hinted{fmt.Errorf("this program is called %s", filepath.Base(program)), "hooks are known again by their program's name: call it gitmem"}
	case strings.Contains(program, "go-build") && strings.Contains(filepath.ToSlash(program), "/exe/"):
		return "", hinted{fmt.Errorf("%s goes away when go run ends", program), "build it first: go install github.com/gitmem/gitmem/cmd/gitmem@latest"}
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

// settingsFile is what of the client's settings is edited: the user's, or those that
// a checkout keeps for its own user. The ones that a project shares are never edited:
// they would send the path of somebody's program to everybody.
func settingsFile(m *gitmem.Memory, project bool) (string, error) {
	if !project {
		dir, err := m.Client()
		return filepath.Join(dir, "settings.json"), err
	}
	dir, err := m.Checkout()
	return filepath.Join(dir, ".claude", "settings.local.json"), err
}

// tries is how often an edit begins anew because somebody wrote the file meanwhile.
const tries = 5

// retried does an edit until nobody writes in between.
func retried(do func() error) error {
	for i := 0; ; i++ {
		err := do()
		if !errors.Is(err, install.ErrChanged) {
			return err
		}
		if i == tries {
			return fmt.Errorf("%w: %w", gitmem.ErrConflict, err)
		}
	}
}

// editSettings puts what is wanted into a file of settings.
func editSettings(recs install.Records, path string, w settings.Wanted, r *installed) error {
	return retried(func() error {
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

// recordOf says what the settings are without us, before they are written.
func recordOf(rec install.Record, known bool, file install.File, w settings.Wanted) (install.Record, error) {
	if known && rec.Wrote(file.Bytes) {
		return rec, nil
	}
	if !known {
		rec = install.Record{File: file.Path, Existed: file.Exists}
	}
	before := file.Bytes
	if known || settings.HasOwn(file.Bytes, w) {
		w.Allow = readRules()
		var err error
		if before, _, err = settings.Remove(file.Bytes, rec.Before, w); err != nil {
			return rec, err
		}
	}
	rec.Before = before
	return rec, nil
}

// refused says which file is wrong and that nothing was changed.
func refused(path string, err error) error {
	return hinted{fmt.Errorf("%s: %w", path, err), "nothing was changed; put this right, then try again"}
}

// putSkill writes a skill for this user, but never over one of the user's own.
func putSkill(dir string, r *installed) error {
	path := skillFile(dir)
	return retried(func() error {
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
