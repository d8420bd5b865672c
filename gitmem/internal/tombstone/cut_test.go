package tombstone_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/google/go-cmp/cmp"
)

const project = "example.org/acme/pump"

func mason() tombstone.Builder {
	return tombstone.Builder{Day: "2026-11-20", Salt: "6f1c0d2e9a7b4c33"}
}

func memoryFile() cite.File {
	return cite.File{Path: "projects/-w/memory/MEMORY.md", Area: cite.AreaMemory, Project: project}
}

func archiveFile() cite.File {
	return cite.File{Path: "gitmem/projects/example.org/acme/pump/sessions/2026/2026-11-20.md", Area: cite.AreaArchive,
		Project: project}
}

const notes = `# Memory

## Notes

- The staging password is swordfish
  and it is changed each month
  - nested below
- Yes
- Relays click

## Other

- Yes
Some prose about the swordfish.
`

const archive = `---
format: 1
date: 2026-11-20
---

# 2026-11-20

## The staging password is swordfish ^s-3f2a91c4

session: 3f2a91c4-aaaa · 14:02–15:40 UTC · branch swordfish · through: line 412 9c1e

Chose 10 A relays.

- [decision] Use 10 A relays (L124 14:22) ^i-81c2d0k7qa
  - supersedes [[2026-10-02#^i-77aa01m3xz]]
- [work] The staging password is swordfish (L2 14:03) ^i-90ab14r2fd

## Next ^s-4f2a91c4

session: 4f2a91c4-aaaa · 16:02–16:40 UTC
`

const newer = `---
format: 1
date: 2026-11-20
---

## Fishing ^s-3f2a91c4

Caught a swordfish.

wrote: swordfish.md · messages: 4 · branch swordfish · 14:02–15:40 UTC
session: 3f2a91c4-aaaa · through: line 412 9c1e
`

func TestCut(t *testing.T) {
	t.Parallel()
	line := mason().Line("- The staging password is swordfish")
	tests := []struct {
		name   string
		file   cite.File
		src    string
		cutter tombstone.Cutter
		want   string // removed lines, and added ones with "+"
	}{
		{"nothing was forgotten", memoryFile(), notes, tombstone.Cutter{}, ""},
		{"a line with what belongs to it", memoryFile(), notes, tombstone.Cutter{Set: set(line...)},
			"- The staging password is swordfish\n  and it is changed each month\n  - nested below\n"},
		{"a short line in its section only", memoryFile(), notes,
			tombstone.Cutter{Set: set(mason().Local("memory:"+project+"#notes", "- Yes")...)},
			"- Yes\n"},
		{"a section", memoryFile(), notes, tombstone.Cutter{Sections: map[string]bool{"memory:" + project + "#other": false}},
			"## Other\n\n- Yes\nSome prose about the swordfish.\n"},
		{"a section whose name others have, without a word in common", memoryFile(), notes,
			tombstone.Cutter{Sections: map[string]bool{"memory:" + project + "#other": true}}, ""},
		{"a literal", memoryFile(), notes, tombstone.Cutter{Literals: []string{"swordfish"}},
			"- The staging password is swordfish\n  and it is changed each month\n  - nested below\n" +
				"Some prose about the swordfish.\n"},
		{"a literal where others read structure", archiveFile(), archive, tombstone.Cutter{Literals: []string{"swordfish"}},
			"## The staging password is swordfish ^s-3f2a91c4\nsession: 3f2a91c4-aaaa · 14:02–15:40 UTC · branch swordfish · " +
				"through: line 412 9c1e\n" +
				"- [work] The staging password is swordfish (L2 14:03) ^i-90ab14r2fd\n" +
				"+## The staging password is [forgotten] ^s-3f2a91c4\n+session: 3f2a91c4-aaaa · 14:02–15:40 UTC · branch " +
				"[forgotten] · through: line 412 9c1e\n"},
		{"a literal in a head that stands last", archiveFile(), newer, tombstone.Cutter{Literals: []string{"swordfish"}},
			"Caught a swordfish.\nwrote: swordfish.md · messages: 4 · branch swordfish · 14:02–15:40 UTC\n" +
				"+wrote: [forgotten].md · messages: 4 · branch [forgotten] · 14:02–15:40 UTC\n"},
		{"a line that is a title, too", archiveFile(), archive, tombstone.Cutter{Set: set(line...)},
			"## The staging password is swordfish ^s-3f2a91c4\n- [work] The staging password is swordfish (L2 14:03) " +
				"^i-90ab14r2fd\n+## [forgotten] ^s-3f2a91c4\n"},
		{"an idea with its relations", archiveFile(), archive,
			tombstone.Cutter{Set: set(mason().Unit("idea:i-81c2d0k7qa", project))},
			"- [decision] Use 10 A relays (L124 14:22) ^i-81c2d0k7qa\n  - supersedes [[2026-10-02#^i-77aa01m3xz]]\n"},
		{"nothing with a relation", archiveFile(), archive,
			tombstone.Cutter{Set: set(mason().Line("  - supersedes [[2026-10-02#^i-77aa01m3xz]]")...)}, ""},
		{"a session", archiveFile(), archive,
			tombstone.Cutter{Set: set(mason().Unit("session:2026-11-20#s-4f2a91c4", project))},
			"## Next ^s-4f2a91c4\n\nsession: 4f2a91c4-aaaa · 16:02–16:40 UTC\n"},
		{"a session of another project", archiveFile(), archive,
			tombstone.Cutter{Set: set(mason().Unit("session:2026-11-20#s-4f2a91c4", "other"))}, ""},
		{"lines are somebody else's", memoryFile(), notes, tombstone.Cutter{Set: set(line...), UnitsOnly: true}, ""},
		{"CRLF", memoryFile(), "- a\r\n- The staging password is swordfish.\r\n", tombstone.Cutter{Set: set(line...)},
			"- The staging password is swordfish.\r\n"},
		{"the list itself", cite.File{Path: tombstone.File}, "swordfish\n", tombstone.Cutter{Literals: []string{"swordfish"}},
			""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.cutter.Redactor = redact.New()
			out, _ := tt.cutter.Cut(tt.file, []byte(tt.src))
			if diff := cmp.Diff(tt.want, difference(tt.src, string(out))); diff != "" {
				t.Errorf("lines that went (-want +got):\n%s", diff)
			}
			checkLaws(t, tt.cutter, tt.file, []byte(tt.src))
		})
	}
}

