package diagnose

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// ClientSettings contains the hook settings of a client settings file.
type ClientSettings struct {
	Path        string
	Own         []ClientHook
	Disabled    bool   // disableAllHooks: no hook runs
	ManagedOnly bool   // allowManagedHooksOnly: only an administrator's hooks run
	Plugin      string // gitmem's enabled plugin, as name@marketplace
	Err         error  // why the file could not be read completely
}

// ClientHook is a hook of gitmem in the client's settings.
type ClientHook struct {
	Event, Matcher, Program, Hook string
}

// ReadSettings reads a client settings file; ok is false if it does not exist.
func ReadSettings(path string) (s ClientSettings, ok bool) {
	var set struct {
		DisableAllHooks, AllowManagedHooksOnly bool

		EnabledPlugins map[string]any
		Hooks          map[string][]struct {
			Matcher string
			Hooks   []struct {
				Type, Command string
				Args          []string // if set, no shell is used
			}
		}
	}
	b, err := os.ReadFile(path)
	if b = bytes.TrimSpace(bytes.TrimPrefix(b, []byte("\ufeff"))); err == nil && len(b) > 0 {
		err = json.Unmarshal(b, &set) // continues after a value of another type
	}
	s = ClientSettings{Path: path, Disabled: set.DisableAllHooks, ManagedOnly: set.AllowManagedHooksOnly, Err: err}
	for name, on := range set.EnabledPlugins {
		if on == true && strings.HasPrefix(name, "gitmem@") {
			s.Plugin = name
		}
	}
	for _, event := range slices.Sorted(maps.Keys(set.Hooks)) {
		for _, m := range set.Hooks[event] {
			for _, h := range m.Hooks {
				if words, own := HookWords(h.Command, h.Args); own && h.Type == "command" {
					s.Own = append(s.Own, ClientHook{event, m.Matcher, words[0], words[2]})
				}
			}
		}
	}
	return s, !errors.Is(err, fs.ErrNotExist)
}

// HookCheck is what the program that runs the doctor knows about the client's hooks.
type HookCheck struct {
	Wanted    []ClientHook    // expected in the settings
	Conflicts func() []string // other causes that keep them from running
	Clients   []ClientState   // other clients that run gitmem
	// Register registers the hooks in the user's settings again; nil if that is not possible.
	Register func(context.Context) error
}

// checkHooks checks whether the user's client settings contain gitmem's hooks, and whether those can run. Plugins and
// projects may define hooks too, and gitmem also works without hooks, so missing hooks are not a problem.
func (c *checkup) checkHooks(ctx context.Context) {
	file := filepath.Join(c.ws.ClientDir, "settings.json")
	k := &check{name: "hooks", look: func() ([]store.Trouble, error) { return c.hookTroubles(file), nil },
		fine:   "the client calls gitmem's hooks",
		advice: "Register them anew with gitmem install."}
	if c.o.Hooks.Register != nil {
		k.fix = func([]store.Trouble) error { return c.o.Hooks.Register(ctx) }
	}
	c.run(k)
}

func (c *checkup) hookTroubles(file string) []store.Trouble {
	found := c.settingsTroubles(file)
	if c.o.Hooks.Conflicts != nil {
		for _, said := range c.o.Hooks.Conflicts() {
			found = append(found, store.Trouble{Level: store.Warn, Detail: said})
		}
	}
	return found
}

func (c *checkup) settingsTroubles(file string) []store.Trouble {
	set, ok := ReadSettings(file)
	switch {
	case !ok:
		return []store.Trouble{{Path: file,
			Detail: "is not there: no hook of gitmem's is set for this user, so sessions are read from the client's " +
				"transcripts only; gitmem install sets them"}}
	case set.Err != nil:
		return []store.Trouble{{Level: store.Warn, Path: file,
			Detail: "can't be read, so that it is not known whether hooks are set, and the client may read nothing of it: " +
				plain.Text(set.Err)}}
	}
	found := c.entryTroubles(file, set.Own)
	if set.Disabled && len(set.Own) > 0 {
		found = append(found, store.Trouble{Level: store.Warn, Path: file,
			Detail: "disableAllHooks is true: nothing is recorded until that is taken out"})
	}
	for _, w := range c.o.Hooks.Wanted {
		if !slices.ContainsFunc(set.Own, func(e ClientHook) bool { return e.Event == w.Event && e.Hook == w.Hook }) {
			found = append(found, store.Trouble{Path: file, Detail: "sets no hook of gitmem's for " + w.Event})
		}
	}
	return found
}

// entryTroubles checks each entry. Registering again repairs all problems.
func (c *checkup) entryTroubles(file string, entries []ClientHook) []store.Trouble {
	var found []store.Trouble
	add := func(l store.Level, format string, args ...any) {
		found = append(found, store.Trouble{Level: l, Path: file, Detail: fmt.Sprintf(format, args...),
			Fixable: l > store.Note && c.o.Hooks.Register != nil})
	}
	seen := map[string]bool{}
	for i, e := range entries {
		if !seen[e.Program] {
			seen[e.Program] = true
			if why := c.unrunnable(e.Program); why != "" {
				add(store.Fail, "%s runs %s, which %s: nothing is recorded", e.Event, e.Program, why)
			} else if filepath.IsAbs(e.Program) && !isGitmem(e.Program) {
				add(store.Warn, "%s runs %s, which is no gitmem", e.Event, e.Program)
			}
		}
		for _, o := range entries[:i] {
			if o.Event == e.Event && o.Hook == e.Hook && overlap(o.Matcher, e.Matcher) {
				add(store.Warn, "%s has the hook %s twice (%s and %s): everything is recorded twice", e.Event, e.Hook,
					o.Program, e.Program)
				break
			}
		}
	}
	return found
}

// isGitmem reports whether a program was built from this module.
func isGitmem(program string) bool {
	info, err := buildinfo.ReadFile(program)
	return err == nil && strings.HasPrefix(info.Path, "github.com/gitmem/gitmem")
}

// overlap reports whether two matchers can match the same tool. It only recognises equal matchers and those that match
// everything.
func overlap(a, b string) bool {
	all := func(m string) bool { return m == "" || m == "*" || m == ".*" }
	return a == b || all(a) || all(b)
}

// unrunnable returns why a program cannot be run. It returns "" if it can, or if that depends on a variable that only
// the client knows.
func (c *checkup) unrunnable(program string) string {
	switch {
	case strings.Contains(program, "$"):
		return ""
	case strings.HasPrefix(program, "~/"):
		program = filepath.Join(c.ws.Options.Home, program[2:])
	case !strings.ContainsAny(program, `/\`):
		for _, dir := range filepath.SplitList(c.ws.Options.Getenv("PATH")) {
			if _, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
				return ""
			}
		}
		return "is not in PATH"
	}
	switch _, err := exec.LookPath(program); {
	case errors.Is(err, fs.ErrNotExist):
		return "is not there"
	case err != nil:
		return "is no program"
	}
	return ""
}
