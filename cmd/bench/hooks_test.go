package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestBuildEmpty builds the program that does nothing, or returns why it can't.
func TestBuildEmpty(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED: the go command is not there")
	}
	program, missing := buildEmpty(t.Context(), t.TempDir(), os.Environ())
	if missing != "" {
		t.Fatal(missing)
	}
	if out, err := exec.CommandContext(t.Context(), program).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
	program, missing = buildEmpty(t.Context(), t.TempDir(), append(os.Environ(), "GOROOT="+t.TempDir()))
	if program != "" || !strings.HasPrefix(missing, "an empty Go program could not be built (exit status ") {
		t.Errorf("%q, %q", program, missing)
	}
}

// TestHookRow evaluates measurements.
func TestHookRow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		c      hookCase
		empty  string
		failed int
		want   string
	}{
		{"kept", hookCase{limit: 10, wall: []float64{11, 12, 90}, peak: 60e6}, "empty", 0, "kept"},
		{"slow", hookCase{limit: 10, wall: []float64{11, 12.1, 90}}, "empty", 0, "missed"},
		{"large", hookCase{limit: 10, wall: []float64{11}, peak: 60e6 + 1}, "empty", 0, "missed"},
		{"large without a limit", hookCase{wall: []float64{11}, peak: 61e6}, "empty", 0, "missed"},
		{"fast since it failed", hookCase{limit: 10, wall: []float64{3}}, "empty", 1, "missed"},
		{"mostly silent", hookCase{limit: 10, wall: []float64{3, 3, 3}, speaks: true, spoke: 1}, "empty", 0, "missed"},
		{"mostly not", hookCase{limit: 10, wall: []float64{3, 3, 3}, speaks: true, spoke: 2}, "empty", 0, "kept"},
		{"no limit", hookCase{wall: []float64{300}}, "empty", 0, ""},
		{"nothing beside it", hookCase{limit: 10, wall: []float64{3}}, "", 0, "not measured"},
	}
	for _, tt := range tests {
		r := &hookRunner{empty: tt.empty, base: []float64{1, 2, 3}}
		if got := r.row(&tt.c, tt.failed); got.Verdict != tt.want {
			t.Errorf("%s: %+v, want %q", tt.name, got, tt.want)
		}
	}
}
