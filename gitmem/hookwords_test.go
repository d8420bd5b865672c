package gitmem_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

func TestHookWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		command string
		args    []string // nil: a shell reads the command
		want    string   // the hook, "" for a command that does not call gitmem
	}{
		{"/usr/bin/gitmem", []string{"hook", "stop"}, "stop"},
		{"/usr/my bin/gitmem", []string{"hook", "stop"}, "stop"},
		{`C:\Tools\GitMem.EXE`, []string{"hook", "stop"}, "stop"},
		{"gitmem-1.2", []string{"hook", "stop", "--debug"}, "stop"},
		{"gitmem2", []string{"hook", "stop"}, "stop"},
		{"/opt/gitmemory/bin/run", []string{"hook", "stop"}, ""},
		{"gitmemory", []string{"hook", "stop"}, ""},
		{"/usr/bin/gitmem", []string{"search", "stop"}, ""},
		{"/usr/bin/gitmem", []string{"hook"}, ""},
		{"gitmem hook stop", []string{}, ""},
		{"gitmem hook stop", nil, "stop"},
		{"'/usr/my bin/gitmem' hook session-end 2>/dev/null", nil, "session-end"},
		{`'/it'\''s mine/gitmem' hook stop --agent codex`, nil, "stop"},
		{"", nil, ""},
	}
	for _, tt := range tests {
		words, ok := gitmem.HookWords(tt.command, tt.args)
		if ok != (tt.want != "") || ok && words[2] != tt.want {
			t.Errorf("HookWords(%q, %q) = %q, %v, want %q", tt.command, tt.args, words, ok, tt.want)
		}
	}
}
