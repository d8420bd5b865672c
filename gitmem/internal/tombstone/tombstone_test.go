package tombstone_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
)

func TestNormal(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"- The  Relay clicks. ":                                  "the relay clicks",
		"  * [ ] Board ^task-a":                                  "board",
		"- [decision] Use 10 A relays (0.6 L124 14:22) ^i-81c2d": "use 10 a relays",
		"- [todo] Buy relays (L12 14:22 by me) ^i-81c2d":         "buy relays",
		"- [work] Triage this (L3 14:22 by a program) ^i-81c2e":  "triage this",
		"- [note] All green (0.6 L9 14:22 by an agent) ^i-81c2f": "all green",
		"  - withdraws [[#^i-81c2d]]":                            "",
		"- [ ] Buy relays (by a model) ^task-buy":                "buy relays",
		"## Relay ^s-1":                        "relay",
		"> 3. Quoted":                          "quoted",
		"- [link](target) stays":               "[link](target) stays",
		"the cold (really)":                    "the cold (really)",
		"---":                                  "",
		"```":                                  "",
		"":                                     "",
		"- ":                                   "",
		"- [2026-11-01T12:00:00.123Z] a stamp": "[2026-11-01t12:00:00.123z] a stamp",
		"1234567890. is no number":             "1234567890. is no number",
		"Relay ( 0.6 )":                        "relay",
		"Relay (L)":                            "relay",
		"- [two words] are no category":        "[two words] are no category",
		"2026. was a year, 1234567890. is no":  "was a year, 1234567890. is no",
	} {
		if got := tombstone.Normal(in); got != want {
			t.Errorf("Normal(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestSetOfMany queries one set from many goroutines, as parallel reading does.
func TestSetOfMany(t *testing.T) {
	t.Parallel()
	s := new(tombstone.Set).With(mason().Line("- The relay clicks")...)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 2000 {
				if s.HasLine(fmt.Sprintf("line %d", i)) || !s.HasLine("the relay clicks") {
					t.Error("a wrong answer")
				}
			}
		})
	}
	group.Wait()
}

func TestSet(t *testing.T) {
	t.Parallel()
	here, there := mason(), tombstone.Builder{Day: "2026-11-21", Salt: "0123456789abcdef"}
	var list strings.Builder
	list.WriteString(tombstone.Header)
	stones := append(here.Line("- The relay clicks"), there.Line("The pump hums")...)
	stones = append(stones, there.Unit("task:a", "p"), here.Unit("transcript:3f2a:7", ""), here.Unit("github:pr:7", ""))
	stones = append(stones, here.Local("memory:p#notes", "- Yes")...)
	for _, s := range stones {
		list.WriteString(s.String() + "\r\n")
	}
	list.WriteString("<<<<<<< ours\n- a line of somebody\n")
	s := tombstone.ParseSet([]byte(list.String()))
	if s.Len() != len(stones) || s.Skipped != 1 {
		t.Errorf("%d stones of %d, %d skipped", s.Len(), len(stones), s.Skipped)
	}
	for what, got := range map[string]bool{
		"a line": s.HasLine("the relay  clicks."), "a line of another machine": s.HasLine("- the pump hums"),
		"a task": s.HasUnit("task:a", "p"), "a transcript": s.HasUnit("transcript:3f2a:7", "any"),
		"a server's":   s.HasUnit("github:pr:7", ""),
		"a local line": s.HasLocal("memory:p#notes", "yes"), "not others": !s.HasLine("yes") && !s.HasUnit("task:a", "q") &&
			!s.HasLocal("memory:p#other", "yes"),
		"nothing in nothing": !(*tombstone.Set)(nil).HasLine("x") && !new(tombstone.Set).HasUnit("x", ""),
	} {
		if !got {
			t.Errorf("%s: wrong answer", what)
		}
	}
	if text := list.String(); strings.Contains(text, "relay") || strings.Contains(text, "pump") {
		t.Errorf("the list holds words:\n%s", text)
	}
	_, relay := s.Line("The relay clicks")
	if _, nothing := s.Line("nothing"); !relay || nothing {
		t.Error("the stones of a line are not found")
	}
}

func FuzzParseSet(f *testing.F) {
	f.Add(tombstone.Header+"- 2026-11-20 line 6f1c0d2e9a7b4c33 70bb301dfd2067a25acae3fe429e628b\n", "a line")
	f.Add("- x\n-\n- 2026-11-20 line 6f1c 70bb\n", "")
	f.Fuzz(func(t *testing.T, list, line string) {
		s := tombstone.ParseSet([]byte(list))
		with := s.With(mason().Line(line)...)
		if tombstone.Normal(line) != "" && !with.HasLine(line) {
			t.Errorf("%q was forgotten and is not known", line)
		}
		if with.Len() < s.Len() {
			t.Error("a set lost stones")
		}
	})
}
