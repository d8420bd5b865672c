package curate

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// TestInverse reverts the change of one file: was and made are its texts before and after the commit, now is the
// current one; "" means no file.
func TestInverse(t *testing.T) {
	t.Parallel()
	const topic, other = "projects/-p/memory/a.md", "gitmem/profile.md"
	for _, tt := range []struct {
		name, path, was, made, now string
		want, why                  string
	}{
		{name: "undone already", path: topic, was: "a\n", made: "b\n", now: "a\n", want: "a\n"},
		{name: "as it was made", path: topic, was: "a\n", made: "b\n", now: "b\n", want: "a\n"},
		{name: "made", path: topic, made: "b\n", now: "b\n"},
		{name: "made and removed", path: topic, made: "b\n"},
		{name: "removed", path: topic, was: "a\n", want: "a\n"},
		{name: "changed elsewhere", path: topic, was: "a\nb\nc\n", made: "A\nb\nc\n", now: "A\nb\nC\n", want: "a\nb\nC\n"},
		{name: "changed there", path: topic, was: "a\n", made: "b\n", now: "c\n", why: "was changed since"},
		{name: "made and changed", path: topic, made: "b\n", now: "c\n", why: "was changed since"},
		{name: "changed and removed", path: topic, was: "a\n", made: "b\n", why: "was removed since"},
		{name: "memory removed and made again", path: topic, was: "a\nb\n", now: "b\nc\n", want: "a\nb\nc\n"},
		{name: "another file removed and made again", path: other, was: "a\n", now: "b\n", why: "was made again since"},
	} {
		bytesOf := func(s string) []byte {
			if s == "" {
				return nil
			}
			return []byte(s)
		}
		i := inverse{f: store.FileDiff{Path: tt.path, Before: bytesOf(tt.was), After: bytesOf(tt.made)}}
		got, err := i.result(bytesOf(tt.now))
		in, _ := errors.AsType[*conflict](err)
		switch {
		case tt.why == "" && (err != nil || string(got) != tt.want || got == nil != (tt.want == "")):
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		case tt.why != "" && (in == nil || in.why != tt.why || !errors.Is(err, store.ErrConflict)):
			t.Errorf("%s: %q, %v, want a conflict that %s", tt.name, got, err, tt.why)
		}
	}
}

func TestLineNames(t *testing.T) {
	t.Parallel()
	for want, l := range map[string]markdown.Lines{"after line 3": {Start: 3, End: 3}, "line 4": {Start: 3, End: 4},
		"lines 4-6": {Start: 3, End: 6}} {
		if got := lineNames(l); got != want {
			t.Errorf("%+v: %q, want %q", l, got, want)
		}
	}
}

// TestOnlyIn keeps the part of a change that touches some lines.
func TestOnlyIn(t *testing.T) {
	t.Parallel()
	const before, after = "a\nb\nc\nd\n", "A\nb\nC\nC2\nd\nnew\n"
	for _, tt := range []struct {
		lines markdown.Lines // counted from 0
		want  string         // the earlier state
	}{
		{markdown.Lines{Start: 0, End: 1}, "a\nb\nC\nC2\nd\nnew\n"},
		{markdown.Lines{Start: 1, End: 2}, after},
		{markdown.Lines{Start: 3, End: 4}, "A\nb\nc\nd\nnew\n"},
		{markdown.Lines{Start: 5, End: 6}, "A\nb\nC\nC2\nd\n"},
		{markdown.Lines{Start: 0, End: 6}, before},
	} {
		if diff := cmp.Diff(tt.want,
			string((*Editor)(nil).onlyIn(store.FileDiff{Before: []byte(before), After: []byte(after)}, tt.lines))); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.lines, diff)
		}
	}
	// Removed lines belong to the lines on both sides.
	for _, lines := range []markdown.Lines{{Start: 0, End: 1}, {Start: 1, End: 2}} {
		if got := string((*Editor)(nil).onlyIn(store.FileDiff{Before: []byte("a\nb\nc\n"), After: []byte("a\nc\n")},
			lines)); got != "a\nb\nc\n" {
			t.Errorf("%+v: %q", lines, got)
		}
	}
}

func TestTaskID(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"drain": "drain", "task:drain": "drain", "[task:drain]": "drain", "^task-drain": "drain", "task-drain": "drain",
		"a_b-2": "a_b-2",
		"":      "", "a b": "", "../a": "", "task:": "", "idea:a": "", strings.Repeat("a", 65): "",
	} {
		if got := taskID(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestSections selects the section of a note by its words, including a person's own heading for it.
func TestSections(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, file, want string
		there            bool
	}{
		{"Don’t open the door", "", "Warnings", false},
		{"Never do what we always do", "", "Warnings", false},
		{"We always lock the door", "", "Conventions", false},
		{"The fix was a seal", "", "Proven approaches", false},
		{"The parser lives in cmd", "", "Key patterns", false},
		{"The door is red", "", "Notes", false},
		{"The nevermind door is red", "", "Notes", false},
		{"Never open the door", "# Memory\n\n## Gotchas of doors\n", "Gotchas of doors", true},
		{"Never open the door", "# Warnings\n", "Warnings", true},
		{"Never open the door", "# Known pitfalls\n", "Warnings", false},
		{"Never open the door", "# A\n\n## Pitfalls\n\n## Warnings\n", "Warnings", true},
	} {
		n := note{text: tt.text}
		if _, there := n.fitting(markdown.Parse([]byte(tt.file))); n.section != tt.want || there != tt.there {
			t.Errorf("%q in %q: %q, %v", tt.text, tt.file, n.section, there)
		}
	}
}

// TestPlace keeps the line ends of a file.
func TestPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, text, want string
		line                   int
	}{
		{"a new file", "", "Red", "HEAD\n\n## Notes\n\n- Red\n", 5},
		{"a section", "# A\n\n## Notes\n\n- Blue\n", "Red", "# A\n\n## Notes\n\n- Blue\n- Red\n", 6},
		{"several lines", "# A\n\n## Notes\n\n- Blue\n", "Red\nas blood", "# A\n\n## Notes\n\n- Blue\n- Red\n  as blood\n",
			6},
		{"returns", "# A\r\n\r\n## Notes\r\n\r\n- Blue\r\n", "Red\nas blood",
			"# A\r\n\r\n## Notes\r\n\r\n- Blue\r\n- Red\r\n  as blood\r\n", 6},
		{"another section", "# A\n", "Red", "# A\n\n## Notes\n\n- Red\n", 5},
	} {
		n := note{text: tt.text, head: "HEAD\n"}
		at, text := n.place([]byte(tt.file))
		got := tt.file[:at] + text + tt.file[at:]
		if diff := cmp.Diff(tt.want, got); diff != "" || n.line != tt.line {
			t.Errorf("%s: line %d (-want +got):\n%s", tt.name, n.line, diff)
		}
	}
}

