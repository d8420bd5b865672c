package diagnose

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// ClientState is a client other than Claude Code that starts gitmem's server or calls its hooks.
type ClientState struct {
	Name, Title string
	Paths       []string // settings files
	Programs    []string // programs that they run
	Wants       []string // what is missing
}

// checkClients checks whether the other clients can run the programs in their settings. Without other clients there is
// no finding.
func (c *checkup) checkClients() {
	if len(c.o.Hooks.Clients) == 0 {
		return
	}
	var titles, commands []string
	for _, s := range c.o.Hooks.Clients {
		titles = append(titles, s.Title)
		if slices.ContainsFunc(s.Programs, func(p string) bool { return c.unrunnable(p) != "" || !isGitmem(p) }) {
			commands = append(commands, "gitmem install --client "+s.Name)
		}
	}
	advice := "Do in the client what is said there: gitmem help agents has more."
	if len(commands) > 0 {
		advice = "Register the program anew with " + strings.Join(commands, " and ") + "."
	}
	c.run(&check{name: "clients", look: func() ([]store.Trouble, error) { return c.clientTroubles(), nil },
		fine:   strings.Join(titles, ", ") + " can run gitmem",
		advice: advice})
}

func (c *checkup) clientTroubles() (found []store.Trouble) {
	for _, s := range c.o.Hooks.Clients {
		add := func(l store.Level, format string, args ...any) {
			found = append(found, store.Trouble{Level: l, Path: s.Paths[0], Detail: s.Title + ": " +
				fmt.Sprintf(format, args...)})
		}
		for _, program := range s.Programs {
			if why := c.unrunnable(program); why != "" {
				add(store.Fail, "it runs %s, which %s", program, why)
			} else if filepath.IsAbs(program) && !isGitmem(program) {
				add(store.Warn, "it runs %s, which is no gitmem", program)
			}
		}
		for _, want := range s.Wants {
			add(store.Warn, "%s", want)
		}
	}
	return found
}
