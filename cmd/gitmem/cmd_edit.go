package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

type editOptions struct{ resume, discard, json bool }

func (a *app) newEditCmd() *cobra.Command {
	var o editOptions
	c := &cobra.Command{
		Use:   "edit [citation | path[:line]]",
		Short: "Edit a file of memory in $VISUAL or $EDITOR, and commit it",
		Long: `Edit a copy of a file of memory in $VISUAL or $EDITOR: the project's MEMORY.md, the
file of a path, or the file and line of a citation. The copy is checked before it is
written, and what others wrote meanwhile is kept. A copy that can't be written stays
as a draft, for --continue or --discard.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if o.resume && o.discard {
				return &usageError{errors.New("--continue and --discard exclude each other")}
			}
			return a.with(func(m *gitmem.Memory) error { return a.runEdit(c.Context(), m, o, strings.Join(args, "")) })
		},
	}
	c.Flags().BoolVar(&o.resume, "continue", false, "go on with a draft that was left")
	c.Flags().BoolVar(&o.discard, "discard", false, "drop a draft that was left")
	c.Flags().BoolVar(&o.json, "json", false, "print what was done as JSON")
	return c
}

func (a *app) runEdit(ctx context.Context, m *gitmem.Memory, o editOptions, what string) error {
	if o.discard {
		d, err := m.Drafts().Discard(ctx, what)
		if err == nil {
			fmt.Fprintf(a.out, "dropped the draft of %s\n", printable(d.Path))
		}
		return unknownSource(err)
	}
	editor, err := a.editor()
	if err != nil {
		return err
	}
	begin := m.Drafts().Open
	if o.resume {
		begin = m.Drafts().Resume
	}
	d, err := begin(ctx, what)
	if err != nil {
		return unknownSource(err)
	}
	// Ctrl-C in an editor belongs to the editor, and must not throw the text away.
	ctx = context.WithoutCancel(ctx)
	for {
		if err := a.openEditor(editor, d); err != nil {
			return editorFailed(d, err)
		}
		done, err := d.Save(ctx)
		if err == nil {
			return a.printEdited(done, o.json)
		}
		if !a.askAgain(err) {
			return err
		}
		if d, err = m.Drafts().Resume(ctx, d.Path); err != nil {
			return unknownSource(err)
		}
	}
}

// editorFailed keeps what was typed before the editor failed.
func editorFailed(d *gitmem.Draft, err error) error {
	err = fmt.Errorf("the editor failed and nothing was written: %w", err)
	if !d.Unchanged() {
		return hinted{err, "what you typed is in " + d.File + "; go on with gitmem edit --continue " + d.Path}
	}
	return hinted{errors.Join(err, d.Drop()), "set VISUAL or EDITOR to your editor"}
}

func (a *app) printEdited(e gitmem.Edited, asJSON bool) error {
	switch {
	case asJSON:
		return a.printJSON(e)
	case len(e.Files) == 0:
		fmt.Fprintf(a.out, "unchanged: %s\n", printable(e.Path))
		return nil
	}
	a.printStat(e.Files)
	if e.Commit != "" {
		fmt.Fprintf(a.out, "in commit %s\n", a.paint(yellow, e.Commit[:12]))
	}
	return nil
}

// askAgain offers to go on editing a draft that was refused, where somebody is
// there to answer.
func (a *app) askAgain(err error) bool {
	var r *gitmem.Refusal
	if !errors.As(err, &r) || !a.inTTY() || !a.errTTY {
		return false
	}
	fmt.Fprintf(a.err, "gitmem: %s\nEdit again? [Y/n] ", errorText(err))
	answer, readErr := bufio.NewReader(a.in).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return readErr == nil && (answer == "" || strings.HasPrefix(answer, "y"))
}

func (a *app) inTTY() bool {
	f, ok := a.in.(*os.File)
	return ok && isTerminal(f)
}

// editor is the command line of the user's editor.
func (a *app) editor() (string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if e := strings.TrimSpace(a.getenv(name)); e != "" {
			return e, nil
		}
	}
	if !a.inTTY() || !a.outTTY {
		return "", hinted{errors.New("there is no terminal to edit on"), "set VISUAL or EDITOR to a program that edits a file, or write a line with gitmem note"}
	}
	if runtime.GOOS == "windows" {
		return "notepad", nil
	}
	return "vi", nil
}

// openEditor runs the editor on a draft. As git does, a shell reads the variable,
// which may hold arguments and quotes; Windows has no such shell.
func (a *app) openEditor(editor string, d *gitmem.Draft) error {
	args := atLine(editor, d.File, d.Line)
	c := exec.Command("sh", append([]string{"-c", editor + ` "$@"`, editor}, args...)...)
	if runtime.GOOS == "windows" {
		words := splitWords(editor)
		c = exec.Command(words[0], append(words[1:], args...)...)
	}
	c.Stdin, c.Stdout, c.Stderr = a.in, unfiltered(a.out), unfiltered(a.err)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	return c.Run()
}

// splitWords splits a command line at blanks outside of double quotes.
func splitWords(s string) []string {
	var words []string
	quoted := false
	for _, part := range strings.FieldsFunc(s, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	}) {
		words = append(words, strings.ReplaceAll(part, `"`, ""))
	}
	if len(words) == 0 {
		return []string{s}
	}
	return words
}

// atLine are the arguments that open a file at a line, in the editors that are
// known to have a way; 0 is no line in particular.
func atLine(editor, file string, line int) []string {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(splitWords(editor)[0])), ".exe")
	n := strconv.Itoa(line)
	switch {
	case line <= 0:
	case slices.Contains([]string{"vi", "vim", "nvim", "view", "nvi", "elvis", "nano", "pico", "emacs", "emacsclient", "mg", "joe", "ne", "micro", "kak", "gedit", "mcedit"}, name):
		return []string{"+" + n, file}
	case slices.Contains([]string{"hx", "helix", "subl", "zed"}, name):
		return []string{file + ":" + n}
	case slices.Contains([]string{"code", "codium", "code-insiders", "cursor"}, name):
		return []string{"--goto", file + ":" + n}
	}
	return []string{file}
}
