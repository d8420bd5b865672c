package markdown_test

import (
	"testing"

	"github.com/gitmem/gitmem/markdown"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func yes() *bool { b := true; return &b }
func no() *bool  { b := false; return &b }

// firm returns the reference of an idea that has none.
func firm() markdown.Ref { return markdown.Ref{Confidence: 0.9} }

func TestIdeaLine(t *testing.T) {
	t.Parallel()
	type idea = markdown.Idea
	tests := []struct {
		name, in string
		want     idea
	}{
		{"all marks", "- [decision] Use 10 A relays: the pump draws 7 A #tech/relay (L124 14:22) ^i-81c2d0k7qa\n",
			idea{Intent: "decision", Text: "Use 10 A relays: the pump draws 7 A", Tags: []string{"tech/relay"},
				ID: "i-81c2d0k7qa", Refs: markdown.Ref{Line: 124, Time: "14:22", Confidence: 0.9}}},
		{"tentative", "- [problem] drifts (0.6 L140 14:25)",
			idea{Intent: "problem", Text: "drifts", Refs: markdown.Ref{Line: 140, Time: "14:25", Confidence: 0.6}}},
		{"by the person whose file it is", "- [todo] buy relays (L140 14:25 by me) ^x",
			idea{Intent: "todo", Text: "buy relays", ID: "x",
				Refs: markdown.Ref{Line: 140, Time: "14:25", Confidence: 0.9, By: "me"}}},
		{"by a program", "- [work] triage this (L3 14:25 by a program) ^x", idea{Intent: "work", Text: "triage this", ID: "x",
			Refs: markdown.Ref{Line: 3, Time: "14:25", Confidence: 0.9, By: "a program"}}},
		{"words that end so", "- [todo] read it (by me)", idea{Intent: "todo", Text: "read it (by me)", Refs: firm()}},
		{"only a line", "- [note] a (L7)", idea{Intent: "note", Text: "a", Refs: markdown.Ref{Line: 7, Confidence: 0.9}}},
		{"only a time", "- [note] a (14:02:33)",
			idea{Intent: "note", Text: "a", Refs: markdown.Ref{Time: "14:02:33", Confidence: 0.9}}},
		{"only confidence", "- [note] a (1.0)", idea{Intent: "note", Text: "a", Refs: markdown.Ref{Confidence: 1}}},
		{"brackets that are no reference", "- [note] a (25:00) (L0) f(L1) (1)",
			idea{Intent: "note", Text: "a (25:00) (L0) f(L1) (1)", Refs: firm()}},
		{"marks in another order", "- [note] a ^x (L7) #t", idea{Intent: "note", Text: "a", Tags: []string{"t"}, ID: "x",
			Refs: markdown.Ref{Line: 7, Confidence: 0.9}}},
		{"marks inside stay", "- [note] #a is (L1) ^b here #c", idea{Intent: "note", Text: "#a is (L1) ^b here",
			Tags: []string{"c"}, Refs: firm()}},
		{"only tags", "- [note] #a #b ^x", idea{Intent: "note", Text: "#a #b", ID: "x", Refs: firm()}},
		{"tags that are none", "- [note] a#b #12 `#c` http://x/#y # \\#z",
			idea{Intent: "note", Text: "a#b #12 `#c` http://x/#y # \\#z", Refs: firm()}},
		{"tags of many kinds", "- [note] (#a, #b-c/ #ü_1 #a #日本.) end",
			idea{Intent: "note", Text: "(#a, #b-c/ #ü_1 #a #日本.) end", Refs: firm()}},
		{"task", "- [ ] text\n", idea{Text: "text", Done: no(), Refs: firm()}},
		{"done task", "- [x] feat-a: Relay (in_progress; blocked by b) ^task-feat-a",
			idea{Text: "feat-a: Relay (in_progress; blocked by b)", Done: yes(), ID: "task-feat-a", Refs: firm()}},
		{"task with category", "- [X] [todo] a", idea{Intent: "todo", Text: "a", Done: yes(), Refs: firm()}},
		{"any word, any case", "* [My_Word-2] a", idea{Intent: "my_word-2", Text: "a", Refs: firm()}},
		{"any bullet", "3) [note] a", idea{Intent: "note", Text: "a", Refs: firm()}},
		{"several lines", "- [note] a\n  b (L1)\nc ^x\n", idea{Intent: "note", Text: "a b (L1) c", ID: "x", Refs: firm()}},
		{"crlf", "- [note] a\r\n  b ^x\r\n", idea{Intent: "note", Text: "a b", ID: "x", Refs: firm()}},
		{"text on the next line", "-\n  [note] a", idea{Intent: "note", Text: "a", Refs: firm()}},
		{"text on the next line, crlf", "-\r\n  [note] a\r\n", idea{Intent: "note", Text: "a", Refs: firm()}},
		{"behind a byte order mark", "\xef\xbb\xbf- [note] a", idea{Intent: "note", Text: "a", Refs: firm()}},
		{"unpaired code marks", "- [note] ` #a `` #b ``` #c `` d", idea{Intent: "note", Text: "` #a `` #b ``` #c `` d",
			Refs: firm()}},
		{"tabs", "-\t[note]\ta\t^x", idea{Intent: "note", Text: "a", ID: "x", Refs: firm()}},
	}
	ignore := cmpopts.IgnoreFields(idea{}, "Span", "Content", "Line", "Section", "Parent")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			checkDoc(t, d, []byte(tt.in))
			if diff := cmp.Diff([]idea{tt.want}, d.Ideas, ignore); diff != "" {
				t.Error(diff)
			}
			if len(d.Skipped) > 0 {
				t.Errorf("skipped %+v", d.Skipped)
			}
		})
	}
}

