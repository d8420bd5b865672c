package main

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/gitmem"
)

// hookCheck returns the data of the front ends for the doctor's check of hooks.
func (a *app) hookCheck(m *gitmem.Memory) gitmem.HookCheck {
	c := gitmem.HookCheck{Conflicts: func() []string { return a.hookConflicts(m) }, Clients: a.clientStates(m)}
	for _, r := range hook.Registered("claude") {
		c.Wanted = append(c.Wanted, gitmem.ClientHook{Event: r.Event, Hook: r.Name})
	}
	program, err := a.stableProgram()
	if err != nil {
		return c // without the program's path there is nothing to register
	}
	c.Register = func(ctx context.Context) error {
		path, err := settingsFile(m, false)
		if err != nil {
			return err
		}
		dir, err := m.InstallDir()
		if err != nil {
			return err
		}
		return m.Installing(ctx, func() error {
			return claudeEdit(path, wanted(program, nil)).do(install.Records{Dir: dir}, false, &installed{})
		})
	}
	return c
}

// hookConflicts returns the settings that prevent hooks from running, except those in the user's settings,
// which the library checks.
func (a *app) hookConflicts(m *gitmem.Memory) []string {
	var messages, files []string // messages, and files with hooks of ours
	plugin := ""
	user, _ := settingsFile(m, false)
	for _, s := range a.scopes(m) {
		if len(s.Own) > 0 {
			files = append(files, s.Path)
		}
		if p := s.Plugin; p != "" {
			plugin = p
		}
		if s.Path != user {
			messages = append(messages, a.conflictsIn(s)...)
		}
	}
	if len(files) > 1 {
		messages = append(messages,
			fmt.Sprintf("%s and %s both call these hooks, so that everything is recorded twice here: run gitmem uninstall "+
				"--project", files[0], files[1]))
	}
	if plugin != "" && len(files) > 0 {
		messages = append(messages,
			fmt.Sprintf("the plugin %s and %s both name these hooks: those of the plugin do nothing, and its tools are none, "+
				"as long as the others can run; keep one, by gitmem uninstall or claude plugin uninstall %s", plugin,
				files[0], plugin))
	}
	return messages
}

// conflictsIn returns the conflicts in settings other than the user's.
func (a *app) conflictsIn(s gitmem.ClientSettings) (found []string) {
	if why := a.blockedBy(s); why != "" {
		found = append(found, why)
	}
	for _, h := range s.Own {
		if _, err := exec.LookPath(h.Program); err != nil {
			return append(found, fmt.Sprintf("%s runs %s, which can't be run: register it anew with gitmem install --project",
				s.Path, h.Program))
		}
	}
	return found
}
