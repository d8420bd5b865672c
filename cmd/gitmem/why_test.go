package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// On a terminal the colours of a commit are complete, and its text adds none.
func TestWhyCommitInColour(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	a := &app{out: &out, outTTY: true, getenv: func(string) string { return "" }}
	a.printWhyCommit(gitmem.WhyCommit{
		ID: "git:commit:" + strings.Repeat("a", 40), Title: "Add\x1b[5m it", Author: "Ada\x1b[5m",
		Time: "2024-02-02T10:00:00Z", Part: "wrote",
		Release: "v1\x1b[5m", RevertedBy: "git:commit:" + strings.Repeat("b", 40),
	}, 0)
	want := "(first in v1[5m, " + string(red) + "taken back by git:commit:bbbbbbbbbbbb" + reset + ")"
	if got := out.String(); !strings.Contains(got, want) || strings.Contains(got, "\x1b[5m") {
		t.Errorf("%q does not hold %q", got, want)
	}
}

// If several lines were asked about, the output has the number of lines that a commit wrote.
func TestWhyCommitLines(t *testing.T) {
	t.Parallel()
	c := gitmem.WhyCommit{ID: "git:commit:" + strings.Repeat("a", 40), Title: "Add it", Author: "Ada",
		Time: "2024-02-02T10:00:00Z", Part: "wrote", Lines: 1, Added: 3}
	for lines, told := range map[int]bool{1: false, 2: true} {
		var out bytes.Buffer
		a := &app{out: &out, getenv: func(string) string { return "" }}
		a.printWhyCommit(c, lines)
		if got := out.String(); strings.Contains(got, "(1 of the lines)") != told || strings.Contains(got, "+3") {
			t.Errorf("of %d lines: %q", lines, got)
		}
	}
}