func TestNoIdea(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		reason   string // "" if nothing is counted
	}{
		{"plain bullet", "- a [note]\n", ""},
		{"link", "- [note](a.md): b\n- [note][a]\n- [[note]] a\n", ""},
		{"no bullet", "[note] a\n", ""},
		{"two words", "- [two words] a\n", ""},
		{"a number", "- [1] a\n", ""},
		{"another checkbox", "- [-] a\n", ""},
		{"in code", "```\n- [note] a\n```\n\n    - [note] a\n", ""},
		{"in a comment", "<!--\n- [note] a\n-->\n", ""},
		{"reference definition", "- [decision]: a\n", ""},
		{"in a quote", "> - [note] a\n", "idea inside a quote: not taken as one"},
		{"in a list in a quote", "> - a\n>   - [note] a\n", "idea inside a quote: not taken as one"},
		{"no text", "- [note] ^x\n", "idea without text"},
		{"no blank", "- [Todo]a\n", "category [Todo] without a blank behind it"},
		{"no blank, unknown word", "- [a]a\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			checkDoc(t, d, []byte(tt.in))
			reason := ""
			if len(d.Skipped) > 0 {
				reason = d.Skipped[0].Reason
			}
			if len(d.Ideas) > 0 || reason != tt.reason || len(d.Skipped) > 1 {
				t.Errorf("ideas %+v, skipped %+v", d.Ideas, d.Skipped)
			}
		})
	}
}

func TestRelations(t *testing.T) {
	t.Parallel()
	src := "# a\n- [solution] b ^x\n  - answers [[#^y]]\n  - supersedes [[2026-10-02#^i-77aa01m3xz|that]] and " +
		"[[i-90ab]]\n" +
		"  - see [[z]]\n  - relates_to [[open\n  - prose about [[w]]\n  - [note] c\n    - builds_on [[d]]\n" +
		"- contradicts [[e]]\n- plain [[f]]\n> - answers [[g]]\n"
	d := markdown.Parse([]byte(src))
	checkDoc(t, d, []byte(src))
	type rel struct{ Kind, Target, ID string }
	got := map[string][]rel{}
	for _, i := range d.Ideas {
		for _, r := range i.Relations {
			got[i.Text] = append(got[i.Text], rel{r.Kind, r.Target, r.ID()})
		}
	}
	want := map[string][]rel{
		"b": {{"answers", "#^y", "y"}, {"supersedes", "2026-10-02#^i-77aa01m3xz", "i-77aa01m3xz"},
			{"supersedes", "i-90ab", "i-90ab"}},
		"c": {{"builds_on", "d", ""}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var reasons []string
	for _, s := range d.Skipped {
		reasons = append(reasons, s.Reason)
	}
	wantReasons := []string{"unknown relation see", "relation without a closed [[link]]",
		"relation without an idea above it", "relation inside a quote: not taken as one"}
	if diff := cmp.Diff(wantReasons, reasons); diff != "" {
		t.Error(diff)
	}
	if d.Ideas[1].Parent != 0 || d.Ideas[0].Parent != -1 || d.Ideas[1].Section != 0 {
		t.Errorf("ideas %+v", d.Ideas)
	}
}

func TestDuplicateIDs(t *testing.T) {
	t.Parallel()
	src := "- [note] a ^x\n\n# b ^x\n\n- [note] c ^y\n\n# d ^y\n- [note] e ^z\n"
	d := markdown.Parse([]byte(src))
	checkDoc(t, d, []byte(src))
	ids := []string{d.Ideas[0].ID, d.Sections[0].ID, d.Ideas[1].ID, d.Sections[1].ID, d.Ideas[2].ID}
	if diff := cmp.Diff([]string{"x", "", "y", "", "z"}, ids); diff != "" {
		t.Error(diff)
	}
	if len(d.Skipped) != 2 || d.Skipped[0].Line != 3 || d.Skipped[1].Line != 7 {
		t.Errorf("skipped %+v", d.Skipped)
	}
}

// TestGuardNesting: text that is nested too deep is plain text, and is counted once per line.
func TestGuardNesting(t *testing.T) {
	t.Parallel()
	deep := ""
	for range 200 {
		deep += "> "
	}
	src := deep + "a\n\n" + deep + "- [note] b\n\n# c\n- [note] d\n"
	d := markdown.Parse([]byte(src))
	checkDoc(t, d, []byte(src))
	if len(d.Skipped) != 2 || d.Skipped[0].Line != 1 || d.Skipped[1].Line != 3 || len(d.Sections) != 1 ||
		len(d.Ideas) != 1 {
		t.Errorf("%d sections, %d ideas, skipped %+v", len(d.Sections), len(d.Ideas), d.Skipped)
	}
}
