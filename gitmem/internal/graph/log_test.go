package graph_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
)

// addTo adds the text of an archived day, or of a session's log, to a graph.
func addTo(g *graph.Graph, area cite.Area, head string, lines ...string) {
	f := cite.File{Path: "x.md", Area: area, Project: "p"}
	units, _ := cite.Units(f, []byte("---\n"+head+"\n---\n\n"+strings.Join(lines, "\n")+"\n"))
	if area == cite.AreaObservations {
		g.AddLog(f, units)
	} else {
		g.Add(f, units)
	}
}

// TestAddLog: a log adds what no section contains, and nothing of a session that is not worth a section.
func TestAddLog(t *testing.T) {
	t.Parallel()
	archive := []string{
		"## Logger ^s-1", "", "- [decision] We use slog in the server (L2 09:01) ^i-aaaaaaaaaa",
		"- [todo] We still need to add request ids to the log lines (L3 09:02) ^i-bbbbbbbbbb", "",
		"messages: 3 · 09:00–09:02 UTC", "session: s1 · through: line 3 00ff",
	}
	idea := func(clock, text string) string {
		return "- " + clock + " idea · said: " + text + " · 00ff00ff ^o-" +
			strings.NewReplacer(":", "", " ", "").Replace("a"+clock)
	}
	switched := idea("10:01:00", "[decision] We switched from slog to zerolog (L4 10:01) ^i-cccccccccc")
	for name, tt := range map[string]struct {
		session string
		log     []string
		want    string
	}{
		"goes on": {"s1", []string{switched}, "decision superseded, todo open, decision "},
		"is covered": {"s1", []string{idea("09:01:00", "[decision] We use slog in the server (L2 09:01) ^i-aaaaaaaaaa"),
			idea("09:02:30", "[decision] Gone by hand (L3 09:02) ^i-dddddddddd")}, "decision , todo open"},
		"repeats another": {"s2", []string{idea("09:01:00", "[decision] We use slog in the server (L2 09:01) ^i-aaaaaaaaaa"),
			switched}, "decision superseded, todo open, decision "},
		"is a question": {"s2", []string{idea("10:01:00", "[question] Which cache do we want? (L2 10:01) ^i-eeeeeeeeee")},
			"decision , todo open"},
		"asks and does": {"s2", []string{idea("10:01:00", "[question] Which cache do we want? (L2 10:01) ^i-eeeeeeeeee"),
			"- 10:02:00 Edit ok · in: a.go ^o-b"}, "decision , todo open, question open"},
	} {
		g := graph.New()
		addTo(g, cite.AreaArchive, "date: 2026-11-02", archive...)
		addTo(g, cite.AreaObservations, "date: 2026-11-02\nsession: "+tt.session, tt.log...)
		var got []string
		for _, i := range g.Ideas {
			state, _ := g.State(i)
			got = append(got, i.Intent+" "+state)
		}
		if all := strings.Join(got, ", "); all != tt.want {
			t.Errorf("%s: %q, want %q", name, all, tt.want)
		}
	}
}
