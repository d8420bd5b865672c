package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestSharedRoom: room that short sources do not use is shared by the long ones.
func TestSharedRoom(t *testing.T) {
	t.Parallel()
	var sources []gitmem.Shown
	for n := range 10 {
		text := "short"
		if n == 0 || n == 7 {
			text = strings.Repeat("x", sourceRunes)
		}
		sources = append(sources, gitmem.Shown{Text: text})
	}
	if got := fmt.Sprint(shares(sources)); got != "[2980 5 5 5 5 5 5 2980 5 5]" {
		t.Error(got)
	}
}

// TestManyFiles: files for which there is no room are counted, not listed, and tests come last.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	var s gitmem.Shown
	for n := range 600 {
		s.Changes = append(s.Changes, gitmem.FileChange{Path: fmt.Sprintf("f%d.c", n), Added: 2, Patch: "+int a;\n+int b;\n"})
	}
	text := changesText(s, 10)
	if n := strings.Count(text, "\n"); n != 12 || !strings.HasSuffix(text, "\n… 595 more files of the change\n") {
		t.Errorf("%d lines:\n%.500s", n, text)
	}
	for path, want := range map[string]int{
		"tests/relay.c": 1, "src/relay_test.go": 1, "relay.test.ts": 1, "spec/relay_spec.rb": 1, "testdata/a": 1,
		"lib/test_relay.py": 1,
		"src/latest.go":     0, "contest/relay.c": 0, "attestation.c": 0, "inspect.go": 0,
	} {
		if isTest(path) != want {
			t.Errorf("%s is %d", path, isTest(path))
		}
	}
}
