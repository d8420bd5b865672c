package cite_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/markdown"
)

const archive = `---
format: 1
kind: sessions
project: example.org/acme/pump
date: 2026-11-20
---

# 2026-11-20

## Relay board bring-up ^s-3f2a91c4

session: 3f2a91c4-aaaa · 14:02–15:40 UTC · branch main · 42 messages · through: line 412 9c1e

Chose 10 A relays after the pump measured 7 A.

- [decision] Use 10 A relays: the pump draws 7 A #tech/relay (L124 14:22) ^i-81c2d0k7qa
  - supersedes [[2026-10-02#^i-77aa01m3xz]]

### Range ^t-3f2a91c4-1

- [todo] Repeat the range test outdoors (L178 14:36) ^i-90ab20p5we

## A heading of a person

Not a session.
`

// brief is a unit without the fields that the test ignores.
type brief struct{ ID, Title, Type, Session, Time, First string }

func briefs(units []cite.Unit) []brief {
	var out []brief
	for _, u := range units {
		first, _, _ := strings.Cut(strings.TrimSpace(u.Text), "\n")
		b := brief{ID: u.ID, Title: u.Title, Type: u.Type, Session: u.Session, First: first}
		if !u.Time.IsZero() {
			b.Time = u.Time.Format("2006-01-02 15:04")
		}
		out = append(out, b)
	}
	return out
}

// unitCase is a file and the units that it holds.
type unitCase struct {
	name string
	file cite.File
	src  string
	want []brief
}

// writtenUnits are those of files that people write, with gitmem or by hand.
func writtenUnits() []unitCase {
	return []unitCase{
		{
			"rules by heading, equal headings numbered", cite.File{Path: ".claude/rules/go.md", Area: cite.AreaRules},
			"Before all.\n\n# Errors\n\nWrap them.\n\n## Names\n\nShort.\n\n# Errors\n\nAgain.\n\n# Empty\n",
			[]brief{
				{ID: "rules:.claude/rules/go.md", Title: "go", First: "Before all."},
				{ID: "rules:.claude/rules/go.md#errors", Title: "Errors", First: "Wrap them."},
				{ID: "rules:.claude/rules/go.md#names", Title: "Errors › Names", First: "Short."},
				{ID: "rules:.claude/rules/go.md#errors-1", Title: "Errors", First: "Again."},
			},
		},
		{
			"the client's topic file with its own description", cite.File{Path: "projects/-w/memory/relay.md",
				Area: cite.AreaMemory, Project: "example.org/acme/pump"},
			"---\nname: relay\ndescription: What we know of relays\n---\nThey click.\n",
			[]brief{{ID: "memory:example.org/acme/pump/relay.md", Title: "What we know of relays", First: "They click."}},
		},
		{
			"a decision is one unit and tells its status", cite.File{Path: "gitmem/projects/p/decisions/2026-11-20-relays.md",
				Area: cite.AreaDecision},
			"---\nid: relays\ndate: 2026-11-20\nstatus: superseded\n---\n# Use 10 A relays\n\nThe pump draws 7 A.\n",
			[]brief{{ID: "decision:relays", Title: "Use 10 A relays (superseded)", Type: "decision", Time: "2026-11-20 00:00",
				First: "# Use 10 A relays"}},
		},
		{
			"a decision's date may have a time", cite.File{Path: "gitmem/projects/p/decisions/relays.md",
				Area: cite.AreaDecision},
			"---\nid: relays\ndate: 2026-03-01T10:00:00Z\n---\n# Use 10 A relays\n",
			[]brief{{ID: "decision:relays", Title: "Use 10 A relays", Type: "decision", Time: "2026-03-01 00:00",
				First: "# Use 10 A relays"}},
		},
		{
			"tasks", cite.File{Path: "gitmem/projects/p/tasks.md", Area: cite.AreaTasks},
			"- [ ] Relay driver ^task-feat-a\n- [x] Board\n",
			[]brief{
				{ID: "task:feat-a", Title: "task (open)", First: "Relay driver"},
				{ID: "task:" + markdown.ContentID("Board"), Title: "task (completed)", First: "Board"},
			},
		},
	}
}

