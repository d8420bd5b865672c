package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/cmd/internal/settings"
	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newUninstallCmd() *cobra.Command {
	var o installOptions
	c := a.command("uninstall", "Take out of Claude Code's settings what install put there", cobra.NoArgs, func(ctx context.Context, m *gitmem.Memory, _ []string) error {
		return a.runUninstall(ctx, m, o)
	})
	c.Flags().BoolVar(&o.project, "project", false, "for this checkout only, what install --project did")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would change, and change nothing")
	return a.jsonFlag(c, "print what was done as JSON")
}

func (a *app) runUninstall(ctx context.Context, m *gitmem.Memory, o installOptions) error {
	path, err := settingsFile(m, o.project)
	if err != nil {
		return err
	}
	r := &installed{Settings: path, Root: m.Root(), DryRun: o.dryRun, Changes: []settings.Change{}, Skills: []settings.Change{}, Notes: []string{}}
	dir, err := m.InstallDir()
	if err != nil {
		return err
	}
	recs := install.Records{Dir: dir}
	edit := func() error {
		if err := restoreSettings(recs, path, r); err != nil || o.project {
			return err
		}
		return removeSkill(filepath.Dir(path), r)
	}
	if o.dryRun {
		err = edit()
	} else {
		err = m.Installing(ctx, edit)
		_ = os.Remove(filepath.Join(recs.Dir, "lock"))
		_ = os.Remove(recs.Dir) // stays as long as another checkout needs it
	}
	if err != nil {
		return err
	}
	r.Notes = append(r.Notes, a.otherRegistrations(m, path)...)
	if a.json {
		r.Diff = gitmem.Redacted(r.Diff)
		return a.printJSON(r)
	}
	a.printUninstalled(r)
	return nil
}

// restoreSettings removes gitmem's entries from a file of settings.
func restoreSettings(recs install.Records, path string, r *installed) error {
	return retryEdit(func() error {
		file, err := install.Read(path)
		if err != nil {
			return err
		}
		rec, known := recs.Load(path)
		out, changes, gone, err := withoutOwn(file, rec, known)
		if err != nil {
			return refused(path, err)
		}
		if r.Changes = append([]settings.Change{}, changes...); r.DryRun {
			r.Diff += unifiedDiff(path, file.Bytes, out)
			return nil
		}
		switch {
		case gone && file.Exists:
			err = file.Remove()
		case !bytes.Equal(out, file.Bytes):
			err = file.Write(out)
		}
		if err != nil || !known {
			return err
		}
		if !rec.Existed {
			install.RemoveFolder(filepath.Dir(path))
		}
		return recs.Drop(path)
	})
}

// withoutOwn returns settings without gitmem's entries: the original bytes, if they are
// still as install left them. gone means that the file did not exist before.
func withoutOwn(file install.File, rec install.Record, known bool) (out []byte, changes []settings.Change, gone bool, err error) {
	if !file.Exists {
		return nil, nil, false, nil
	}
	w := wanted("", true)
	out, changes, err = settings.Remove(file.Bytes, rec.Before, w)
	if err == nil && known && rec.Wrote(file.Bytes) {
		out, _, err = settings.Remove(rec.Before, rec.Before, w)
	}
	if err != nil || !known || rec.Existed {
		return out, changes, false, err
	}
	if gone = len(out) == 0 || settings.Empty(out); gone {
		out = nil
	}
	return out, changes, gone, nil
}

// removeSkill removes a skill that install wrote and nobody changed.
func removeSkill(dir string, r *installed) error {
	path := skillFile(dir)
	file, err := install.Read(path)
	if err != nil {
		return err
	}
	if file.Exists && !install.Sealed(file.Bytes) {
		r.Skills = append(r.Skills, settings.Change{Did: "kept", What: path, Notes: "it is not as install wrote it"})
		return nil
	}
	if file.Exists {
		r.Skills = append(r.Skills, settings.Change{Did: "removed", What: path})
		if r.DryRun {
			r.Diff += unifiedDiff(path, file.Bytes, nil)
			return nil
		}
		if err := file.Remove(); err != nil {
			return err
		}
		install.RemoveFolder(filepath.Dir(path))
		install.RemoveFolder(filepath.Join(dir, "skills"))
	}
	return nil
}

// otherRegistrations reports where else gitmem's hooks remain registered.
func (a *app) otherRegistrations(m *gitmem.Memory, path string) []string {
	var notes []string
	for _, s := range a.scopes(m) {
		if s.Path != path && len(s.Own) > 0 {
			notes = append(notes, "hooks are left in "+s.Path)
		}
		if p := s.Plugin; p != "" {
			notes = append(notes, "the plugin stays; it goes with claude plugin uninstall "+p)
		}
	}
	return notes
}

func (a *app) printUninstalled(r *installed) {
	switch {
	case r.DryRun:
		a.printDry(r)
	case len(r.Changes) == 0:
		fmt.Fprintf(a.out, "no hook of gitmem's is in %s\n", printable(r.Settings))
	default:
		fmt.Fprintf(a.out, "took %d hooks and permission rules out of %s\n", len(r.Changes), printable(r.Settings))
	}
	for _, s := range r.Skills {
		if !r.DryRun || s.Did == "kept" {
			fmt.Fprintf(a.out, "skill: %s %s\n", s.Did, printable(s.What))
		}
	}
	a.printNotes(r)
	if !r.DryRun {
		fmt.Fprintf(a.out, "memory stays in %s\n", printable(r.Root))
	}
}
