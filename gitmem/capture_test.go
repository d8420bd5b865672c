package gitmem_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestObservationNumbers goes on behind the last number of a log, whatever stands
// at its end.
func TestObservationNumbers(t *testing.T) {
	t.Parallel()
	const session = "3f2a91c4-0000-4000-8000-000000000001"
	var long strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&long, "- 10:00:00 Bash ok · in: go test ./... ^o-%d\n", i+1)
	}
	tests := []struct{ name, log, want string }{
		{"none", "", " ^o-1\n"},
		{"long", long.String(), " ^o-5001\n"},
		{"one was taken out", "- 10:00:00 Bash ok ^o-1\n- 10:00:01 Bash ok ^o-3\n", " ^o-4\n"},
		{"somebody wrote much", "- 10:00:00 Bash ok ^o-7\n" + strings.Repeat("a line of mine\n", 5000), " ^o-8\n"},
		{"no number", "- 10:00:00 Bash ok ^o-x\n", " ^o-1\n"},
		{"a number that is none", "- 10:00:00 Bash ok ^o-2\n- a ^o-99999999999999999999\n", " ^o-3\n"},
		{"torn", "- 10:00:00 Bash ok ^o-2\n- 10:00:01 Ba", " ^o-3\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			o := gitmem.Observation{Session: session, Tool: "Bash", OK: true}
			rel, err := l.open(l.base).Sessions().Observe(t.Context(), o)
			must(t, err)
			file := filepath.Join(l.root, filepath.FromSlash(rel))
			if tt.log != "" {
				l.write(file, "---\nkind: observations\n---\n\n"+tt.log)
				_, err = l.open(l.base).Sessions().Observe(t.Context(), o)
				must(t, err)
			}
			if got := mustRead(t, file); !strings.HasSuffix(got, tt.want) {
				t.Errorf("the log ends with %q, want %q", got[max(0, len(got)-80):], tt.want)
			}
		})
	}
}

// TestObserveHow says who made a call and how it ended.
func TestObserveHow(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	o := gitmem.Observation{Session: "3f2a91c4-0000-4000-8000-000000000001", Tool: "Bash", Agent: "Explore", Interrupted: true, Input: "sleep 9"}
	rel, err := l.open(l.base).Sessions().Observe(t.Context(), o)
	must(t, err)
	if got := mustRead(t, filepath.Join(l.root, filepath.FromSlash(rel))); !strings.HasSuffix(got, " Bash interrupted · agent: Explore · in: sleep 9 ^o-1\n") {
		t.Error(got)
	}
}
