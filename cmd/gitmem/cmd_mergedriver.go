package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func newMergeDriverCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "merge-driver <base> <ours> <theirs> <path>",
		Short:  "Merge a file of memory for git, which names three files that hold its versions",
		Hidden: true,
		Args:   usage(cobra.ExactArgs(4)),
		RunE:   func(_ *cobra.Command, args []string) error { return mergeFile(args[0], args[1], args[2], args[3]) },
	}
}

// mergeFile merges one file into another one, for git, which passes an empty base if both sides added the
// file, and does not accept a deletion as a result.
func mergeFile(base, ours, theirs, path string) error {
	var texts [3][]byte
	for i, name := range [...]string{base, ours, theirs} {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		texts[i] = text
	}
	if len(texts[0]) == 0 {
		texts[0] = nil
	}
	return replaceFile(ours, gitmem.MergeFile(path, texts[0], texts[1], texts[2]))
}

// replaceFile replaces a file completely or not at all: after a failure, git falls back to its content.
func replaceFile(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".merge_file_gitmem_*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error matters
	}
	return err
}

// driverProgram returns the program that git calls to merge memory: only its name if PATH leads to this
// program, which remains valid after an upgrade.
func (a *app) driverProgram() string {
	program, err := a.program()
	if err != nil {
		return ""
	}
	b := *a
	b.name = "gitmem"
	if path, err := b.calledBy(); err == nil && sameFile(path, program) {
		return ""
	}
	if program, err = a.stableProgram(); err != nil {
		return ""
	}
	return filepath.ToSlash(program)
}