// A wrapped text is removed with the lines that it spans, and no others.
func TestCutWrapped(t *testing.T) {
	t.Parallel()
	const src = "# The launch\n\ncode of the gate\nThe launch\n  code of the\ngate is here.\nAnd more.\n\n" +
		"> launch code\n> of the gate\n\n- launch code\n- of the gate\n- My launch code\n  of the gate\n  and more\n"
	c := tombstone.Cutter{Literals: []string{"launch code of the gate"}}
	out, cut := c.Cut(memoryFile(), []byte(src))
	want := "# The launch\n\ncode of the gate\nAnd more.\n\n\n- launch code\n- of the gate\n"
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Error(diff)
	}
	if len(cut) != 8 {
		t.Errorf("told %q", cut)
	}
	checkLaws(t, c, memoryFile(), []byte(src))
}

func set(stones ...tombstone.Tombstone) *tombstone.Set { return new(tombstone.Set).With(stones...) }

// difference lists the lines of a that b lacks, then those that b has instead.
func difference(a, b string) string {
	var gone, come strings.Builder
	rest := b
	for line := range strings.Lines(a) {
		if after, ok := strings.CutPrefix(rest, line); ok {
			rest = after
			continue
		}
		gone.WriteString(line)
		if next, after, ok := strings.Cut(rest, "\n"); ok && strings.Contains(next, tombstone.Mark) {
			come.WriteString("+" + next + "\n")
			rest = after
		}
	}
	return gone.String() + come.String() + rest
}

