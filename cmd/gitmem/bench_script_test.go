package main

import (
	"bytes"
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdCmpFolders compares the files below two folders, names and bytes:
// [!] cmpfolders <folder> <folder>.
func cmdCmpFolders(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] cmpfolders <folder> <folder>")
	}
	a, b := filesBelow(ts, args[0]), filesBelow(ts, args[1])
	same := len(a) == len(b) && len(a) > 0
	for name, text := range a {
		if other, ok := b[name]; !ok || !bytes.Equal(text, other) {
			same = false
		}
	}
	if same == neg {
		ts.Fatalf("%s (%d files) and %s (%d files): same %v", args[0], len(a), args[1], len(b), same)
	}
}

func filesBelow(ts *testscript.TestScript, dir string) map[string][]byte {
	root, files := os.DirFS(ts.MkAbs(dir)), map[string][]byte{}
	ts.Check(fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[name], err = fs.ReadFile(root, name)
		}
		return err
	}))
	return files
}
