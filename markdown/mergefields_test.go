package markdown_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
	"github.com/google/go-cmp/cmp"
)

func TestMergeFields(t *testing.T) {
	t.Parallel()
	seen := func(path, of string, hour int) string {
		return fmt.Sprintf("  %s: {of: %s, last_seen: 2026-11-20T%02d:00:00Z}\n", path, of, hour)
	}
	tests := []struct {
		name, base, ours, theirs, want string // want is "" for a conflict
	}{
		{"two fields at one place", "a: b\n", "a: b\nc: d\n", "a: b\ne: f\n", "a: b\nc: d\ne: f\n"},
		{"two items", "l:\n  - a\n", "l:\n  - a\n  - b\n", "l:\n  - a\n  - c # why\n", "l:\n  - a\n  - c # why\n  - b\n"},
		{"two items, sorted", "l:\n  - a\n", "l:\n  - a\n  - b\n", "l:\n  - a\n  - c\n", "l:\n  - a\n  - b\n  - c\n"},
		{"the same item at two places", "l:\n  - a\n  - b\n", "l:\n  - x\n  - a\n  - b\n", "l:\n  - a\n  - b\n  - X\n",
			"l:\n  - a\n  - b\n  - X\n"},
		{"one parent at two places", "a: b\nc: d\n", "a: b\nt:\n  e: f\nc: d\n", "a: b\nc: d\nt:\n  g: h\n",
			"a: b\nc: d\nt:\n  g: h\n  e: f\n"},
		{"added and removed", "l:\n  - a\n", "l:\n  - a\n  - b\n", "m: p\n", "l:\n  - b\nm: p\n"},
		{"the later one", "t:\n  e: x\nmeta:\n" + seen("t.e", "x", 1), "t:\n  e: w\nmeta:\n" + seen("t.e", "w", 2),
			"t:\n  e: z\nmeta:\n" + seen("t.e", "z", 3),
			"t:\n  e: z\nmeta:\n" + seen("t.e", "z", 3)},
		{"seen again and changed", "t:\n  e: x\nmeta:\n" + seen("t.e", "x", 1), "t:\n  e: w\nmeta:\n" + seen("t.e", "w", 2),
			"t:\n  e: x\nmeta:\n" + seen("t.e", "x", 3),
			"t:\n  e: w\nmeta:\n" + seen("t.e", "w", 2)},
		{"seen by both", "t:\n  e: x\nmeta:\n" + seen("t.e", "x", 1), "t:\n  e: x\nmeta:\n" + seen("t.e", "x", 3),
			"t:\n  e: x\nmeta:\n" + seen("t.e", "x", 2),
			"t:\n  e: x\nmeta:\n" + seen("t.e", "x", 3)},
		{"an edit beats a removal", "a: b\nt:\n  e: x\n", "a: b\n", "a: b\nt:\n  e: w\n", "a: b\nt:\n  e: w\n"},
		{"an edit before text beats a removal", "a: b\nt:\n  e: x\nz: q\n", "a: b\nt:\n  e: w\nz: q\n", "a: b\nz: q\n",
			"a: b\nt:\n  e: w\nz: q\n"},
		{"two values", "a: b\n", "a: c\n", "a: d\n", ""},
		{"two values of a field seen once", "a: b\n", "a: c\nmeta:\n" + seen("a", "c", 1), "a: d\n", ""},
		{"two values, the other one seen", "a: b\n", "a: c\n", "a: d\nmeta:\n" + seen("a", "d", 1), ""},
		{"a comment beside", "a: b\n", "# why\na: c\n", "d: e\na: b\n", "# why\na: c\nd: e\n"},
		{"flow", "l: [a]\n", "l: [a, b]\n", "l: [c, a]\n", "l:\n  - a\n  - b\n  - c\n"},
	}
	front := func(s string) []byte { return []byte("---\n" + s + "---\nbody\n") }
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			base, ours, theirs := front(tt.base), front(tt.ours), front(tt.theirs)
			checkMerge(t, base, ours, theirs)
			got, conflicts := markdown.Merge3(base, ours, theirs)
			if tt.want == "" {
				if len(conflicts) == 0 {
					t.Errorf("no conflict, but\n%s", got)
				}
			} else if string(got) != string(front(tt.want)) || len(conflicts) > 0 {
				t.Errorf("%d conflicts and\n%s\nwant\n%s", len(conflicts), got, front(tt.want))
			}
		})
	}
}

