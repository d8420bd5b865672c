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

// order are the paths that a session is shown first, with the environment variable for each; "" for none.
var order = [...]struct{ path, variable string }{
	{pathOrders, ""}, {pathName, "GITMEM_NAME"}, {pathRole, "GITMEM_ROLE"}, {pathLanguage, "GITMEM_LANGUAGE"},
	{pathTone, "GITMEM_TONE"},
	{pathStacks, "GITMEM_STACKS"}, {pathEditor, "GITMEM_EDITOR"}, {pathAvoid, ""}, {pathStyle, ""},
}

// Group contains the values at one path from one author, by descending confidence and time.
type Group struct {
	Path   string
	By     answer.Trust // see [Entry]
	Values []string
}

// Groups returns the values of a profile that are not stale, by path: the paths in order first, then all others by
// name.
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

// place returns the position of a path in the order of groups.
func place(path string) int {
	if i := slices.IndexFunc(order[:], func(o struct{ path, variable string }) bool { return o.path == path }); i >= 0 {
		return i
	}
	return len(order)
}

// Ordered reports whether the group contains orders of the user.
func (g Group) Ordered() bool { return g.Path == pathOrders && g.By == "" }

// Lines returns the lines of a group for the session context, with each order on its own line.
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

// Variable returns the environment variable of a session for the group if it is the user's own, and its value; "" for
// none.
func (g Group) Variable() (name, value string) {
	if i := place(g.Path); i < len(order) && g.By == "" {
		name = order[i].variable
	}
	return name, strings.Join(g.Values, ", ")
}

// Subject returns the subject of a commit for actions on the profile.
func Subject(done []string) string {
	if len(done) == 1 {
		return "profile: " + done[0]
	}
	return fmt.Sprintf("profile: %s and %d more", done[0], len(done)-1)
}

// Trailers returns the trailers of such a commit, one for each action.
func Trailers(done []string) []string {
	return slice.Map(done, func(what string) string { return "Gitmem-Op: " + what })
}

// Decayed returns the paths and values that were removed because they were not mentioned.
func Decayed(done []string) (gone []string) {
	for _, what := range done {
		if value, ok := strings.CutPrefix(what, "decay "); ok {
			gone = append(gone, value)
		}
	}
	return gone
}

// labels describe the meaning of a path, with the verbs that people use in questions.
var labels = [...][2]string{
	{pathOrders, "standing order, what you should always or never do"},
	{pathStacks, "preferred stack and languages that you use"}, {pathStyle, "style that you prefer"},
	{pathAvoid, "what you avoid and don't like"},
	{pathTone, "tone that you want"}, {pathLanguage, "language that you want answers in"},
	{pathTools, "tool that you use"},
	{pathRole, "your role at work"}, {pathName, "your name"}, {"work.team", "team or industry that you work in"},
	{"work.location", "place that you work and live in"},
}

// Title returns a description of an entry: "editor that you use: Neovim".
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

// OrderTexts returns the standing orders of a profile, and the lines of the person's text below its frontmatter, which
// sessions are shown in the same way.
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
