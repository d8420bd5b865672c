package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/gitmem"
)

// asks reports whether there is somebody at a terminal to ask.
func (a *app) asks() bool { return !a.json && a.outTTY && a.inTTY() }

// archiveAgent turns the archiving of the client's sessions on or off, and adds a note for the user.
func (a *app) archiveAgent(ctx context.Context, m *gitmem.Memory, r *installed, on bool) error {
	if r.DryRun || r.flag() == "" || !slices.Contains(gitmem.Agents(), r.client) {
		return nil
	}
	note := "its sessions are archived from now on: archive_agents in gitmem/local.yaml"
	if !on {
		note = "its sessions are no longer archived; they are still read where it keeps them"
	}
	r.Notes = append(r.Notes, note)
	return m.Sessions().ArchiveAgent(ctx, r.client, on)
}

// clientWants returns notes on what the client needs in addition to the written files.
func (a *app) clientWants(r *installed) []string {
	c, err := a.client(r.client)
	if err != nil || r.flag() == "" {
		return nil
	}
	if r.DryRun {
		return c.wants
	}
	return append(c.wants, "sessions of "+c.title+" that are open take this up when they begin anew")
}

// otherClients returns the clients other than Claude Code that are on this machine without gitmem.
func (a *app) otherClients(o installOptions) (found []client) {
	if !o.offer {
		return nil
	}
	for _, c := range a.clients()[1:] {
		if a.isHere(c) && !a.isRegistered(c) {
			found = append(found, c)
		}
	}
	return found
}

// isHere reports whether a client has been used or can be started by this user.
func (a *app) isHere(c client) bool {
	if filepath.IsAbs(c.dir) && isThere(c.dir) {
		return true
	}
	return c.program != "" && slices.ContainsFunc(filepath.SplitList(a.getenv("PATH")), func(dir string) bool {
		_, err := exec.LookPath(filepath.Join(dir, c.program))
		return err == nil && filepath.IsAbs(dir)
	})
}

// isRegistered reports whether a client starts gitmem's server or calls its hooks.
func (a *app) isRegistered(c client) bool {
	edits, err := a.clientEdits(c, "")
	return err == nil && filepath.IsAbs(c.dir) && slices.ContainsFunc(edits, func(e edit) bool {
		try := &installed{DryRun: true}
		return e.do(install.Records{}, true, try) == nil && try.Diff != ""
	})
}

// registeredClients returns the clients other than Claude Code that start gitmem's server or call its hooks.
func (a *app) registeredClients() []client {
	return slices.DeleteFunc(a.clients()[1:], func(c client) bool { return !a.isRegistered(c) })
}

// clientList lists clients, each with its command.
func clientList(list []client, verb string) string {
	var texts []string
	for _, c := range list {
		texts = append(texts, fmt.Sprintf("%s (gitmem %s --client %s)", c.title, verb, c.name))
	}
	return strings.Join(texts, ", ")
}

// offerClients asks which of the other clients to install gitmem for, and does so.
func (a *app) offerClients(ctx context.Context, m *gitmem.Memory, others []client) error {
	if len(others) == 0 || !a.asks() {
		return nil
	}
	var names, titles []string
	for _, c := range others {
		names, titles = append(names, c.name), append(titles, c.title)
	}
	fmt.Fprintf(a.out, "\nAlso here: %s. Which of them shall have gitmem, too? "+
		"Their sessions are then archived. [none, all, or of: %s] ", strings.Join(titles, ", "), strings.Join(names, " "))
	answer, _ := bufio.NewReader(a.in).ReadString('\n')
	chosen := strings.Fields(strings.ReplaceAll(strings.ToLower(answer), ",", " "))
	var errs []error
	for i, c := range others {
		if slices.Contains(chosen, c.name) || slices.Equal(chosen, []string{"all"}) {
			fmt.Fprintf(a.out, "\n%s\n", titles[i])
			errs = append(errs, a.runInstall(ctx, m, installOptions{client: c.name}))
		}
	}
	for _, name := range chosen {
		if !slices.Contains(names, name) && !slices.Contains([]string{"all", "none", "n", "no"}, name) {
			errs = append(errs, fmt.Errorf("%q is none of %s", name, strings.Join(names, ", ")))
		}
	}
	return errors.Join(errs...)
}
