package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newReopenCmd() *cobra.Command {
	run := false
	short := "Resume the session of a citation, in its agent"
	reopen := func(ctx context.Context, m *gitmem.Memory, args []string) error {
		r, err := m.Sessions().Reopen(ctx, args[0])
		switch {
		case errors.Is(err, gitmem.ErrNotFound):
			return hintError{err, "gitmem show " + args[0] + " prints what memory has of it"}
		case err != nil:
			return err
		case run:
			return a.runReopened(ctx, r)
		}
		return emit(a, r, a.printReopening)
	}
	c := a.command("reopen <citation>", short, cobra.ExactArgs(1), reopen)
	c.Flags().BoolVar(&run, "run", false, "run the command instead of printing it")
	return a.jsonFlag(c, "print the session, its folder and the command as JSON")
}

// printReopening prints the command in shell syntax.
func (a *app) printReopening(r gitmem.Reopening) {
	command := strings.Join(r.Command, " ")
	if r.Folder != "" {
		command = "cd " + shellWord(r.Folder) + " && " + command
	}
	fmt.Fprintln(a.out, printable(command))
}

// shellWord quotes a word for a shell if necessary.
func shellWord(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool { return !strings.ContainsRune(shellPlain, r) }) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// shellPlain are the characters without a meaning in any shell.
const shellPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"

// runReopened runs the command of the agent in the session's folder.
func (a *app) runReopened(ctx context.Context, r gitmem.Reopening) error {
	c := exec.CommandContext(ctx, r.Command[0], r.Command[1:]...)
	c.Dir, c.Stdin, c.Stdout, c.Stderr = r.Folder, a.in, a.out, a.err
	if err := c.Run(); err != nil {
		return hintError{fmt.Errorf("run %s: %w", r.Command[0], err), "the command is: " + strings.Join(r.Command, " ")}
	}
	return nil
}
