package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdCapture sets a variable to the match of a pattern's group in the last standard output: capture
// <variable> <pattern>.
func cmdCapture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture <variable> <pattern>")
	}
	re, err := regexp.Compile(args[1])
	ts.Check(err)
	found := re.FindStringSubmatch(ts.ReadFile("stdout"))
	if len(found) != 2 {
		ts.Fatalf("%q matches %q", args[1], found)
	}
	ts.Setenv(args[0], found[1])
}

// cmdAppend adds a line to a file like an editor: append <file> <line>.
func cmdAppend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append <file> <line>")
	}
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), append(b, args[1]+"\n"...), 0o600))
}

// cmdNowhere checks that no file below a folder, and no object of the repository in it, inflated, contains a
// text: [!] nowhere <folder> <text>.
func cmdNowhere(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] nowhere <folder> <text>")
	}
	dir, text := ts.MkAbs(args[0]), []byte(strings.ToLower(args[1]))
	var found []string
	ts.Check(filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if bytes.Contains(bytes.ToLower(b), text) {
			found = append(found, name)
		}
		return err
	}))
	out, err := exec.Command("git", "-C", dir, "cat-file", "--batch", "--batch-all-objects", "--unordered").Output()
	if err == nil && bytes.Contains(bytes.ToLower(out), text) {
		found = append(found, "an object")
	}
	if len(found) > 0 != neg {
		ts.Fatalf("%q is in %q", args[1], found)
	}
}
