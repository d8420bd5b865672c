package markdown_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
	"github.com/google/go-cmp/cmp"
)

// profile is frontmatter as gitmem writes it, with changes by people.
const profile = `---
format: 1
kind: profile
# What I do.
work:
  role: backend developer # since May
tools:
  editor: "Neovim"

  # no IDE
codePreferences:
  preferredStacks:
    - Bun
    - 'Go' # really
meta:
  tools.editor: {of: neovim, confidence: 1, last_seen: 2026-11-20T14:03:22Z, ` +
	`source: "transcript:3f2a…:12", pinned: true}
---
# Me

- text
`

type change = markdown.FieldChange

func at(path string) []string { return strings.Split(path, "/") }

func TestEditFields(t *testing.T) {
	t.Parallel()
	front := func(s string) string { return "---\n" + s + "---\nx\n" }
	tests := []struct {
		name, in string
		change   change
		want     string
	}{
		{"set", front("a: b\nc: d\n"), change{Path: at("a"), Value: "x y"}, front("a: x y\nc: d\n")},
		{"comment kept", front("a: \"b # c\"   # d # e\n"), change{Path: at("a"), Value: "#x"},
			front("a: \"#x\"   # d # e\n")},
		{"the same", front("a: 'b'\n"), change{Path: at("a"), Value: "b"}, front("a: 'b'\n")},
		{"null", front("a:  # c\nb: ~\n"), change{Path: at("a"), Value: "x"}, front("a: x  # c\nb: ~\n")},
		{"null at the end", front("a:\n"), change{Path: at("a"), Value: "x"}, front("a: x\n")},
		{"new", front("a: b\n\n# end\n"), change{Path: at("c"), Value: "x"}, front("a: b\nc: x\n\n# end\n")},
		{"new below", front("a:\n    b: c\n    # d\ne: f\n"), change{Path: at("a/g"), Value: "x"},
			front("a:\n    b: c\n    g: x\n    # d\ne: f\n")},
		{"new parents", front("a: b\n"), change{Path: at("c/d.e/f"), Value: "x"}, front("a: b\nc:\n  d.e:\n    f: x\n")},
		{"empty parent", front("a: # c\nb: d\n"), change{Path: at("a/e"), Value: "x"}, front("a: # c\n  e: x\nb: d\n")},
		{"null parent", front("a: ~ # c\n"), change{Path: at("a/e"), Value: "x"}, front("a: # c\n  e: x\n")},
		{"no frontmatter", "x\n", change{Path: at("a/b"), Value: "c"}, "---\na:\n  b: c\n---\nx\n"},
		{"empty file", "", change{Path: at("a"), Value: "c"}, "---\na: c\n---\n"},
		{"byte order mark", "\xef\xbb\xbfx\r\n", change{Path: at("a"), Value: "c"},
			"\xef\xbb\xbf---\r\na: c\r\n---\r\nx\r\n"},
		{"empty frontmatter", front("# c\n"), change{Path: at("a"), Value: "c"}, front("a: c\n# c\n")},
		{"no final newline", "---\na: b\n---", change{Path: at("c"), Value: "d"}, "---\na: b\nc: d\n---"},
		{"crlf", "---\r\na: b # c\r\nl:\r\n- d\r\n---\r\n", change{Path: at("l"), Value: "x", Item: true},
			"---\r\na: b # c\r\nl:\r\n- d\r\n- x\r\n---\r\n"},
		{"crlf value", "---\r\na: b # c\r\n---\r\n", change{Path: at("a"), Value: "x"}, "---\r\na: x # c\r\n---\r\n"},
		{"raw", front("a: b\n"), change{Path: at("m/a.b"), Value: "{of: a, n: 1}", Raw: true},
			front("a: b\nm:\n  a.b: {of: a, n: 1}\n")},
		{"raw again", front("m:\n  a.b: {of: a, n: 1} # c\n"), change{Path: at("m/a.b"), Value: "{of: b}", Raw: true},
			front("m:\n  a.b: {of: b} # c\n")},
		{"wide characters", front("é: {ü: ö, \"ä\": \"x # y\"} # z\n"), change{Path: at("é/ü"), Value: "x"},
			front("é: # z\n  \"ü\": x\n  \"ä\": \"x # y\"\n")},
		{"new item", front("l:\n    - a\n    # b\nc: d\n"), change{Path: at("l"), Value: "- x", Item: true},
			front("l:\n    - a\n    - \"- x\"\n    # b\nc: d\n")},
		{"known item", front("l:\n- A\n"), change{Path: at("l"), Value: " a", Item: true}, front("l:\n- A\n")},
		{"new list", front("a: b\n"), change{Path: at("c/l"), Value: "x", Item: true}, front("a: b\nc:\n  l:\n    - x\n")},
		{"flow list", front("l: [Bun, 'Go'] # mine\n"), change{Path: at("l"), Value: "x", Item: true},
			front("l: # mine\n  - Bun\n  - Go\n  - x\n")},
		{"empty flow list", front("l: []\n"), change{Path: at("l"), Value: "x", Item: true}, front("l:\n  - x\n")},
		{"flow map", front("t: {editor: vim, s: [a, {b: 1}]}\n"), change{Path: at("t/shell"), Value: "zsh"},
			front("t:\n  editor: vim\n  s: [a, {b: 1}]\n  shell: zsh\n")},
		{"top flow map", front("{a: b}\n"), change{Path: at("a"), Value: "x"}, front("\na: x\n")},
		{"remove", front("a: b\nc: d\n"), change{Path: at("a"), Remove: true}, front("c: d\n")},
		{"remove text with a mark", front("a: \"b # c\"\nc: d\n"), change{Path: at("a"), Remove: true}, front("c: d\n")},
		{"remove the unknown", front("a: {b: c}\n"), change{Path: at("a/d/e"), Remove: true}, front("a: {b: c}\n")},
		{"remove null", front("a:\nb: c\n"), change{Path: at("a"), Remove: true}, front("b: c\n")},
		{"remove a map", front("a:\n  b: c\n\n  d:\n    - e\n# f\ng: h\n"), change{Path: at("a"), Remove: true},
			front("# f\ng: h\n")},
		{"remove with parents", front("a:\n  b:\n    c: d\ne: f\n"), change{Path: at("a/b/c"), Remove: true},
			front("e: f\n")},
		{"remove below a comment", front("a:\n  # b\n  b:\n    c: d\ne: f\n"), change{Path: at("a/b/c"), Remove: true},
			front("a:\n  # b\ne: f\n")},
		{"remove above a comment", front("a:\n  b: c\n  # d\ne: f\n"), change{Path: at("a/b"), Remove: true},
			front("a:\n  # d\ne: f\n")},
		{"remove below a commented key", front("a: # b\n  c: d\n"), change{Path: at("a/c"), Remove: true}, front("a: # b\n")},
		{"remove an item", front("l:\n- a\n- B\n"), change{Path: at("l"), Value: "b", Item: true, Remove: true},
			front("l:\n- a\n")},
		{"remove the last item", front("p:\n  l:\n  - a\nb: c\n"), change{Path: at("p/l"), Value: "a", Item: true,
			Remove: true}, front("b: c\n")},
		{"remove the last field", front("a: b\n"), change{Path: at("a"), Remove: true}, front("")},
		{"remove from a flow list", front("l: [a, b] # c\n"), change{Path: at("l"), Value: "a", Item: true, Remove: true},
			front("l: # c\n  - b\n")},
		{"remove an unknown item", front("l: [a]\n"), change{Path: at("l"), Value: "x", Item: true, Remove: true},
			front("l: [a]\n")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := string(withChanges(t, []byte(tt.in), tt.change)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			checkFields(t, []byte(tt.in), tt.change)
		})
	}
}