// TestHostileNotesKeepTheFilesForm: each note remains one item of its section.
func TestHostileNotesKeepTheFilesForm(t *testing.T) {
	t.Parallel()
	file := headOf("MEMORY.md", "p")
	var last note
	for _, text := range []string{
		"first words\n# Heading one", "second words\n## Heading two ^s-evil", "third words\n---\nformat: 9\n---",
		"fifth words\n<!-- open comment",
		"sixth words\r\n## Heading three", "seventh words\x00\xff binary", "eighth words ^i-aaaaaaaaaa",
		"ninth words\n\n\n## Heading four\n===", "tenth words\r## Heading five",
		"eleventh words:\n```\nfence that stays open", "The last word is omega",
	} {
		text, err := notable(text)
		if err != nil {
			t.Fatal(err)
		}
		last = note{text: text, head: headOf("MEMORY.md", "p")}
		at, added := last.place([]byte(file))
		file = file[:at] + added + file[at:]
	}
	if lines := strings.Split(file, "\n"); last.anchor != "notes" || lines[last.line-1] != "- The last word is omega" {
		t.Errorf("the last one is in line %d of #%s:\n%s", last.line, last.anchor, file)
	}
	_, body, _ := strings.Cut(file, "\n---\n")
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\n")
		if line != "" && line != "# Memory" && line != "## Notes" && !strings.HasPrefix(line, "- ") &&
			!strings.HasPrefix(line, "  ") {
			t.Errorf("a line of a note stands by itself: %q", line)
		}
	}
}

func TestSubject(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "", "Red\nas blood": "Red",
		strings.Repeat("a", 60): strings.Repeat("a", 60)} {
		if got := subject(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	if got := subject(strings.Repeat("word ", 20)); len([]rune(got)) > 60 || got == "" {
		t.Errorf("%q is too long", got)
	}
}

func TestWithHead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, text, want string }{
		{"none", "a.md", "# A\n", "---\nformat: 1\nkind: notes\nproject: p\n---\n# A\n"},
		{"a person's own", "a.md", "---\ntitle: A\nkind: mine\n---\n# A\n",
			"---\ntitle: A\nkind: mine\nformat: 1\nproject: p\n---\n# A\n"},
		{"whole", "a.md", "---\nformat: 2\n---\n# A\n", "---\nformat: 2\n---\n# A\n"},
		{"the client's", "a.md", "---\nmetadata:\n  a: b\n---\n# A\n", "---\nmetadata:\n  a: b\n---\n# A\n"},
		{"broken", "a.md", "---\na: [b\n---\n# A\n", "---\na: [b\n---\n# A\n"},
		{"the client gives it none", "MEMORY.md", "# A\n", "# A\n"},
	} {
		if diff := cmp.Diff(tt.want, string(withHead([]byte(tt.text), tt.file, "p"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestImportedJSON reads the formats that older memories wrote.
func TestImportedJSON(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		in   any
		want []map[string]any
	}{
		{"nothing", nil, nil},
		{"a list", []any{map[string]any{"id": "a"}, "b", 7, nil}, []map[string]any{{"id": "a"}, {"content": "b"}}},
		{"an object", map[string]any{"b": map[string]any{"id": "own"}, "a": map[string]any{"title": "A"}, "c": "text"},
			[]map[string]any{{"id": "a", "title": "A"}, {"id": "own"}, {"content": "text"}}},
	} {
		if diff := cmp.Diff(tt.want, objects(tt.in)); diff != "" {
			t.Errorf("objects of %s (-want +got):\n%s", tt.name, diff)
		}
	}
	m := map[string]any{"blank": " ", "number": 7.0, "list": []any{"a", 7.0, "b"}, "empty": []any{}, "text": " x "}
	for want, keys := range map[string][]string{"x": {"none", "blank", "number", "empty", "text"},
		"a, b": {"list", "text"}, "": {"number"}} {
		if got := text(m, keys...); got != want {
			t.Errorf("text of %v: %q, want %q", keys, got, want)
		}
	}
	meta := map[string]any{"a.b": map[string]any{"confidence": 0.5, "last_seen": "then"}, "c": "text"}
	if seen, sure := metaOf(meta, "c", "a.b", "x"); seen != "then" || sure != 0.5 {
		t.Errorf("metaOf: %q, %v", seen, sure)
	}
	if seen, sure := metaOf(nil, "x"); seen != "" || sure != 0 {
		t.Errorf("metaOf of nothing: %q, %v", seen, sure)
	}
}
