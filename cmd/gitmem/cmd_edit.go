package main

import (
	"bytes"
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

func (a *app) newEditCmd() *cobra.Command {
	c := a.command("edit [citation | path[:line]]", "Edit a file of memory in $VISUAL or $EDITOR, and commit it",
		cobra.MaximumNArgs(1), func(ctx context.Context, m *gitmem.Memory, args []string) error {
			return a.runEdit(ctx, m, strings.Join(args, ""))
		})
	return a.jsonFlag(c, "print what was done as JSON")
}

func (a *app) runEdit(ctx context.Context, m *gitmem.Memory, what string) error {
	editor, err := a.editor()
	if err != nil {
		return err
	}
	e, err := m.Edit(ctx, what)
	if err != nil {
		return unknownSource(err)
	}
	dir, err := os.MkdirTemp(a.temp, "gitmem-edit-")
	if err != nil {
		return err
	}
	file := filepath.Join(dir, filepath.Base(e.Path))
	if err := os.WriteFile(file, e.Text, 0o600); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	done, text, err := a.edited(ctx, m, editor, e, file)
	if _, lost := os.Lstat(file); err != nil && lost == nil && (text == nil || !bytes.Equal(text, e.Text)) {
		return hintError{err, "what you typed is in " + printable(file)}
	}
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		return err
	}
	return emit(a, done, a.printEdited)
}

// edited opens a copy in the editor and saves it. It also returns the text of the copy, nil without one.
func (a *app) edited(ctx context.Context, m *gitmem.Memory, editor string, e *gitmem.Editing,
	file string) (gitmem.Edited, []byte, error) {
	failed := a.openEditor(editor, file, e.Line)
	text, err := os.ReadFile(file)
	switch {
	case failed != nil:
		return gitmem.Edited{}, text, hintError{fmt.Errorf("the editor failed and nothing was written: %w", failed),
			"set VISUAL or EDITOR to your editor"}
	case errors.Is(err, os.ErrNotExist):
		return gitmem.Edited{}, nil, errors.New("the copy is gone, nothing was written")
	case err != nil:
		return gitmem.Edited{}, nil, err
	}
	// Ctrl-C in an editor is for the editor, and must not discard the text.
	done, err := m.SaveEdit(context.WithoutCancel(ctx), e, text)
	return done, text, err
}

func (a *app) printEdited(e gitmem.Edited) {
	if len(e.Files) == 0 {
		fmt.Fprintf(a.out, "unchanged: %s\n", printable(e.Path))
		return
	}
	a.printStat(e.Files)
	if e.Commit != "" {
		fmt.Fprintf(a.out, "in commit %s\n", a.paint(yellow, e.Commit[:12]))
	}
}

func (a *app) inTTY() bool {
	f, ok := a.in.(*os.File)
	return ok && isTerminal(f)
}

// editor returns the command line of the user's editor.
func (a *app) editor() (string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if e := strings.TrimSpace(a.getenv(name)); e != "" {
			return e, nil
		}
	}
	if !a.inTTY() || !a.outTTY {
		return "", hintError{errors.New("there is no terminal to edit on"),
			"set VISUAL or EDITOR to a program that edits a file, or write a line with gitmem note"}
	}
	if runtime.GOOS == "windows" {
		return "notepad", nil
	}
	return "vi", nil
}

// openEditor runs the editor on a file. As in git, a shell expands the variable, which may contain arguments
// and quotes; Windows has no such shell.
func (a *app) openEditor(editor, file string, line int) error {
	args := atLine(editor, file, line)
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

// splitWords splits a command line at spaces outside of double quotes.
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

// atLine returns the arguments with which an editor opens a file at a line, if the editor is known to support this.
// Line 0 opens the file without a line.
func atLine(editor, file string, line int) []string {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(splitWords(editor)[0])), ".exe")
	n := strconv.Itoa(line)
	switch {
	case line <= 0:
	case slices.Contains([]string{"vi", "vim", "nvim", "view", "nvi", "elvis", "nano", "pico", "emacs", "emacsclient",
		"mg", "joe", "ne", "micro", "kak", "gedit", "mcedit"}, name):
		return []string{"+" + n, file}
	case slices.Contains([]string{"hx", "helix", "subl", "zed"}, name):
		return []string{file + ":" + n}
	case slices.Contains([]string{"code", "codium", "code-insiders", "cursor"}, name):
		return []string{"--goto", file + ":" + n}
	}
	return []string{file}
}