// withChanges returns the text after changes that must succeed.
func withChanges(t *testing.T, src []byte, changes ...change) []byte {
	t.Helper()
	d := markdown.Parse(src)
	edits, err := d.EditFields(changes...)
	if err != nil {
		t.Fatal(err)
	}
	out, err := markdown.Apply(src, edits...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEditFieldsRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, front string
		change      change
	}{
		{"alias", "a: &x\n  b: c\nd: *x\n", change{Path: at("d"), Value: "x"}},
		{"anchor", "a: &x\n  b: c\nd: *x\n", change{Path: at("a/b"), Value: "x"}},
		{"anchor of a map that others have", "a: &x\n  b: c\nd: *x\n", change{Path: at("a/e"), Value: "x"}},
		{"merged", "a: &x\n  b: c\nd:\n  <<: *x\n", change{Path: at("a/b"), Value: "x"}},
		{"below an alias", "a: &x\n  b: c\nd: *x\n", change{Path: at("d/b"), Value: "x"}},
		{"doubled", "a: 1\na: 2\n", change{Path: at("b"), Value: "x"}},
		{"doubled below", "a:\n  b: 1\n  b: 2\n", change{Path: at("a/b"), Value: "x"}},
		{"two documents", "a: b\n--- # c\nd: e\n", change{Path: at("c"), Value: "x"}},
		{"behind the document", "a: b\n...\n", change{Path: at("c"), Value: "x"}},
		{"comment lost", "a: b # c\nd: e\n", change{Path: at("a"), Remove: true}},
		{"deeper comment lost", "a: b\n  # c\nd: e\n", change{Path: at("a"), Remove: true}},
		{"too long", "a: b\n", change{Path: at("c"), Value: strings.Repeat("x", 256<<10)}},
		{"comment below lost", "a:\n  # b\n  c: d\n", change{Path: at("a"), Remove: true}},
		{"comment of an item lost", "l:\n  - a # b\n  - c\n", change{Path: at("l"), Value: "a", Item: true, Remove: true}},
		{"comment within a flow list", "l: [a, # b\n  c]\n", change{Path: at("l"), Value: "x", Item: true}},
		{"text on lines", "a: |\n  b\n", change{Path: at("a"), Value: "x"}},
		{"text below", "a: b\n", change{Path: at("a/c"), Value: "x"}},
		{"a map is no text", "a:\n  b: c\n", change{Path: at("a"), Value: "x"}},
		{"a flow map is no text", "a: {b: c}\n", change{Path: at("a"), Value: "x"}},
		{"a text is no list", "a: b\n", change{Path: at("a"), Value: "x", Item: true}},
		{"a map is no list", "a:\n  b: c\n", change{Path: at("a"), Value: "x", Item: true}},
		{"broken raw", "a: b\n", change{Path: at("a"), Value: "{x", Raw: true}},
		{"raw on lines", "a: b\n", change{Path: at("a"), Value: "x\nc: d", Raw: true}},
		{"no path", "a: b\n", change{Value: "x"}},
		{"other line ends", "# \u2028\na: b\n", change{Path: at("a"), Value: "x"}},
		{"broken", "a: [b\n", change{Path: at("a"), Value: "x"}},
	}
	check := func(t *testing.T, src string, c change) {
		t.Helper()
		edits, err := markdown.Parse([]byte(src)).EditFields(c)
		if err == nil {
			out, _ := markdown.Apply([]byte(src), edits...)
			t.Fatalf("no error, but\n%s", out)
		}
		for _, part := range []string{"field " + strings.Join(c.Path, ".") + ": ", "by hand"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not hold %q", err, part)
			}
		}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check(t, "---\n"+tt.front+"---\n", tt.change)
		})
	}
	check(t, "+++\n+++\n", change{Path: at("a"), Value: "x"})
	check(t, "---\na: b\n", change{Path: at("a"), Value: "x"})
}

