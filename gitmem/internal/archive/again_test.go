package archive_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
	"github.com/google/go-cmp/cmp"
)

// line is an idea as gitmem writes it.
func line(n int, intent, text string) string {
	return fmt.Sprintf("- [%s] %s (L%d 10:00) ^%s\n", intent, text, n, idOf(intent, text))
}

func idOf(intent, text string) string { return "i-" + markdown.ContentID(intent+" "+text) }

func relation(kind, intent, text string) string {
	return fmt.Sprintf("  - %s [[2026-10-02#^%s]]\n", kind, idOf(intent, text))
}

const (
	above = "## Relays ^s-3f2a91c4\n\nThe relay is wired.\n\n"
	below = "\nmessages: 4 · branch main · 10:00–11:00 UTC\nsession: 3f2a91c4-0000-4000-8000-000000000001 · through: " +
		"line 40 9c1e\n"
	topic = "### Wiring (L1–L9) ^t-3f2a91c4-1\n\n"
	other = "\n### Testing (L10–L40) ^t-3f2a91c4-2\n\n"
)

// past is that of a section which gitmem wrote and others changed after it.
func past(versions ...string) *archive.Past {
	p := archive.NewPast()
	before := ""
	for _, v := range versions {
		p.Change(before, v, before == "")
		before = v
	}
	return p
}

func never(string) bool { return false }

// mergeCase is a section that gitmem wrote and a person edited, and what becomes of it.
type mergeCase struct {
	name, wrote, derived string
	edit                 *strings.Replacer
	cited                string // an idea
	want                 string
	person               int
}

// ideas are those of most cases, in the order of their lines.
func ideas() (wire, use, test string) {
	return line(2, "work", "Wire it"), line(8, "decision", "Use 10 A"), line(12, "todo", "Test it")
}

// derivedCases are those of a section as gitmem wrote it.
func derivedCases() []mergeCase {
	a, b, c := ideas()
	junk, rel, gone := line(5, "decision", "Junk it"), relation("supersedes", "decision", "Use 5 A"),
		relation("supersedes", "decision", "Use 7 A")
	return []mergeCase{
		{name: "the same", wrote: a + b + rel, derived: a + b + rel, want: a + b + rel},
		{name: "new ones and one less", wrote: a + junk + c, derived: a + b + c, want: a + b + c},
		{name: "the first and the last", wrote: b, derived: a + b + c, want: a + b + c},
		{name: "none before", wrote: "", derived: a + b, want: a + b},
		{name: "none any more", wrote: a + b, derived: "", want: "\n"},
		{name: "relations", wrote: a + b + gone, derived: a + b + rel, want: a + b + rel},
		{name: "how sure", wrote: b, derived: strings.Replace(b, "(L8", "(0.6 L8", 1),
			want: strings.Replace(b, "(L8", "(0.6 L8", 1)},
		{name: "cited", wrote: a + junk, derived: a, cited: idOf("decision", "Junk it"), want: a + junk},
		{name: "more lines", wrote: a + "- [note] 3 more lines of kind work are in the transcript\n", derived: a, want: a},
	}
}

