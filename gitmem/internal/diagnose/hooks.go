package diagnose

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// clientSettings is what is read of the client's settings.json.
type clientSettings struct {
	DisableAllHooks bool                     `json:"disableAllHooks"`
	Hooks           map[string][]hookMatcher `json:"hooks"`
}

type hookMatcher struct {
	Matcher string `json:"matcher"`
	Hooks   []struct {
		Type    string   `json:"type"`
		Command string   `json:"command"`
		Args    []string `json:"args"` // with these no shell is used
	} `json:"hooks"`
}

// entry is one hook of gitmem's in the settings.
type entry struct {
	event, matcher, program, hook string
}

// HookCheck is what the program that runs the doctor knows of the client's hooks.
type HookCheck struct {
	Wanted    []ClientHook    // which belong into the settings
	Conflicts func() []string // what else stands in the way of them
	// Register puts the hooks into the user's settings anew, nil if that can't be done.
	Register func(context.Context) error
}

// ClientHook is a hook by the event of the client that it belongs to.
type ClientHook struct{ Event, Hook string }

// checkHooks looks whether the user's settings of the client name gitmem's hooks,
// and whether those can run. Plugins and projects may name hooks, too, and without
// any gitmem answers all the same: none is no trouble.
func (c *checkup) checkHooks() {
	file := filepath.Join(c.m.ws.ClientDir, "settings.json")
	k := &check{name: "hooks", look: func() ([]store.Trouble, error) { return c.hookTroubles(file) },
		fine:   "the client calls gitmem's hooks",
		advice: "Register them anew with gitmem install."}
	if c.o.Hooks.Register != nil {
		k.fix = func([]store.Trouble) error { return c.o.Hooks.Register(c.ctx) }
	}
	c.run(k)
}

func (c *checkup) hookTroubles(file string) ([]store.Trouble, error) {
	found := c.settingsTroubles(file)
	if c.o.Hooks.Conflicts != nil {
		for _, said := range c.o.Hooks.Conflicts() {
			found = append(found, store.Trouble{Level: store.Warn, Detail: said})
		}
	}
	return found, nil
}

func (c *checkup) settingsTroubles(file string) []store.Trouble {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return []store.Trouble{{Path: file, Detail: "is not there: no hook of gitmem's is set for this user, so sessions are read from the client's transcripts only; gitmem install sets them"}}
	}
	var set clientSettings
	if err == nil {
		err = json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &set)
	}
	if err != nil {
		return []store.Trouble{{Level: store.Warn, Path: file, Detail: "can't be read, so that it is not known whether hooks are set, and the client may read nothing of it: " + plain.Text(err)}}
	}
	entries := ownHooks(set)
	found := c.entryTroubles(file, entries)
	if set.DisableAllHooks && len(entries) > 0 {
		found = append(found, store.Trouble{Level: store.Warn, Path: file, Detail: "disableAllHooks is true: nothing is recorded until that is taken out"})
	}
	for _, w := range c.o.Hooks.Wanted {
		if !slices.ContainsFunc(entries, func(e entry) bool { return e.event == w.Event && e.hook == w.Hook }) {
			found = append(found, store.Trouble{Path: file, Detail: "sets no hook of gitmem's for " + w.Event})
		}
	}
	return found
}

// entryTroubles looks at each entry. Registering anew puts all of it right.
func (c *checkup) entryTroubles(file string, entries []entry) []store.Trouble {
	var found []store.Trouble
	add := func(l store.Level, format string, args ...any) {
		found = append(found, store.Trouble{Level: l, Path: file, Detail: fmt.Sprintf(format, args...), Fixable: l > store.Note && c.o.Hooks.Register != nil})
	}
	seen := map[string]bool{}
	for i, e := range entries {
		if !seen[e.program] {
			seen[e.program] = true
			if why := c.unrunnable(e.program); why != "" {
				add(store.Fail, "%s runs %s, which %s: nothing is recorded", e.event, e.program, why)
			} else if filepath.IsAbs(e.program) && !isGitmem(e.program) {
				add(store.Warn, "%s runs %s, which is no gitmem", e.event, e.program)
			}
		}
		for _, o := range entries[:i] {
			if o.event == e.event && o.hook == e.hook && overlap(o.matcher, e.matcher) {
				add(store.Warn, "%s has the hook %s twice (%s and %s): everything is recorded twice", e.event, e.hook, o.program, e.program)
				break
			}
		}
	}
	return found
}

// isGitmem tells whether a program was built from this module.
func isGitmem(program string) bool {
	info, err := buildinfo.ReadFile(program)
	return err == nil && strings.HasPrefix(info.Path, "github.com/gitmem/gitmem")
}

// overlap says whether two matchers can match one tool. Only equal ones and those
// that match everything are looked through.
func overlap(a, b string) bool {
	all := func(m string) bool { return m == "" || m == "*" || m == ".*" }
	return a == b || all(a) || all(b)
}

// ownHooks picks the commands that run a gitmem with a hook.
func ownHooks(set clientSettings) []entry {
	var out []entry
	for event, matchers := range set.Hooks {
		for _, m := range matchers {
			for _, h := range m.Hooks {
				if words, ok := HookWords(h.Command, h.Args); ok {
					out = append(out, entry{event, m.Matcher, words[0], words[2]})
				}
			}
		}
	}
	return out
}

// unrunnable says why a program can't be run, "" if it can or if that depends on a
// variable that only the client knows.
func (c *checkup) unrunnable(program string) string {
	switch {
	case strings.Contains(program, "$"):
		return ""
	case strings.HasPrefix(program, "~/"):
		program = filepath.Join(c.m.ws.Options.Home, program[2:])
	case !strings.ContainsAny(program, `/\`):
		for _, dir := range filepath.SplitList(c.m.ws.Options.Getenv("PATH")) {
			if runnable(filepath.Join(dir, program)) == "" || runnable(filepath.Join(dir, program+".exe")) == "" {
				return ""
			}
		}
		return "is not in PATH"
	}
	return runnable(program)
}

func runnable(file string) string {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is not there"
	case err != nil:
		return "can't be looked at"
	case !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0:
		return "is no program"
	}
	return ""
}
