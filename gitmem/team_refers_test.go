package gitmem_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// A number in a commit's message leads to the fetched item of that number, even without a word in common with the
// question.
func TestNumbersLeadToThreads(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, issue(41, "Bearings rust", "Water reaches them after a month."),
		pr(7, "Paint the box", "It is green now."))
	r.commit("2024-02-01", "Ada Example", "b.txt", "Choose the membrane pump\n\nSee #41 and acme/lamp#7.")
	var a gitmem.Answer
	f.in(l, r.dir, nil, func(m *gitmem.Memory) (err error) {
		a, err = m.Ask(t.Context(), "why did we choose the membrane pump?", gitmem.Filter{Trace: true})
		return err
	})
	led := func(ref, id string) bool {
		return slices.ContainsFunc(a.Research, func(s gitmem.Step) bool {
			return s.Lead == ref && strings.Contains(s.Gave, id)
		})
	}
	if !led("#41", "github:issue:41") {
		t.Errorf("the number led nowhere: %+v", a.Research)
	}
	if led("acme/lamp#7", "github:pr:7") {
		t.Errorf("the number of another repository led here: %+v", a.Research)
	}
}

// A question that names a file, or a line of it, is also answered from the commits that wrote it.
func TestFilesLeadToWhatMadeThem(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t)
	sha := r.commit("2024-02-01", "Ada Example", "firmware/valve.c", "Throttle slowly\n\nOtherwise the pipe bangs.")
	r.commit("2024-02-02", "Bob Example", "firmware/other.c", "Blink twice")
	for _, place := range []string{"firmware/valve.c", "firmware/valve.c:1"} {
		var a gitmem.Answer
		f.in(l, r.dir, nil, func(m *gitmem.Memory) (err error) {
			a, err = m.Ask(t.Context(), "why does the heater in "+place+" wait?", gitmem.Filter{Trace: true})
			return err
		})
		if !slices.ContainsFunc(a.Research, func(s gitmem.Step) bool {
			return s.Lead == "git:commit:"+sha && s.From == place && s.By == "made by"
		}) {
			t.Errorf("%s: %+v", place, a.Research)
		}
	}
}

// A changelog entry leads to the commit and to the thread that it names.
func TestChangelogEntriesLeadToTheirChange(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, issue(41, "Bearings rust", "Water reaches them after a month."),
		pr(7, "Paint the box", "It is green now."))
	sha := r.commit("2024-02-01", "Ada Example", "b.txt", "Grease it")
	r.l.write(r.dir+"/CHANGES.rst", "1.1.0\n-----\n\nReleased 2024-03-01\n\n- The pump runs smoothly. :issue:`41` "+
		sha[:12]+"\n- It is green. :pr:`8`\n")
	r.commit("2024-03-01", "Ada Example", "a.txt", "Write the changes")
	f.in(l, r.dir, nil, func(m *gitmem.Memory) error {
		a, err := m.Ask(t.Context(), "why does the pump run smoothly?", gitmem.Filter{Trace: true})
		if err != nil {
			return err
		}
		for _, id := range []string{"git:commit:" + sha, "github:issue:41"} {
			if !slices.ContainsFunc(a.Research, func(s gitmem.Step) bool { return strings.Contains(s.Gave, id+" says") }) {
				t.Errorf("no lead to %s: %+v", id, a.Research)
			}
		}
		src, err := m.Shown(t.Context(), "docs:CHANGES.rst#110/the-pump-runs-smoothly-issue41-"+sha[:12],
			gitmem.ShowOptions{})
		var links []string
		for _, link := range src.Links {
			links = append(links, string(link.Rel)+" "+link.ID)
		}
		if want := []string{"contains git:commit:" + sha[:12], "mentions github:issue:41"}; !slices.Equal(links, want) {
			t.Errorf("links %q, want %q", links, want)
		}
		return err
	})
}
