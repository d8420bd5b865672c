package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/internal/slice"
)

// order are the paths that a session is told first, and the variable of its environment
// that holds each; "" for none.
var order = [...]struct{ path, variable string }{
	{pathOrders, ""}, {pathName, "GITMEM_NAME"}, {pathRole, "GITMEM_ROLE"}, {pathLanguage, "GITMEM_LANGUAGE"},
	{pathTone, "GITMEM_TONE"},
	{pathStacks, "GITMEM_STACKS"}, {pathEditor, "GITMEM_EDITOR"}, {pathAvoid, ""}, {pathStyle, ""},
}

// Group is what stands at one path in the words of one, the surest and newest value first.
type Group struct {
	Path   string
	By     answer.Trust // see [Entry]
	Values []string
}

// Groups are the values of a profile that still count, by path: what a session should know
// first, then all others by name.
func (p *Profile) Groups(now time.Time) []Group {
	entries := slices.DeleteFunc(slices.Clone(p.Entries), func(e Entry) bool { return e.stale(now) })
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(place(a.of()), place(b.of())), cmp.Compare(a.of(), b.of()), cmp.Compare(a.By, b.By),
			cmp.Compare(b.Now(now), a.Now(now)), b.LastSeen.Compare(a.LastSeen))
	})
	var out []Group
	for _, e := range entries {
		if len(out) == 0 || out[len(out)-1].Path != e.of() || out[len(out)-1].By != e.By {
			out = append(out, Group{Path: e.of(), By: e.By})
		}
		g := &out[len(out)-1]
		g.Values = append(g.Values, e.Value)
	}
	return out
}

// place is where a path comes among all others.
func place(path string) int {
	if i := slices.IndexFunc(order[:], func(o struct{ path, variable string }) bool { return o.path == path }); i >= 0 {
		return i
	}
	return len(order)
}

// Ordered reports whether the group has orders of the user.
func (g Group) Ordered() bool { return g.Path == pathOrders && g.By == "" }

// Lines are a group as a session is told it: each order on a line of its own.
func (g Group) Lines() []string {
	if g.Path != pathOrders {
		return []string{g.Path + g.By.Mark() + ": " + strings.Join(g.Values, ", ")}
	}
	lines := slices.Clone(g.Values)
	for i := range lines {
		lines[i] = "standing order" + g.By.Mark() + ": " + lines[i]
	}
	return lines
}

// Variable is the variable of a session's environment that holds the group where it is
// the user's own, and its value; "" for none.
func (g Group) Variable() (name, value string) {
	if i := place(g.Path); i < len(order) && g.By == "" {
		name = order[i].variable
	}
	return name, strings.Join(g.Values, ", ")
}

// Subject is the subject of a commit for what was done to the profile.
func Subject(done []string) string {
	if len(done) == 1 {
		return "profile: " + done[0]
	}
	return fmt.Sprintf("profile: %s and %d more", done[0], len(done)-1)
}

// Trailers are those of such a commit, one for each thing done.
func Trailers(done []string) []string {
	return slice.Map(done, func(what string) string { return "Gitmem-Op: " + what })
}

// Decayed are the paths and values that were taken out since nobody mentioned them.
func Decayed(done []string) (gone []string) {
	for _, what := range done {
		if value, ok := strings.CutPrefix(what, "decay "); ok {
			gone = append(gone, value)
		}
	}
	return gone
}

// labels say in words what stands at a path, with the verbs that people ask with.
var labels = [...][2]string{
	{pathOrders, "standing order, what you should always or never do"},
	{pathStacks, "preferred stack and languages that you use"}, {pathStyle, "style that you prefer"},
	{pathAvoid, "what you avoid and don't like"},
	{pathTone, "tone that you want"}, {pathLanguage, "language that you want answers in"},
	{pathTools, "tool that you use"},
	{pathRole, "your role at work"}, {pathName, "your name"}, {"work.team", "team or industry that you work in"},
	{"work.location", "place that you work and live in"},
}

// Title says in words what an entry is: "editor that you use: Neovim".
func (e Entry) Title() string {
	of := e.of()
	for _, l := range labels {
		if l[0] == of {
			return l[1] + ": " + e.Value
		}
	}
	name := of[strings.LastIndexByte(of, '.')+1:]
	if strings.HasPrefix(of, "tools.") {
		name += " that you use"
	}
	return name + ": " + e.Value
}

// OrderTexts are the standing orders of a profile, and the lines that the person wrote below its
// frontmatter, which a session is told alike.
func (p *Profile) OrderTexts() (texts []string) {
	for _, e := range p.Entries {
		if first, _, _ := strings.Cut(e.Path, "."); first == pathOrders {
			texts = append(texts, e.Value)
		}
	}
	for line := range strings.Lines(p.Words) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			texts = append(texts, strings.TrimLeft(line, "-*+> "))
		}
	}
	return texts
}
