package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/cmd/internal/settings"
	"github.com/gitmem/gitmem/gitmem"
)

// clientStates returns the clients other than Claude Code that start gitmem or call its hooks, with what
// prevents that.
func (a *app) clientStates(m *gitmem.Memory) (list []gitmem.ClientState) {
	for _, c := range a.clients()[1:] {
		edits, err := a.clientEdits(c, "")
		if err != nil || !filepath.IsAbs(c.dir) {
			continue
		}
		s := gitmem.ClientState{Name: c.name, Title: c.title}
		var hooks []settings.Place // from the file that registers hooks
		for _, e := range edits {
			file, err := install.Read(e.path)
			if err != nil {
				s.Wants = append(s.Wants, fmt.Sprintf("%s can't be read: %v", e.path, err))
			}
			for _, p := range e.places(file.Bytes) {
				if p.Program != "" && !slices.Contains(s.Programs, p.Program) {
					s.Programs = append(s.Programs, p.Program)
				}
				if p.Event != "" {
					hooks = append(hooks, p)
				}
			}
			s.Paths = append(s.Paths, e.path)
		}
		if len(s.Programs) == 0 {
			continue
		}
		if want := a.clientWant(m, c, hooks); want != "" {
			s.Wants = append(s.Wants, want)
		}
		list = append(list, s)
	}
	return list
}

// places returns the positions of gitmem's entries in a file.
func (e edit) places(src []byte) []settings.Place {
	switch {
	case e.want != nil:
		return settings.Places(src, *e.want)
	case e.program != nil:
		return []settings.Place{{Program: e.program(src)}}
	}
	return nil
}

// clientWant returns what a client still needs, as far as its files show; "" for nothing.
func (a *app) clientWant(m *gitmem.Memory, c client, hooks []settings.Place) string {
	switch c.name {
	case "codex":
		return untrustedHooks(filepath.Join(c.dir, c.file), filepath.Join(c.dir, c.hooks), hooks)
	case "gemini":
		if dir, err := m.Checkout(); err == nil && !trustsFolder(filepath.Join(c.dir, "trustedFolders.json"), dir) {
			return "it does not trust " + dir + ": gemini -p ends with exit code 55 here, and no server is started"
		}
	case "copilot":
		if local, err := settingsFile(m, true); err == nil && len(hooks) > 0 {
			if s, ok := gitmem.ReadSettings(local); ok && len(s.Own) > 0 {
				return "it calls the hooks of " + local + " as well, if it trusts the folder: " +
					"gitmem uninstall --project takes these out"
			}
		}
	}
	return ""
}

// untrustedHooks reports hooks of gitmem that nobody has allowed in Codex.
func untrustedHooks(config, file string, hooks []settings.Place) string {
	var c codexConfig
	_, _ = toml.DecodeFile(config, &c) // without it nothing is trusted
	untrusted := 0
	for _, p := range hooks {
		key := fmt.Sprintf("%s:%s:%d:%d", file, snakeCase(p.Event), p.Group, p.Entry)
		if s := c.Hooks.State[key]; s.Hash == "" || s.Enabled != nil && !*s.Enabled {
			untrusted++
		}
	}
	if untrusted == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d hooks are not trusted, so that it leaves them out: "+
		"start codex and answer Trust all, or call /hooks there", untrusted, len(hooks))
}

// snakeCase returns the name of an event as Codex stores it: post_tool_use.
func snakeCase(event string) string {
	var b strings.Builder
	for i, r := range event {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// trustsFolder reports whether Gemini CLI starts servers in a folder. TRUST_PARENT refers to the parent
// folder. An unreadable file counts as trust, because nothing is known.
func trustsFolder(file, dir string) bool {
	b, err := os.ReadFile(file)
	rules := map[string]string{}
	if err != nil {
		return !os.IsNotExist(err)
	}
	if json.Unmarshal(b, &rules) != nil {
		return true
	}
	for path, rule := range rules {
		if rule == "TRUST_PARENT" {
			path = filepath.Dir(path)
		}
		if rel, err := filepath.Rel(path, dir); err == nil && filepath.IsLocal(rel) && strings.HasPrefix(rule, "TRUST_") {
			return true
		}
	}
	return false
}
