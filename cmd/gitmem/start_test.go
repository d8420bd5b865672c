package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdClientName sets a variable to the client's name of a folder: clientname <variable> <folder>.
func cmdClientName(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: clientname <variable> <folder>")
	}
	dir, err := filepath.EvalSymlinks(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Setenv(args[0], clientName(dir))
}

// clientName returns the client's name of a folder.
func clientName(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}

// TestContextContract checks the objects of an answer that contains some.
func TestContextContract(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("home/.claude/projects/"+clientName(d.repo)+"/"+deskSession+".jsonl", deskTranscript(d.repo))
	got := d.run("", "context", "--json")
	var v any
	if err := json.Unmarshal([]byte(got.out), &v); err != nil || got.code != exitOK {
		t.Fatalf("exit code %d, %v:\n%s%s", got.code, err, got.out, got.err)
	}
	for _, c := range complaints("context --json", v, contextFields()) {
		t.Error(c)
	}
	if object, _ := v.(map[string]any); len(asList(object["parts"])) == 0 || len(asList(object["citations"])) == 0 {
		t.Errorf("no parts or citations were looked at:\n%s", got.out)
	}
}