// checkLaws checks properties of every file: cutting is idempotent, blanking keeps the line numbers, and the edits give
// the result of Cut.
func checkLaws(t *testing.T, c tombstone.Cutter, f cite.File, src []byte) {
	t.Helper()
	before := bytes.Clone(src)
	out, cut := c.Cut(f, src)
	// A heading in which a literal was replaced may equal another forgotten line.
	once := len(c.Literals) == 0
	if again, more := c.Cut(f, out); once && !bytes.Equal(again, out) || once && len(more) > 0 && out != nil {
		t.Errorf("cutting twice: %q, then %q (%q)", out, again, more)
	}
	blank, _ := c.Blank(f, src)
	if bytes.Count(blank, []byte("\n")) != bytes.Count(src, []byte("\n")) {
		t.Errorf("blanking changed the number of lines: %q", blank)
	}
	if len(cut) > 0 && bytes.Equal(out, src) {
		t.Errorf("%q went from %q, which stays", cut, src)
	}
	edits, whole, _ := c.Edits(f, src)
	var b []byte
	at := 0
	for _, e := range edits {
		b = append(append(b, src[at:e.Span.Start]...), e.Text...)
		at = e.Span.End
	}
	if b = append(b, src[at:]...); !whole && !bytes.Equal(b, out) || whole != (out == nil && len(src) > 0) {
		t.Errorf("edits make %q (whole: %v), Cut %q", b, whole, out)
	}
	if !bytes.Equal(before, src) {
		t.Error("the source was changed")
	}
}

func TestCutDecision(t *testing.T) {
	t.Parallel()
	f := cite.File{Path: "gitmem/projects/p/decisions/x.md", Area: cite.AreaDecision, Project: "p"}
	c := tombstone.Cutter{Set: set(mason().Unit("decision:x", "p")), Redactor: redact.New()}
	out, cut := c.Cut(f, []byte("---\nid: x\n---\n# Use Redis\n\nIt is fast.\n"))
	if out != nil || len(cut) == 0 {
		t.Errorf("a forgotten decision leaves %q, cut %q", out, cut)
	}
}

// TestStonesHold forgets each piece of a file in turn: it is removed, the others stay, and it is removed from a file of
// another form, too.
func TestStonesHold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file cite.File
		src  string
	}{{memoryFile(), notes}, {archiveFile(), archive}} {
		pieces := tombstone.Pieces(tt.file, []byte(tt.src), redact.New())
		if len(pieces) < 5 {
			t.Fatalf("%d pieces: %+v", len(pieces), pieces)
		}
		for _, p := range pieces {
			c := tombstone.Cutter{Set: set(mason().Tombstones(p, project)...), Redactor: redact.New()}
			out, _ := c.Cut(tt.file, []byte(tt.src))
			first, _, _ := strings.Cut(strings.TrimSpace(p.Raw), "\n")
			if lines := strings.Count(tt.src, "\n"+first+"\n"); tombstone.Distinctive(tombstone.Normal(first)) &&
				strings.Contains(string(out), first+"\n") && !strings.HasPrefix(first, "session: ") {
				t.Errorf("%q (%d times) is still in\n%s", first, lines, out)
			}
			if strings.Count(string(out), "\n") < strings.Count(tt.src, "\n")-5 {
				t.Errorf("with %q went far more:\n%s", first, out)
			}
		}
	}
}

// TestOthersStay forgets an idea and a section: others keep their relations to ideas, and the line that counts omitted
// ones, although it is equal there.
func TestOthersStay(t *testing.T) {
	t.Parallel()
	const first, second = `## First ^s-1

- [decision] We switched to zerolog because slog allocates ^i-aaaaaaaaaa
  - supersedes [[2026-10-01#^i-yyyyyyyyyy]], [[i-zzzzzzzzzz]]
- [note] 3 more lines of kind work are in the transcript

session: 1
`, `## Second ^s-2

- [decision] The wrapper of slog went with it ^i-bbbbbbbbbb
  - supersedes [[2026-10-01#^i-yyyyyyyyyy]], [[i-zzzzzzzzzz]]
  - builds_on [[#^i-aaaaaaaaaa]]
- [work]
  - builds_on [[#^i-aaaaaaaaaa]]
- [note] 3 more lines of kind work are in the transcript

session: 2
`
	src := "---\ndate: 2026-10-20\n---\n" + first + second
	for _, eol := range []string{"\n", "\r\n"} {
		src := []byte(strings.ReplaceAll(src, "\n", eol))
		for _, id := range []string{"idea:i-aaaaaaaaaa", "session:2026-10-20#s-1"} {
			part, ok := tombstone.Find(archiveFile(), src, id, redact.New())
			if !ok {
				t.Fatalf("%s is not there", id)
			}
			stones := []tombstone.Tombstone{mason().Unit(id, project)}
			for _, p := range part.Pieces {
				stones = append(stones, mason().Tombstones(p, project)...)
			}
			out, cut := tombstone.Cutter{Set: set(stones...), Redactor: redact.New()}.Cut(archiveFile(), src)
			if !strings.HasSuffix(string(out), strings.ReplaceAll(second, "\n", eol)) ||
				strings.Contains(string(out), "zerolog") {
				t.Errorf("without %s:\n%s", id, out)
			}
			if !slices.Contains(cut, "- supersedes [[2026-10-01#^i-yyyyyyyyyy]], [[i-zzzzzzzzzz]]") {
				t.Errorf("with %s went, as is told, %q", id, cut)
			}
		}
	}
}

