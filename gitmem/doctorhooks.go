package gitmem

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

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

// recording lists the events whose hooks record, and those hooks.
var recording = [...]struct{ event, hook string }{
	{"PostToolUse", "post-tool-use"}, {"Stop", "stop"}, {"SessionEnd", "session-end"},
}

// checkHooks looks whether the user's settings of the client name gitmem's hooks,
// and whether those can run. Plugins and projects may name hooks, too, and without
// any gitmem answers all the same: none is no trouble.
func (c *checkup) checkHooks() {
	file := filepath.Join(c.m.client, "settings.json")
	k := check{name: "hooks", look: func() ([]store.Trouble, error) { return c.hookTroubles(file) },
		fine:   "the client calls gitmem's hooks",
		advice: "Correct the command in the client's settings.json."}
	c.run(k)
}

func (c *checkup) hookTroubles(file string) ([]store.Trouble, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return []store.Trouble{{Path: file, Detail: "is not there: no hook of gitmem's is set for this user, so sessions are read from the client's transcripts only"}}, nil
	}
	var set clientSettings
	if err == nil {
		err = json.Unmarshal(b, &set)
	}
	if err != nil {
		return []store.Trouble{{Level: store.Warn, Path: file, Detail: "can't be read, so that it is not known whether hooks are set: " + err.Error()}}, nil
	}
	entries := ownHooks(set)
	var found []store.Trouble
	add := func(l store.Level, format string, args ...any) {
		found = append(found, store.Trouble{Level: l, Path: file, Detail: fmt.Sprintf(format, args...)})
	}
	if set.DisableAllHooks && len(entries) > 0 {
		add(store.Warn, "disableAllHooks is true: nothing is recorded")
	}
	seen := map[string]bool{}
	for i, e := range entries {
		if why := c.unrunnable(e.program); why != "" && !seen[e.program] {
			add(store.Fail, "%s runs %s, which %s: nothing is recorded", e.event, e.program, why)
		}
		seen[e.program] = true
		for _, o := range entries[:i] {
			if o.event == e.event && o.hook == e.hook && overlap(o.matcher, e.matcher) {
				add(store.Warn, "%s has the hook %s twice (%s and %s): everything is recorded twice", e.event, e.hook, o.program, e.program)
				break
			}
		}
	}
	for _, r := range recording {
		if !names(entries, r.event, r.hook) {
			add(store.Note, "sets no hook of gitmem's for %s", r.event)
		}
	}
	return found, nil
}

func names(entries []entry, event, hook string) bool {
	for _, e := range entries {
		if e.event == event && e.hook == hook {
			return true
		}
	}
	return false
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
		program = filepath.Join(c.m.o.Home, program[2:])
	case !strings.ContainsAny(program, `/\`):
		for _, dir := range filepath.SplitList(c.m.o.Getenv("PATH")) {
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
