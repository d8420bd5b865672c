package gitmem_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/markdown"
)

// TestObservationIDs checks that each line of a log has a unique id, whatever the log contains: derived from the
// client's id of the call, or from time and text if there is none. Older lines are numbered.
func TestObservationIDs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	bash := gitmem.Observation{Session: sessionA, Tool: "Bash", OK: true, Input: "tighten the flange"}
	other, called := bash, bash
	other.Input, called.Call = "loosen the flange", "toolu_01"
	file := l.observe(r.dir, bash)
	l.write(file, l.read(file)+"- 12:00:01 Bash ok · in: measure the flange ^o-17\n- 12:00:02 Bash ok · in: to")
	for _, o := range []gitmem.Observation{other, called} {
		l.observe(r.dir, o)
	}
	ids := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m) \^o-(\w+)$`).FindAllStringSubmatch(l.read(file), -1) {
		ids[found[1]] = true
	}
	equal(t, "ids in\n"+l.read(file), 4, len(ids))
	again := l.observe(l.repo("valve").dir, called)
	if log := l.read(again); !strings.Contains(log, " ^o-"+markdown.ContentID("toolu_01")+"\n") {
		t.Errorf("the id of a call is not made from the client's:\n%s", log)
	}
	for _, id := range []string{"17", markdown.ContentID("toolu_01")} {
		src, err := l.open(r.dir).Shown(t.Context(), "observation:"+sessionA+":"+id, gitmem.ShowOptions{})
		if err != nil || !strings.Contains(src.Text, "the flange") {
			t.Errorf("show %s: %+v, %v", id, src, err)
		}
	}
}

// TestObserveHow checks the caller and the result of a logged call.
func TestObserveHow(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	o := gitmem.Observation{Session: "3f2a91c4-0000-4000-8000-000000000001", Tool: "Bash", Agent: "Explore",
		Interrupted: true, Input: "sleep 9"}
	rel, err := l.open(l.base).Sessions().Observe(t.Context(), o)
	must(t, err)
	if got := mustRead(t, filepath.Join(l.root, filepath.FromSlash(rel))); !strings.Contains(got,
		" Bash interrupted · agent: Explore · in: sleep 9 ^o-") {
		t.Error(got)
	}
}