// checkFields checks properties of any single change.
func checkFields(t *testing.T, src []byte, c change) (out []byte, ok bool) {
	t.Helper()
	d := markdown.Parse(src)
	edits, err := d.EditFields(c)
	if err != nil {
		return src, false
	}
	out, err = markdown.Apply(src, edits...)
	if err != nil {
		t.Fatal(err)
	}
	next := markdown.Parse(out)
	before, after := map[string]any{}, map[string]any{}
	if d.Front != nil {
		before = d.Front.Fields
	}
	if next.Front != nil {
		after = next.Front.Fields
	}
	if diff := cmp.Diff(without(before, c.Path), without(after, c.Path)); diff != "" {
		t.Fatalf("%+v of %q changes other fields: %s\n%q", c, src, diff, out)
	}
	if got, want := string(next.Body.Of(out)), string(d.Body.Of(src)); got != want {
		t.Fatalf("%+v of %q changes the body: %q", c, src, got)
	}
	if got := field(after, c.Path); !c.Raw && !c.Item && !c.Remove && got != any(strings.ToValidUTF8(c.Value, "\ufffd")) {
		t.Fatalf("%+v of %q gives %q: %q", c, src, got, out)
	}
	if again, err := next.EditFields(c); err != nil || len(again) > 0 {
		t.Fatalf("%+v of %q again: %v, %v", c, src, again, err)
	}
	checkComments(t, src, out)
	return out, true
}

// checkComments checks that no line with a comment is lost.
func checkComments(t *testing.T, src, out []byte) {
	t.Helper()
	for line := range bytes.Lines(src) {
		if line = bytes.TrimSpace(line); bytes.HasPrefix(line, []byte("#")) && !bytes.Contains(out, line) {
			t.Fatalf("%q is lost from %q: %q", line, src, out)
		}
	}
}

func field(fields map[string]any, path []string) any {
	if len(path) == 1 {
		return fields[path[0]]
	}
	below, _ := fields[path[0]].(map[string]any)
	if below == nil {
		return nil
	}
	return field(below, path[1:])
}