// TestWords distinguishes lines with content from those without words.
func TestWords(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]bool{
		"  - answers [[#^i-77aa01m3xz]]":                          false,
		"* Relates_to [[i-77aa01m3xz]], [[2026-10-02#^i-a]] (L3)": false,
		"- answers [[the code of the gate]]":                      true,
		"- answers [[gate-code#^i-77aa01m3xz]]":                   true,
		"- answers [[#^i-77aa01m3xz|the code]]":                   true,
		"- answers [[#^i-77aa01m3xz]] the code":                   true,
		"- swordfish [[#^i-77aa01m3xz]]":                          true,
		"- answers":                                               true,
	} {
		if got := tombstone.Normal(line) != ""; got != says {
			t.Errorf("%q says something: %v", line, got)
		}
	}
}

func TestMessage(t *testing.T) {
	t.Parallel()
	long := "The pump draws seven amperes when it starts in the cold and that is far more than its label says it does"
	c := tombstone.Cutter{Set: set(append(mason().Line(long), mason().Line("- The staging password is swordfish")...)...),
		Literals: []string{"hunter2"}}
	for in, want := range map[string]string{
		"note: The staging password is swordfish\n\nGitmem-Op: note Notes\n": "note: [forgotten]\n\nGitmem-Op: note Notes\n",
		"undo: note: The staging password is swordfish":                      "undo: note: [forgotten]",
		// in the truncated form of a note's subject
		"note: " + long[:59] + "…\n":                    "note: [forgotten]\n",
		"archive: " + long[:71] + "…":                   "archive: [forgotten]",
		"about Hunter2, twice: hunter2\n":               "about [forgotten], twice: [forgotten]\n",
		"The staging password is swordfish, they say\n": "The staging password is swordfish, they say\n",
		"[forgotten]": "[forgotten]",
		"":            "",
	} {
		if got := c.Message(in); got != want {
			t.Errorf("Message(%q) = %q, want %q", in, got, want)
		}
		if got := c.Message(c.Message(in)); got != want {
			t.Errorf("twice: %q", got)
		}
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	s := set(mason().Line("The staging password is swordfish.")...)
	for in, want := range map[string]string{
		"We began. The staging password is swordfish. We ended.": "We began. We ended.",
		"The staging password is swordfish":                      "",
		"Nothing of it.":                                         "Nothing of it.",
	} {
		if got := s.Sentences(in); got != want {
			t.Errorf("Sentences(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add(notes, "the staging password is swordfish", "sword", 2)
	f.Add(archive, "Use 10 A relays", "relays", 3)
	f.Add("- 14:03:22 Edit ok ^o-1\n", "14:03:22 edit ok", "x", 6)
	f.Add("x a\na\nb\nb y\n- a\n  b\n", "x", "a b", 2)
	f.Add("# a\n# a\n\xff\n", "a", "\xff", 2)
	f.Add("0 1", "1", "0", -83)
	f.Fuzz(func(t *testing.T, src, line, literal string, area int) {
		file := cite.File{Path: "gitmem/x.md", Area: cite.Area(area), Project: "p"}
		m := mason()
		stones := append(m.Line(line), m.Unit("idea:i-81c2d0k7qa", "p"))
		for i, p := range tombstone.Pieces(file, []byte(src), redact.New()) {
			if i%3 == 1 {
				stones = append(stones, m.Tombstones(p, "p")...)
			}
		}
		c := tombstone.Cutter{Set: set(stones...), Redactor: redact.New()}
		literal = strings.ToLower(strings.TrimSpace(literal))
		if tombstone.Normal(literal) != "" && !strings.Contains(tombstone.Mark, literal) &&
			!strings.ContainsAny(literal, "\r\n\uFFFD") {
			c.Literals = []string{literal}
		}
		checkLaws(t, c, file, []byte(src))
		if got := c.Message(src); c.Message(got) != got {
			t.Errorf("a message twice: %q, %q", got, c.Message(got))
		}
	})
}
