package report

import "testing"

func TestCutLineRange(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, name string
		from, to int
		ok       bool
	}{
		{"a.c:12", "a.c", 12, 12, true},
		{"a.c:12-20", "a.c", 12, 20, true},
		{"a.c#L12-L20", "a.c", 12, 20, true},
		{"a.c#L12", "a.c", 12, 12, true},
		{"a:b.c:7", "a:b.c", 7, 7, true},
		{"a.c:20-12", "a.c", 20, 12, false},
		{"a.c:0", "a.c", 0, 0, false},
		{"a.c:L12", "a.c", 0, 0, false},
		{"a.c:x", "a.c", 0, 0, false},
		{"a.c:99999999999", "a.c", 99999999999, 99999999999, false},
		{"a.c", "a.c", 0, 0, false},
		{":12", ":12", 0, 0, false},
	} {
		name, from, to, ok := cutLineRange(tt.in)
		if name != tt.name || ok != tt.ok || ok && (from != tt.from || to != tt.to) {
			t.Errorf("%q: %q, %d-%d, %v", tt.in, name, from, to, ok)
		}
	}
}

func TestWordLines(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"": 0, "}\n\n  );\n": 0, "a\n}\nb = 1\n": 2, "ä\n7": 2} {
		if got := wordLines(in); got != want {
			t.Errorf("%q: %d", in, got)
		}
	}
}

func TestIsFragment(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{"changelog.d/12.md": true, "a/newsfragments/12.bugfix": true,
		".changeset/a.md": true, "changelog.d": false, "a/b.md": false, "unreleased/x/a.md": false} {
		if got := isFragment(in); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}