// editedCases are those of a section that a person changed.
func editedCases() []mergeCase {
	a, b, c := ideas()
	junk, rel, gone := line(5, "decision", "Junk it"), relation("supersedes", "decision", "Use 5 A"),
		relation("supersedes", "decision", "Use 7 A")
	swap := strings.NewReplacer
	return []mergeCase{
		{name: "reworded", wrote: a + junk, edit: swap("Junk it", "Keep it"), derived: a, want: a +
			strings.Replace(junk, "Junk", "Keep", 1), person: 1},
		{name: "reworded and derived", wrote: a + b, edit: swap("Use 10 A", "Use 12 A"), derived: a + b + rel, want: a +
			strings.Replace(b, "10 A", "12 A", 1), person: 1},
		{name: "reworded before history", wrote: strings.Replace(junk, "Junk", "Keep", 1), derived: junk,
			want: strings.Replace(junk, "Junk", "Keep", 1), person: 1},
		{name: "ticked", wrote: c, edit: swap("- [todo]", "- [x] [todo]"), derived: "",
			want: strings.Replace(c, "- ", "- [x] ", 1), person: 1},
		{name: "deleted", wrote: a + b + c, edit: swap(b, ""), derived: a + b + c, want: a + c, person: 1},
		{name: "by hand", wrote: a + c, edit: swap(c, "- [lesson] Measure first\n"+c), derived: a + b, want: a + b +
			"- [lesson] Measure first\n", person: 1},
		{name: "by hand as derived", wrote: a, edit: swap(a, a+"- [decision] Use 10 A\n"), derived: a + b, want: a +
			"- [decision] Use 10 A\n", person: 1},
		{name: "by hand from the beginning", wrote: a + "- [lesson] Measure first\n" + b, derived: a, want: a +
			"- [lesson] Measure first\n", person: 1},
		{name: "a relation added", wrote: b, edit: swap(b, b+rel), derived: "", want: b + rel, person: 1},
		{name: "a relation taken out", wrote: b + gone + rel, edit: swap(gone, ""), derived: b + gone + rel, want: b + rel},
		{name: "moved", wrote: a + junk + b, edit: swap(a+junk, junk+a), derived: b, want: junk + a + b, person: 2},
		{name: "moved to the end", wrote: a + junk + b, edit: swap(junk+b, b+junk), derived: a + b + c, want: a + b + junk +
			c, person: 2},
		{name: "prose", wrote: a + c, edit: swap(a, a+"\nMind the inrush.\n\n"), derived: a + b, want: a + b +
			"\nMind the inrush.\n\n\n"},
		{name: "explained", wrote: a + junk + c, edit: swap(junk, junk+"\n  Ada: only of old boards.\n"), derived: a + c,
			want: a + junk + "\n  Ada: only of old boards.\n" + c, person: 1},
		{name: "explained below", wrote: a + junk + c, edit: swap(junk, junk+"Ada: only of old boards.\n"), derived: a + c,
			want: a + junk + "Ada: only of old boards.\n" + c, person: 1},
		{name: "a fence", wrote: a + c, edit: swap(c, "```\n"+c+"```\n"), derived: a + b + c, want: a + b + "\n```\n" + c +
			"```\n", person: 1},
		{name: "a private part", wrote: a + c, edit: swap(c, "<private>\n"+c+"</private>\n"), derived: a + b + c, want: a +
			b + "\n<private>\n" + c + "</private>\n", person: 1},
		{name: "said twice", wrote: a + "- [work] Wire it (L9 10:00)\n", edit: swap(a, ""), derived: a +
			"- [work] Wire it (L9 10:00)\n", want: "- [work] Wire it (L9 10:00)\n", person: 1},
	}
}

// topicCases are those of a section whose ideas stand below topics.
func topicCases() []mergeCase {
	a, b, c := ideas()
	swap := strings.NewReplacer
	return []mergeCase{
		{name: "topics don't come", wrote: a + b + c, derived: topic + a + b + other + c, want: a + b + c},
		{name: "topics don't go", wrote: topic + a + b + other + c, derived: a + b + c, want: topic + a + b + other + c},
		{name: "topics don't move", wrote: topic + a + strings.Replace(other, "L10", "L8", 1) + b + c, derived: topic + a +
			b + other + c, want: topic + a + strings.Replace(other, "L10", "L8", 1) + b + c},
		{name: "topics of what was moved", wrote: a + b + c, edit: swap(a+b+c, c+a+b), derived: topic + a + b + other + c,
			want: c + a + b, person: 1},
		{name: "an idea below its topic", wrote: topic + a + other + c, derived: topic + a + b + other + c, want: topic + a +
			b + other + c},
		{name: "the first below its topic", wrote: topic + b + other + c, derived: topic + a + b + other + c, want: topic +
			a + b + other + c},
		{name: "a renamed topic", wrote: topic + a + other + c, edit: swap("Wiring", "Cables"), derived: a + b + c,
			want: strings.Replace(topic, "Wiring", "Cables", 1) + a + b + other + c},
		{name: "a deleted topic", wrote: topic + a + other + c, edit: swap(other, ""), derived: topic + a + other + c,
			want: topic + a + c},
		{name: "a cited topic", wrote: topic + a + other + c, cited: "t-3f2a91c4-2", derived: a + b + c, want: topic + a +
			b + other + c},
		{name: "topics around a ticked task", wrote: a + c, edit: swap("- [todo]", "- [x] [todo]"), derived: topic + a + b +
			other + c, want: a + b + strings.Replace(c, "- ", "- [x] ", 1), person: 1},
		{name: "among topics", wrote: topic + a + other + c, derived: line(1, "work", "First") + topic + a + b +
			line(20, "work", "Last") + other + c, want: topic + line(1, "work", "First") + a + b + other + c +
			line(20, "work", "Last")},
	}
}