// TestMergeFieldsOfBody checks that conflicts of the body keep their positions.
func TestMergeFieldsOfBody(t *testing.T) {
	t.Parallel()
	text := func(field, body string) []byte { return []byte("---\na: b\n" + field + "---\n" + body + "\n") }
	base, ours, theirs := text("", "x"), text("c: d\n", "y"), text("e: f\ng: h\n", "z")
	checkMerge(t, base, ours, theirs)
	got, conflicts := markdown.Merge3(base, ours, theirs)
	if len(conflicts) != 1 || string(got) != "---\na: b\nc: d\ne: f\ng: h\n---\ny\n" {
		t.Fatalf("%+v and %s", conflicts, got)
	}
	want := markdown.Conflict{
		Base: markdown.Lines{Start: 3, End: 4}, Ours: markdown.Lines{Start: 4, End: 5},
		Theirs:   markdown.Lines{Start: 5, End: 6},
		BaseText: []byte("x\n"), OursText: []byte("y\n"), TheirsText: []byte("z\n"), At: markdown.Span{Start: 28, End: 30},
	}
	if diff := cmp.Diff(want, conflicts[0]); diff != "" {
		t.Error(diff)
	}
	cut := func(s []byte) []byte { return bytes.TrimSuffix(s, []byte("\nx\n")) }
	if got, conflicts := markdown.Merge3(cut(base), cut(text("c: d\n", "x")), theirs); len(conflicts) == 0 {
		t.Errorf("the fence without a line end is merged: %s", got)
	}
}

// preferences edits fields at random, as a machine that learns preferences: with an entry in meta for each.
// hour is odd for one machine and even for the other.
func preferences(t *testing.T, rnd *rand.Rand, src []byte, hour int, mark string) []byte {
	t.Helper()
	for range 1 + rnd.IntN(4) {
		hour += 2
		path := []string{"tools/editor", "tools/shell", "tools/os", "work/place", "work/team", "name", "new/a/b"}[rnd.IntN(7)]
		value := fmt.Sprint(mark, rnd.IntN(3))
		set := change{Path: at(path), Value: value, Remove: rnd.IntN(4) == 0}
		if rnd.IntN(2) == 0 {
			path = []string{"codePreferences/preferredStacks", "codePreferences/avoid", "list"}[rnd.IntN(3)]
			set = change{Path: at(path), Value: fmt.Sprint([]string{mark, "Both "}[rnd.IntN(2)], rnd.IntN(4)), Item: true,
				Remove: rnd.IntN(3) == 0}
			path += "." + strings.ToLower(set.Value)
		}
		meta := change{Path: []string{"meta", strings.ReplaceAll(path, "/", ".")}, Remove: set.Remove, Raw: true,
			Value: fmt.Sprintf("{of: %s, last_seen: 2026-11-20T%02d:00:00Z}", markdown.QuoteYAML(set.Value), hour)}
		src = withChanges(t, src, set, meta)
	}
	return src
}

// TestMergeOfFields merges the preferences of two machines, in both orders.
func TestMergeOfFields(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		base := preferences(t, rnd, []byte(profile), 0, "b")
		ours, theirs := preferences(t, rnd, base, 9, "o"), preferences(t, rnd, base, 10, "t")
		checkMerge(t, base, ours, theirs)
		got, conflicts := markdown.Merge3(base, ours, theirs)
		turned, _ := markdown.Merge3(base, theirs, ours)
		if len(conflicts) > 0 || !bytes.Equal(got, turned) {
			t.Fatalf("seed %d: %d conflicts\n%s\n%s\n%s\ngives\n%s\n%s", seed, len(conflicts), base, ours, theirs, got, turned)
		}
		f := markdown.Parse(got).Front
		if f == nil || f.Err != nil {
			t.Fatalf("seed %d: %s", seed, got)
		}
		b, o, th, m := flat(base), flat(ours), flat(theirs), flat(got)
		for k := range m {
			if m[k] != o[k] && m[k] != th[k] {
				t.Fatalf("seed %d: %s is %s, from nowhere", seed, k, m[k])
			}
		}
		for _, side := range []map[string]string{o, th} {
			for k, v := range side {
				if _, left := m[k]; !strings.HasPrefix(k, "meta/") && v != b[k] && !left {
					t.Fatalf("seed %d: %s is lost\n%s\n%s\n%s\n%s", seed, k, base, ours, theirs, got)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// flat returns the values of a file by path; each list item has its own path.
func flat(src []byte) map[string]string {
	out := map[string]string{}
	var visit func(path string, v any)
	visit = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, below := range v {
				visit(path+"/"+k, below)
			}
		case []any:
			for _, item := range v {
				out[path+"/"+strings.ToLower(fmt.Sprint(item))] = fmt.Sprint(item)
			}
		case nil:
		default:
			out[path] = fmt.Sprint(v)
		}
	}
	visit("", markdown.Parse(src).Front.Fields)
	return out
}

func FuzzMergeFields(f *testing.F) {
	for i, src := range frontmatters() {
		f.Add([]byte(src), []byte(frontmatters()[(i+1)%len(frontmatters())]), []byte(profile))
	}
	f.Add([]byte("---\na: b\n---\nx"), []byte("---\na: b\nc: d\n---\ny"), []byte("---\na: b\ne: f\n---\nz"))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		checkMerge(t, base, ours, theirs)
	})
}
