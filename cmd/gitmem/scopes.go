package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
)

// scopes returns the settings that the client merges in a folder: the user's, the checkout's two, and the
// managed ones.
func (a *app) scopes(m *gitmem.Memory) []gitmem.ClientSettings {
	var paths []string
	if user, err := settingsFile(m, false); err == nil {
		paths = append(paths, user)
	}
	if local, err := settingsFile(m, true); err == nil {
		shared := filepath.Join(filepath.Dir(local), "settings.json")
		if len(paths) == 0 || shared != paths[0] { // the home folder is not a project
			paths = append(paths, local, shared)
		}
	}
	if a.managed != "" {
		paths = append(paths, a.managed)
	}
	var out []gitmem.ClientSettings
	for _, p := range paths {
		if s, ok := gitmem.ReadSettings(p); ok {
			out = append(out, s)
		}
	}
	return out
}

// managedSettings returns the path of the settings that an administrator manages.
func managedSettings(system string) string {
	switch system {
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	}
	return "/etc/claude-code/managed-settings.json"
}

// checkNotRegistered returns an error if the hooks would run twice once installed.
func (a *app) checkNotRegistered(m *gitmem.Memory, path string, o installOptions) error {
	for _, s := range a.scopes(m) {
		if p := s.Plugin; p != "" {
			return hintError{fmt.Errorf("%w: the plugin %s, enabled in %s, calls these hooks already",
				gitmem.ErrConflict, p, s.Path),
				"one is enough: leave it at that, or run claude plugin uninstall " + p + " first"}
		}
		if o.project && s.Path != path && len(s.Own) > 0 {
			return hintError{fmt.Errorf("%w: %s calls these hooks already, here too", gitmem.ErrConflict, s.Path),
				"one is enough: leave it at that, or run gitmem uninstall first"}
		}
	}
	return nil
}

// blockedBy returns why the client cannot run hooks because of a settings file, or "".
func (a *app) blockedBy(s gitmem.ClientSettings) string {
	switch {
	case s.Err != nil:
		return fmt.Sprintf("%s can't be read, so that the client may leave it out: %v", s.Path, s.Err)
	case s.Disabled:
		return fmt.Sprintf("disableAllHooks is true in %s: no hook runs until that is taken out", s.Path)
	case s.ManagedOnly && s.Path == a.managed:
		return fmt.Sprintf("%s lets only hooks of an administrator run: ask there for gitmem", s.Path)
	}
	return ""
}

// installNotes returns the conflicts with what was installed.
func (a *app) installNotes(m *gitmem.Memory, r *installed, o installOptions) []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	for _, s := range a.scopes(m) {
		if why := a.blockedBy(s); why != "" {
			add("%s", why)
		} else if s.Path != r.Settings && len(s.Own) > 0 {
			add("%s has these hooks too, so that they run twice here: take one out with gitmem uninstall --project", s.Path)
		}
	}
	if o.project {
		add("keep %s out of commits: it names a program of yours", r.Settings)
		if c, err := a.client("copilot"); err == nil && a.isHere(c) {
			add("%s calls these hooks as well, once it trusts the folder", c.title)
		}
	}
	if _, err := (&app{name: "gitmem", dir: a.dir, getenv: a.getenv}).calledBy(); err != nil && !o.hooksOnly {
		add("no gitmem is on PATH: hooks run all the same, but /remember needs it: add %s to PATH", filepath.Dir(r.Program))
	}
	if !r.DryRun {
		add("sessions that are open take this up when they begin anew")
	}
	return notes
}

// calledBySettings reports whether the settings call a hook that the plugin called as well:
// then the settings' call does the work.
func (a *app) calledBySettings(name string) bool {
	dir := a.getenv("CLAUDE_CONFIG_DIR")
	if dir == "" {
		dir = filepath.Join(a.home, ".claude")
	}
	paths := []string{filepath.Join(dir, "settings.json")}
	if project := a.getenv("CLAUDE_PROJECT_DIR"); project != "" {
		paths = append(paths, filepath.Join(project, ".claude", "settings.local.json"),
			filepath.Join(project, ".claude", "settings.json"))
	}
	for _, p := range paths {
		s, ok := gitmem.ReadSettings(p)
		if !ok || s.Err != nil {
			continue
		}
		for _, h := range s.Own {
			if _, err := exec.LookPath(h.Program); h.Hook == name && err == nil {
				return true
			}
		}
	}
	return false
}

// calledByAgent reports whether an agent's own settings call a hook: then a hook that the agent calls because
// of the plugin, or because of a checkout's Claude Code settings, does nothing.
func (a *app) calledByAgent(agent, name string) bool {
	home := cmp.Or(a.getenv(strings.ToUpper(agent)+"_HOME"), filepath.Join(a.home, "."+agent))
	for _, pattern := range []string{
		filepath.Join(home, "hooks.json"), filepath.Join(home, "hooks", "*.json"),
		filepath.Join(home, "config.toml"), filepath.Join(home, "settings.json"),
		filepath.Join(a.dir, "."+agent, "hooks.json"), filepath.Join(a.dir, ".github", "hooks", "*.json"),
	} {
		files, _ := filepath.Glob(pattern) // an invalid pattern matches nothing
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err == nil && strings.Contains(string(b), " hook "+name+" --agent "+agent) {
				return true
			}
		}
	}
	return false
}