// without removes a field, and containers that become empty.
func without(fields map[string]any, path []string) map[string]any {
	out := map[string]any{}
	for k, v := range fields {
		below, isMap := v.(map[string]any)
		list, isList := v.([]any)
		switch {
		case k == path[0] && (len(path) == 1 || !isMap):
			continue
		case k == path[0]:
			v = without(below, path[1:])
		case isMap:
			v = without(below, []string{"\x00none"})
		}
		if m, ok := v.(map[string]any); v == nil || ok && len(m) == 0 || isList && len(list) == 0 {
			continue
		}
		out[k] = v
	}
	return out
}

// hostile returns texts that look like other YAML values.
func hostile() []string {
	return []string{
		"plain", "two words", "", " ", "a: b", "a #b", "# c", "- x", "{}", "[a]", "---", "...", "\"", "'", "a\nb", "a\r\nb\n",
		"\x00\x07\x7f", "yes", "null",
		"~", "1", "1e3", "0x1", "2026-11-20", "&a", "*a", "!!int 1", "|", ">", "%x", "@", "`", "\u0085\u2028\u2029\ufeff",
		"\xff", "é…", "\t# x\t",
		"a\\", "<<", "? a", strings.Repeat("long ", 2000), strings.Repeat("x", 5000), "a\n---\nb",
	}
}

func TestEditFieldsHostile(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "x", profile, strings.ReplaceAll(profile, "\n", "\r\n"), "\xef\xbb\xbf" + profile} {
		for _, path := range []string{"new", "tools/editor", "tools/new", "a/b.c/d", "work/role"} {
			for _, value := range hostile() {
				out, ok := checkFields(t, []byte(src), change{Path: at(path), Value: value})
				if !ok {
					t.Fatalf("%s = %q is refused in %q", path, value, src)
				}
				if path == "tools/new" && strings.Contains(src, "tools") {
					if back := withChanges(t, out, change{Path: at(path), Remove: true}); string(back) != src {
						t.Fatalf("set to %q and removed: %q", value, back)
					}
				}
				item := change{Path: at("codePreferences/preferredStacks"), Value: value, Item: true}
				if out, ok = checkFields(t, []byte(src), item); !ok {
					t.Fatalf("item %q is refused in %q", value, src)
				}
				item.Remove = true
				if back := withChanges(t, out, item); strings.Contains(src, "Stacks") && string(back) != src {
					t.Fatalf("added %q and removed: %q", value, back)
				}
			}
		}
	}
}

// frontmatters returns forms in which people write frontmatter.
func frontmatters() []string {
	return []string{
		"", "x", profile, strings.ReplaceAll(profile, "\n", "\r\n"), "---\n---\n", "---\n# c\n---",
		"---\n{a: b, c: [d]}\n---\n",
		"---\na: {b: c, d: {e: f}} # g\nl: [x, 'y # z']\n---\n",
		"---\na: |\n  # b\n   c\n\n  d\n# e\nl:\n- a\n-   b\n-\n  c\n---\n",
		"---\na: &x {b: c}\nd: *x\ne:\n  <<: *x\n  f: g\n---\n",
		"---\na:\n    b:\n        c: d # e\n\n        # f\n    g: >\n      h\n---\n",
		"---\n? a\n: b\nc: !!str d\n\"e f\" : 'it''s # x'\n---\n", "---\na: \"b\n  # c\" # d\nl: [a,\n  b]\n---\n",
		"---\na: b\n...\nc: d\n---\n",
		"---\na:\n- b: c\n  d: e\n- - f\n---\n", "---\na: 1\nb: ~\nc:\nd: \"\"\ne: {}\nf: []\n---\n",
		"---\nl:\n  - a\n  -\n---\n", "---\na:\n\tb: c\n---\n",
	}
}

func FuzzEditFields(f *testing.F) {
	for i, src := range frontmatters() {
		for j, path := range []string{"a", "a/b", "a/b/c", "l", "c", "tools/editor",
			"codePreferences/preferredStacks", "é/x.y"} {
			for kind := range uint8(6) {
				f.Add([]byte(src), path, hostile()[(i+7*j)%len(hostile())], kind)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, path, value string, kind uint8) {
		if len(src) > 1<<12 {
			t.Skip("larger than a field needs")
		}
		checkFields(t, src, change{Path: at(path), Value: value, Item: kind%2 == 1, Remove: kind%4 > 1, Raw: kind%8 > 3})
	})
}
