package diffterms

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSummary is the maximum length of a summary in characters.
const maxSummary = 160

// clause is "verb item, item and 3 more".
type clause struct {
	verb  string
	items []string
	// rest counts the items that are not listed, of is what to call them.
	rest int
	of   string
}

// text formats a clause with at most this many of its items.
func (c clause) text(most int) string {
	items := c.items[:min(most, len(c.items))]
	text := c.verb + " " + strings.Join(items, ", ")
	left := len(c.items) - len(items) + c.rest
	switch {
	case left == 0:
	case len(items) == 0:
		text = fmt.Sprintf("%s %d %s", c.verb, left, plural(c.of, left))
	default:
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}

func plural(noun string, n int) string {
	if n == 1 {
		return strings.TrimSuffix(noun, "s")
	}
	return noun
}

// maxItems is the maximum number of listed items per clause.
const maxItems = 5

// summary joins clauses, whole folders and files first. Each clause gets one item, then another in turn while
// there is room.
func summary(files []file, folders []folder) string {
	clauses := clausesOf(files, folders)
	most := make([]int, len(clauses))
	for i := range most {
		most[i] = 1
	}
	for len(clauses) > 1 && width(join(clauses, most)) > maxSummary {
		clauses = clauses[:len(clauses)-1]
	}
	best := join(clauses, most)
	for range maxItems - 1 {
		for i := range clauses {
			most[i]++
			if text := join(clauses, most); width(text) <= maxSummary {
				best = text
			} else {
				most[i]--
			}
		}
	}
	return shorten(best, maxSummary)
}

func width(s string) int { return utf8.RuneCountInString(s) }

func join(clauses []clause, most []int) string {
	var texts []string
	for i, c := range clauses {
		texts = append(texts, c.text(most[i]))
	}
	return oneLine(strings.Join(texts, "; "))
}

// oneLine makes text from paths and source safe to print.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

func shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// changedFiles are the files of a change, and which of them the summary already mentions.
type changedFiles struct {
	files   []file
	folders []folder
	named   []bool
}

func clausesOf(files []file, folders []folder) []clause {
	t := &changedFiles{files: files, folders: folders, named: make([]bool, len(files))}
	moved := movedNames(files)
	var out []clause
	add := func(c clause) {
		if len(c.items)+c.rest > 0 {
			out = append(out, c)
		}
	}
	add(t.renames())
	added, removed := t.whole('A', "adds"), t.whole('D', "removes")
	added.items = append(added.items, t.names('A', moved)...)
	removed.items = append(removed.items, t.names('D', moved)...)
	add(added)
	add(removed)
	add(moves(files, moved))
	add(t.changes())
	return out
}

// renames lists renamed files; for many with a common folder it lists the folder.
func (t *changedFiles) renames() clause {
	c := clause{verb: "renames", of: "files"}
	type pair struct{ from, to string }
	var first []pair // the first file of each pair of folders
	count := map[pair]int{}
	folders := func(p pair) pair {
		q := pair{path.Dir(p.from) + "/", path.Dir(p.to) + "/"}
		if path.Base(p.from) != path.Base(p.to) || q.from == q.to {
			return p
		}
		return q
	}
	for i, f := range t.files {
		if f.from == "" {
			continue
		}
		t.named[i] = f.added+f.removed == 0
		p := pair{f.from, f.path}
		if count[folders(p)]++; count[folders(p)] == 1 {
			first = append(first, p)
		}
	}
	for _, p := range first {
		if n := count[folders(p)]; n > 1 {
			c.items = append(c.items, fmt.Sprintf("%s → %s (%d files)", folders(p).from, folders(p).to, n))
		} else {
			c.items = append(c.items, p.from+" → "+p.to)
		}
	}
	return c
}

// whole lists files and folders that were added or removed.
func (t *changedFiles) whole(op byte, verb string) clause {
	c := clause{verb: verb, of: "files"}
	for _, d := range t.folders {
		if d.op != op {
			continue
		}
		var inside []int
		for i, f := range t.files {
			if f.op == op && !t.named[i] && strings.HasPrefix(f.path, d.path) {
				inside = append(inside, i)
			}
		}
		if len(inside) < 2 {
			continue
		}
		for _, i := range inside {
			t.named[i] = true
		}
		c.items = append(c.items, fmt.Sprintf("%s (%d files)", d.path, len(inside)))
	}
	single := t.order(func(i int) bool { return t.files[i].op == op && t.files[i].from == "" && !t.named[i] })
	for _, i := range single {
		t.named[i] = true
	}
	if len(single) > 12 {
		c.rest = len(single)
		return c
	}
	for _, i := range single {
		f := t.files[i]
		c.items = append(c.items, f.path+inParens(kinds(f.names, op, 3)))
	}
	return c
}

// byWeight compares files by significance: source before tests before data, then the larger change.
func byWeight(a, b file) int {
	return cmp.Or(cmp.Compare(a.content, b.content), cmp.Compare(b.added+b.removed, a.added+a.removed))
}

func inParens(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// kinds lists the names with one op, and the kind only where it differs from the one before: "func Open,
// Close, type File".
func kinds(names []name, op byte, most int) []string {
	var out []string
	last := ""
	for _, n := range names {
		if n.op != op {
			continue
		}
		if len(out) == most {
			return append(out, "…")
		}
		text := shorten(n.name, 48)
		if n.kind != last {
			text = n.kind + " " + text
		}
		out, last = append(out, text), n.kind
	}
	return out
}

// movedNames finds declarations that are removed from one file and added to another.
func movedNames(files []file) map[declaration][2]string {
	sides := map[declaration][2]string{}
	for side, op := range [2]byte{'D', 'A'} {
		for _, f := range files {
			for _, n := range f.names {
				if n.op != op || n.kind == "section" {
					continue
				}
				way := sides[n.declaration]
				way[side] = f.path
				sides[n.declaration] = way
			}
		}
	}
	maps.DeleteFunc(sides, func(_ declaration, way [2]string) bool {
		return way[0] == "" || way[1] == "" || way[0] == way[1]
	})
	return sides
}

// moves lists declarations that moved between files, if the original file still exists.
func moves(files []file, moved map[declaration][2]string) clause {
	c := clause{verb: "moves", of: "declarations"}
	last := [2]string{}
	for _, f := range files {
		for _, n := range f.names {
			way, ok := moved[n.declaration]
			if !ok || n.op != 'D' || f.op != 'M' {
				continue
			}
			if way == last {
				c.rest++
				continue
			}
			last = way
			c.items = append(c.items, fmt.Sprintf("%s %s from %s to %s", n.kind, n.name, f.path, way[1]))
		}
	}
	return c
}

// names lists declarations that were added to or removed from modified files, those of tests last.
func (t *changedFiles) names(op byte, moved map[declaration][2]string) []string {
	order := t.order(func(i int) bool { return t.files[i].op == 'M' })
	var out []string
	last := ""
	for _, i := range order {
		f := t.files[i]
		for _, n := range f.names {
			if _, ok := moved[n.declaration]; n.op != op || ok {
				continue
			}
			text := shorten(n.name, 48)
			if n.kind != last || n.kind == "section" {
				text = n.kind + " " + text
			}
			out, last = append(out, text), n.kind
		}
	}
	return out
}

// order returns the indexes of the files for which want returns true, by weight.
func (t *changedFiles) order(want func(int) bool) []int {
	var out []int
	for i := range t.files {
		if want(i) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return byWeight(t.files[a], t.files[b]) })
	return out
}

// changes lists modified files, with the declarations around the changes.
func (t *changedFiles) changes() clause {
	c := clause{verb: "changes", of: "files"}
	order := t.order(func(i int) bool {
		f := t.files[i]
		return f.op == 'M' && (f.from == "" || f.added+f.removed > 0)
	})
	for _, i := range order {
		f := t.files[i]
		text := f.path
		switch {
		case f.edit != "":
			text += ": " + f.edit
		case f.mode:
			text += " (mode)"
		case f.added+f.removed > 0:
			text += fmt.Sprintf(" +%d −%d", f.added, f.removed)
		}
		if len(order) <= 3 {
			text += inParens(kinds(f.names, 'M', 3))
		}
		c.items = append(c.items, text)
	}
	return c
}
