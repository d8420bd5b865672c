package gitmem_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestSessionList lists sessions in parts, those of one agent and those that a search finds, and none that must not be
// shown.
func TestSessionList(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	list := func(f gitmem.SessionFilter) (out gitmem.SessionList, ids string) {
		if f.Limit == 0 {
			f.Limit = 50
		}
		l.with(dir, func(m *gitmem.Memory) (err error) {
			out, err = m.Data().SessionList(t.Context(), f)
			return err
		})
		for _, s := range out.Sessions {
			ids += s.ID[:4] + " "
		}
		return out, ids
	}
	all, ids := list(gitmem.SessionFilter{})
	if ids != "7b1d 3f2a " || all.Total != 2 || all.More || all.Sessions[1].Messages != 2 ||
		all.Sessions[1].Agent != "Claude Code" {
		t.Errorf("all: %+v", all)
	}
	first, ids := list(gitmem.SessionFilter{Limit: 1})
	if ids != "7b1d " || first.Total != 2 || !first.More {
		t.Errorf("the first part: %+v", first)
	}
	if second, ids := list(gitmem.SessionFilter{Limit: 1, Offset: 1}); ids != "3f2a " || second.More {
		t.Errorf("the second part: %+v", second)
	}
	if _, ids := list(gitmem.SessionFilter{Offset: 9}); ids != "" {
		t.Errorf("behind the end: %s", ids)
	}
	if _, ids := list(gitmem.SessionFilter{Agent: "codex"}); ids != "" {
		t.Errorf("of another agent: %s", ids)
	}
	if _, err := l.open(dir).Data().SessionList(t.Context(), gitmem.SessionFilter{Agent: "nobody"}); !errors.Is(err,
		gitmem.ErrUsage) {
		t.Errorf("of an unknown agent: %v", err)
	}
	found, ids := list(gitmem.SessionFilter{Words: "greased"})
	if ids != "3f2a " || !strings.Contains(found.Sessions[0].Found, "Grease") ||
		!strings.HasPrefix(found.Sessions[0].FoundPage, found.Sessions[0].Page+"#msg-") {
		t.Errorf("a search: %+v", found)
	}
	l.mkdir(l.base + "/elsewhere")
	l.transcriptFile(l.base+"/elsewhere", sessionC, turn{role: "user", at: "2025-03-09T15:00:00Z", text: "Elsewhere"})
	if _, ids := list(gitmem.SessionFilter{}); ids != "7b1d 3f2a " {
		t.Errorf("of the project: %s", ids)
	}
	if _, ids := list(gitmem.SessionFilter{Project: "all"}); ids != sessionC[:4]+" 7b1d 3f2a " {
		t.Errorf("of all projects: %s", ids)
	}
	l.configure("exclude: ['" + dir + "']\n")
	if _, ids := list(gitmem.SessionFilter{Project: "all"}); ids != sessionC[:4]+" " {
		t.Errorf("with an excluded folder: %s", ids)
	}
}