// sessionUnits are those of files that sessions leave.
func sessionUnits() []unitCase {
	return []unitCase{
		{
			"archive: sessions and their ideas", cite.File{Path: "gitmem/projects/p/sessions/2026/2026-11-20.md",
				Area: cite.AreaArchive}, archive,
			[]brief{
				{ID: "session:2026-11-20#s-3f2a91c4", Title: "Relay board bring-up", Session: "3f2a91c4-aaaa",
					Time:  "2026-11-20 14:02",
					First: "session: 3f2a91c4-aaaa · 14:02–15:40 UTC · branch main · 42 messages · through: line 412 9c1e"},
				{ID: "session:2026-11-20#t-3f2a91c4-1", Title: "Range", Session: "3f2a91c4-aaaa", Time: "2026-11-20 14:02",
					First: "- [todo] Repeat the range test outdoors (L178 14:36) ^i-90ab20p5we"},
				{ID: "idea:i-81c2d0k7qa", Title: "Relay board bring-up", Type: "decision", Session: "3f2a91c4-aaaa",
					Time: "2026-11-20 14:02", First: "Use 10 A relays: the pump draws 7 A"},
				{ID: "idea:i-90ab20p5we", Title: "Range", Type: "todo", Session: "3f2a91c4-aaaa", Time: "2026-11-20 14:02",
					First: "Repeat the range test outdoors"},
			},
		},
		{
			"archive: a session whose head stands last", cite.File{Path: "gitmem/projects/p/sessions/2026/2026-11-20.md",
				Area: cite.AreaArchive},
			"---\ndate: 2026-11-20\n---\n\n## Relays ^s-3f2a91c4\n\nChose 10 A relays.\n\n" +
				"- [todo] Repeat the range test (L178 14:36) ^i-90ab20p5we\n\n" +
				"messages: 42 · branch main · 14:02–15:40 UTC\nsession: 3f2a91c4-aaaa · through: line 412 9c1e\n",
			[]brief{
				{ID: "session:2026-11-20#s-3f2a91c4", Title: "Relays", Session: "3f2a91c4-aaaa", Time: "2026-11-20 14:02",
					First: "Chose 10 A relays."},
				{ID: "idea:i-90ab20p5we", Title: "Relays", Type: "todo", Session: "3f2a91c4-aaaa", Time: "2026-11-20 14:02",
					First: "Repeat the range test"},
			},
		},
		{
			"observations", cite.File{Path: "gitmem/projects/p/observations/2026-11/20-3f2a91c4.md",
				Area: cite.AreaObservations},
			"---\ndate: 2026-11-20\nsession: \"3f2a91c4-aaaa\"\n---\n\n- 14:03:22 Edit ok · wrote: a ^o-1\n" +
				"- 14:03:25 Bash ok ^o-1\n- torn\n",
			[]brief{{ID: "observation:3f2a91c4-aaaa:1", Title: "tool use", Session: "3f2a91c4-aaaa", Time: "2026-11-20 14:03",
				First: "14:03:22 Edit ok · wrote: a"}},
		},
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for _, tt := range slices.Concat(writtenUnits(), sessionUnits()) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			units, skips := cite.Units(tt.file, []byte(tt.src))
			if diff := cmp.Diff(tt.want, briefs(units)); diff != "" {
				t.Errorf("units (-want +got):\n%s", diff)
			}
			if tt.file.Area == cite.AreaObservations && len(skips) != 2 {
				t.Errorf("a doubled and a torn line should be told, got %v", skips)
			}
			for _, u := range units {
				if id, err := cite.Parse(u.ID); err != nil || id.String() != u.ID {
					t.Errorf("Parse(%q) = %v, %v: an id must read back", u.ID, id, err)
				}
				lines := strings.Split(tt.src, "\n")
				first, _, _ := strings.Cut(strings.TrimLeft(u.Text, "\n"), "\n")
				if !strings.Contains(strings.Join(lines[u.Line-1:min(len(lines), u.Line+1)], "\n"), strings.TrimSpace(first)) {
					t.Errorf("%s: line %d does not hold %q", u.ID, u.Line, first)
				}
			}
		})
	}
}

func TestAreaOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]cite.Area{
		"projects/-work-pump/memory/MEMORY.md":                     cite.AreaMemory,
		"projects/-work-pump/memory/deep/topic.md":                 cite.AreaMemory,
		"projects/-work-pump/notes.md":                             cite.AreaNone,
		"gitmem/projects/h/o/r/sessions/2026/2026-11-20.md":        cite.AreaArchive,
		"gitmem/projects/h/o/r/observations/2026-11/20-3f2a91c.md": cite.AreaObservations,
		"gitmem/projects/h/o/r/decisions/x.md":                     cite.AreaDecision,
		"gitmem/projects/h/o/r/tasks.md":                           cite.AreaTasks,
		"gitmem/projects/h/o/r/project.md":                         cite.AreaNone,
		"gitmem/profile.md":                                        cite.AreaProfile,
	} {
		if got := cite.AreaOf(path); got != want {
			t.Errorf("AreaOf(%q) = %v, want %v", path, got, want)
		}
	}
}

func FuzzUnits(f *testing.F) {
	f.Add([]byte(archive), 3)
	f.Add([]byte("- 14:03:22 Edit ok ^o-1\n"), 6)
	f.Add([]byte("# a\n# a\n"), 1)
	f.Fuzz(func(t *testing.T, src []byte, area int) {
		for _, u := range first(cite.Units(cite.File{Path: "x.md", Area: cite.Area(area), Project: "p"}, src)) {
			if u.Span.Start < 0 || u.Span.End > len(src) || u.Span.Start > u.Span.End || u.Line < 1 {
				t.Errorf("%s: span %v, line %d", u.ID, u.Span, u.Line)
			}
		}
	})
}

func first[A, B any](a A, _ B) A { return a }

// TestTopicEndsBeforeTheHead: the lines for programs below the last topic of a session are not part of it, so that
// forgetting the topic keeps them.
func TestTopicEndsBeforeTheHead(t *testing.T) {
	t.Parallel()
	src := "---\ndate: 2026-11-20\n---\n\n## Relays ^s-3f2a91c4\n\nDone.\n\n### Range (L5–L9) ^t-3f2a91c4-1\n\n" +
		"#### Relay (L6–L9) ^t-3f2a91c4-2\n\n- [todo] Repeat it (L7 14:36) ^i-90ab20p5we\n\n" +
		"messages: 42 · branch main · 14:02–15:40 UTC\nsession: 3f2a91c4-aaaa · through: line 412 9c1e\n"
	units, _ := cite.Units(cite.File{Path: "gitmem/projects/p/sessions/2026/2026-11-20.md", Area: cite.AreaArchive},
		[]byte(src))
	part := "\n- [todo] Repeat it (L7 14:36) ^i-90ab20p5we\n\n"
	if at := slices.IndexFunc(units, func(u cite.Unit) bool {
		return u.Intent == "todo"
	}); at < 0 || units[at].Title != "Range › Relay" {
		t.Errorf("the idea's topic is that of %+v", units)
	}
	want := map[string][2]string{
		"Range": {"session:2026-11-20#s-3f2a91c4", "\n#### Relay (L6–L9) ^t-3f2a91c4-2\n" + part},
		"Relay": {"session:2026-11-20#t-3f2a91c4-1", part},
	}
	for _, u := range units {
		if u.Source != cite.SourceTopic {
			continue
		}
		if got := string(u.Span.Of([]byte(src))); got != u.Text || [2]string{u.Heading, got} != want[u.Title] ||
			u.Session != "3f2a91c4-aaaa" {
			t.Errorf("the topic %q of %s below %s holds %q", u.Title, u.Session, u.Heading, got)
		}
		delete(want, u.Title)
	}
	if len(want) > 0 {
		t.Errorf("not among the units: %v", want)
	}
}

// TestComments: a comment for editors is not a unit, and the text around it keeps its position.
func TestComments(t *testing.T) {
	t.Parallel()
	src := "# Relays\n\n<!-- was ten\nampere -->\nUse <!-- now --> sixteen.\n\n<!--\n## Fuses\n\nNone.\n-->\n"
	for _, area := range []cite.Area{cite.AreaRules, cite.AreaMemory} {
		units, _ := cite.Units(cite.File{Area: area, Path: "MEMORY.md", Project: "local/x"}, []byte(src))
		if len(units) != 1 || strings.Join(strings.Fields(units[0].Text), " ") != "Use sixteen." ||
			units[0].Span.End != len(src) {
			t.Errorf("area %v: %+v", area, units)
		}
	}
}