// TestMerge: what gitmem wrote becomes what is derived, and what a person did stays.
func TestMerge(t *testing.T) {
	t.Parallel()
	for _, tt := range slices.Concat(derivedCases(), editedCases(), topicCases()) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			around := func(lines string) string {
				if lines == "\n" {
					return above + below
				}
				if lines == "" || strings.HasSuffix(lines, "\n\n") {
					return above + lines + below[1:]
				}
				return above + lines + below
			}
			wrote := around(tt.wrote)
			now := wrote
			if tt.edit != nil {
				now = tt.edit.Replace(wrote)
			}
			p := past(wrote, now)
			cited := func(id string) bool { return id != "" && id == tt.cited }
			m := archive.Merge(now, archive.Derived{Lines: tt.derived}, p, cited)
			if d := cmp.Diff(around(tt.want), m.Text); d != "" || m.Person != tt.person {
				t.Errorf("%d are a person's\n%s", m.Person, d)
			}
			p.Change(now, m.Text, true)
			again := archive.Merge(m.Text, archive.Derived{Lines: tt.derived}, p, cited)
			if d := cmp.Diff(m.Text, again.Text); d != "" {
				t.Errorf("again: %s", d)
			}
		})
	}
}

// TestMergeUnknown: where no history tells who wrote what, lines are only added.
func TestMergeUnknown(t *testing.T) {
	t.Parallel()
	a, b := line(2, "work", "Wire it"), line(8, "decision", "Use 10 A")
	m := archive.Merge(above+a+below, archive.Derived{Lines: topic + b}, archive.NewPast(), never)
	if d := cmp.Diff(above+a+b+below, m.Text); d != "" {
		t.Error(d)
	}
}

// TestMergeLastLine: a file whose last line has no end gets one before a line more.
func TestMergeLastLine(t *testing.T) {
	t.Parallel()
	a, b := line(2, "work", "Wire it"), line(8, "decision", "Use 10 A")
	now := strings.TrimSuffix(above+a, "\n")
	m := archive.Merge(now, archive.Derived{Lines: a + b}, past(above+a, now), never)
	if d := cmp.Diff(above+a+b, m.Text); d != "" {
		t.Error(d)
	}
}

// TestMergeLineEnds: what is new has the line ends of the section, and begins a line.
func TestMergeLineEnds(t *testing.T) {
	t.Parallel()
	a, b := line(2, "work", "Wire it"), line(8, "decision", "Use 10 A")
	for now, want := range map[string]string{
		strings.ReplaceAll(above+a+below, "\n", "\r\n"): strings.ReplaceAll(above+a+b+below, "\n", "\r\n"),
		above + strings.TrimSuffix(a, "\n"):             above + a + b,
	} {
		if m := archive.Merge(now, archive.Derived{Lines: a + b}, past(above+a+below, now), never); m.Text != want {
			t.Errorf("%q becomes %q, want %q", now, m.Text, want)
		}
	}
	ideas := []archive.Idea{{Intent: "work", Quote: transcript.Quote{Text: "Wire it"}}}
	for file, again := range map[string]bool{a: true, strings.ReplaceAll(a, "\n", "\r\n"): true,
		strings.TrimSuffix(a, "\n"): true, strings.TrimSuffix(a, "\n") + "x\n": false} {
		if archive.MarkAgain(ideas, []byte(file)); ideas[0].Again != again {
			t.Errorf("in %q: %t", file, ideas[0].Again)
		}
	}
}

