package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadObservation checks that written observations are parsed.
func TestReadObservation(t *testing.T) {
	t.Parallel()
	for _, o := range []Observation{
		{Tool: "Edit", OK: true, Wrote: []string{"a.go", "b c.go"}},
		{Tool: "Read", OK: true, Input: "a", Output: "3 lines", Read: []string{"a.go"}},
		{Tool: "mcp__x y", OK: true, Agent: "explore", Read: []string{"a"}, Wrote: []string{"b"}},
		{Tool: "Bash", Input: "make failed", Output: "exit 1 · no"},
		{Tool: "", OK: true},
	} {
		got := ReadObservation("14:03:22 " + o.text())
		want := Observation{Tool: o.Tool, OK: o.OK, Read: o.Read, Wrote: o.Wrote}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", o.text(), diff)
		}
	}
	stopped := Observation{Tool: "Bash", Interrupted: true}
	if got := ReadObservation("14:03:22 " + stopped.text()); !got.OK || got.Tool != "Bash" {
		t.Errorf("%q: %+v", stopped.text(), got)
	}
	unsettled := Observation{Tool: "Bash", OK: true, Unsettled: true, Input: "make"}
	if got := ReadObservation("14:03:22 " + unsettled.text()); !got.OK || got.Tool != "Bash" ||
		unsettled.text() != "Bash · in: make" {
		t.Errorf("%q: %+v", unsettled.text(), got)
	}
	for _, line := range []string{"", "14:03:22", "14:03:22 by hand", "14:03:22 Read ok · read: a.go, b…"} {
		if got := ReadObservation(line); !got.OK || len(got.Read) > 1 {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