// TestMergeMark: the head says which model's ideas a section has, unless a person wrote the line.
func TestMergeMark(t *testing.T) {
	t.Parallel()
	section := above + below
	marked := strings.Replace(section, " · through", " · ideas: model m, 0 claims cut · through", 1)
	for _, tt := range []struct{ name, now, want string }{
		{"none before", section, marked},
		{"another before", strings.Replace(marked, "model m, 0", "model n, 3", 1), marked},
		{"a person's", strings.Replace(section, "line 40", "line 30", 1), strings.Replace(section, "line 40", "line 30", 1)},
	} {
		p := past(tt.now)
		if tt.want != marked {
			p = past(section, tt.now)
		}
		m := archive.Merge(tt.now, archive.Derived{Mark: "ideas: model m, 0 claims cut"}, p, never)
		if d := cmp.Diff(tt.want, m.Text); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
}

// FuzzMerge: whatever a person makes of a section and whatever is derived, each line of the
// person's stays, what was deleted is not back, no id is there once more, and the second time
// nothing changes.
func FuzzMerge(f *testing.F) {
	a, b, c := line(2, "work", "Wire it"), line(8, "decision", "Use 10 A"), line(12, "todo", "Test it")
	rel := relation("supersedes", "decision", "Use 5 A")
	wrote := above + topic + a + b + rel + other + c + below
	for _, edited := range []string{
		wrote, "", "\n", above + below, strings.Replace(wrote, "Use", "Take", 1), strings.ReplaceAll(wrote, "\n", "\r\n"),
		strings.Replace(wrote, b, c, 1),
		strings.Replace(wrote, rel, "", 1), wrote + "- mine\n", "```\n" + wrote, strings.ReplaceAll(wrote, "- ", "  - "),
		above + a + a + below,
		strings.Replace(wrote, b, b+"\nMine.\n\n", 1), below + c + topic,
		strings.Replace(wrote, topic, "### Mine\n\n#### x\n", 1),
	} {
		f.Add(edited, a+b+c)
		f.Add(edited, topic+a+line(9, "decision", "Use 5 A")+other+line(20, "problem", "It hums"))
		f.Add(edited, "")
	}
	ids := regexp.MustCompile(` \^([it]-[a-z0-9-]+)\s*\n`)
	f.Fuzz(func(t *testing.T, edited, derived string) {
		edited = "## " + edited // a section begins with its heading
		p := past(wrote, edited)
		m := archive.Merge(edited, archive.Derived{Lines: own(derived)}, p, never)
		rest := strings.SplitAfter(m.Text, "\n")
		for person := range strings.Lines(edited) {
			if strings.Contains(wrote, person) || strings.TrimSpace(person) == "" {
				continue
			}
			// the last line may get its end
			at := slices.IndexFunc(rest, func(l string) bool { return l == person || l == person+"\n" })
			if at < 0 {
				t.Fatalf("%q is lost, or stands elsewhere:\n%s\nof\n%s", person, m.Text, edited)
			}
			rest = rest[at+1:]
		}
		count := func(text, id string) int { return strings.Count(text, " ^"+id+"\n") }
		for _, found := range ids.FindAllStringSubmatch(wrote+m.Text, -1) {
			switch id := found[1]; {
			case count(m.Text, id) > max(1, count(edited, id)):
				t.Errorf("%s is there %d times:\n%s", id, count(m.Text, id), m.Text)
			case strings.Contains(wrote, " ^"+id+"\n") && !strings.Contains(edited, id) &&
				strings.Contains(m.Text, " ^"+id+"\n"):
				t.Errorf("%s is back:\n%s", id, m.Text)
			}
		}
		p.Change(edited, m.Text, true)
		if again := archive.Merge(m.Text, archive.Derived{Lines: own(derived)}, p, never); again.Text != m.Text {
			t.Errorf("again: %s", cmp.Diff(m.Text, again.Text))
		}
	})
}

// own are the lines of a text that may be derived, each once.
func own(text string) (out string) {
	written := regexp.MustCompile(`^- \[[a-z]+\] [A-Za-z0-9 ]+ \(L[1-9][0-9]? 10:00\) \^i-[a-z2-7]{10}\n$` +
		`|^### [A-Za-z]+ \(L\d\d?–L\d\d?\) \^t-3f2a91c4-\d\n$`)
	for l := range strings.Lines(text) {
		if written.MatchString(l) && !strings.Contains(out, l[strings.LastIndex(l, " ^"):]) {
			out += l
		}
	}
	return out
}
