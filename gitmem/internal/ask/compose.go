package ask

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/providers"
)

// claim is a citation that an answer quotes, with what is known of its source.
type claim struct {
	Citation
	since    string     // which release holds it first, in words
	takenBy  []Citation // what took it back
	state    string     // how a choice stands that is not, or no longer, in force
	later    []string   // citation ids of what superseded it
	practice bool       // it tells what was done and no rule
}

// told pairs the citations that an answer quotes with their evidence. What was taken
// back carries what did so, which is no claim of its own then.
func told(claimed []evidence, claims []Citation) (out []claim) {
	undone := map[string][]Citation{}
	for i, ev := range claimed {
		if ev.undoes != "" {
			undone[ev.undoes] = append(undone[ev.undoes], claims[i])
		}
	}
	for i, ev := range claimed {
		at := slices.IndexFunc(claimed, func(other evidence) bool { return other.src.ID == ev.undoes })
		if ev.undoes != "" && at >= 0 {
			continue
		}
		out = append(out, claim{Citation: claims[i], since: ev.since, takenBy: undone[claims[i].ID], practice: ev.src.Layer == cite.LayerTeam && !isDecision(ev.src),
			state: cmp.Or(unsettled(ev.src), threadState(ev.src)), later: superseding(ev.src)})
	}
	return out
}

// compose writes the passages that answer, each with its citation. Of how things are
// done the rules come first, and what was done behind them.
func compose(kind Kind, claims []claim) string {
	var b strings.Builder
	if kind == KindHow {
		slices.SortStableFunc(claims, func(x, y claim) int { return cmp.Compare(number(x.practice), number(y.practice)) })
	}
	for i, c := range claims {
		if kind == KindHow && c.practice && i > 0 && !claims[i-1].practice {
			b.WriteString("\nIn practice:\n")
		}
		writeClaim(&b, kind, c)
	}
	return strings.TrimRight(b.String(), "\n")
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func writeClaim(b *strings.Builder, kind Kind, c claim) {
	day := Day(c.Time)
	switch {
	case kind == KindWhen && day != "":
		fmt.Fprintf(b, "- %s: %s", strings.Join(nonEmpty(day, c.since), ", "), c.Title)
	default:
		fmt.Fprintf(b, "- %s", c.Title)
	}
	if c.Asked != "" {
		fmt.Fprintf(b, ", asked “%s”", c.Asked)
	}
	if c.state != "" {
		fmt.Fprintf(b, " (%s)", c.state)
	}
	by := byline(c.Citation, kind != KindWhen)
	if kind != KindWhen {
		by = strings.Join(nonEmpty(by, c.since), ", ")
	}
	if by != "" {
		fmt.Fprintf(b, " (%s)", by)
	}
	fmt.Fprintf(b, " [%s]\n", c.ID)
	if c.Excerpt != "" && !strings.HasPrefix(c.Title, c.Excerpt) {
		fmt.Fprintf(b, "  > %s\n", c.Excerpt)
	}
	if len(c.Also) > 0 {
		fmt.Fprintf(b, "  - Also in [%s]\n", strings.Join(c.Also, "], ["))
	}
	for _, id := range c.later {
		fmt.Fprintf(b, "  - Superseded by [%s]\n", id)
	}
	for _, by := range c.takenBy {
		fmt.Fprintf(b, "  - Taken back on %s [%s]: %s\n", cmp.Or(Day(by.Time), "an unknown day"), by.ID, by.Title)
	}
}

// Reversed is how an answer begins that tells the opposite of what was asked.
const Reversed = "Recorded is the reverse"

// reversed tells that the citation at i is the opposite of what was asked, with the others
// below.
func reversed(citations []Citation, i int) string {
	text := Reversed + ":\n" + list(plainClaims(citations[i:i+1]))
	if rest := slices.Delete(slices.Clone(citations), i, i+1); len(rest) > 0 {
		text += "\n\nClosest besides:\n" + list(plainClaims(rest))
	}
	return text
}

// plainClaims are citations of which nothing else is told.
func plainClaims(citations []Citation) []claim {
	out := make([]claim, len(citations))
	for i, c := range citations {
		out[i] = claim{Citation: c}
	}
	return out
}

// list writes claims one below the other.
func list(claims []claim) string {
	var b strings.Builder
	for _, c := range claims {
		writeClaim(&b, KindGeneral, c)
	}
	return strings.TrimRight(b.String(), "\n")
}

// unsettled is the state of a choice that is not in force, or of what was to do and is
// done; "" for others, and where the title says so.
func unsettled(src cite.Source) string {
	switch src.State {
	case "superseded", "deprecated", "rejected", "proposed", "draft", "done":
		if !undecided(src.Title) {
			return src.State
		}
	}
	return ""
}

// superseding are the citation ids of what took the place of a choice.
func superseding(src cite.Source) (ids []string) {
	for _, l := range src.Links {
		if l.Rel == providers.SupersededBy {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

func byline(c Citation, withDay bool) string {
	author, day, project := c.Author, "", ""
	if author == c.Title { // a transcript's turn has its role for both
		author = ""
	}
	if withDay {
		day = Day(c.Time)
	}
	if c.Layer == cite.LayerTranscripts && c.Project != "" {
		project = inProject(c.Project)
	}
	return strings.Join(nonEmpty(author, day, project), ", ")
}

func nonEmpty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// inProject names a project by the last part of its folder or its id.
func inProject(project string) string { return "in " + path.Base(filepath.ToSlash(project)) }

// Day is the date of an RFC 3339 time, "" when there is none.
func Day(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

// notRecorded is the answer when the evidence does not carry one: it says what was
// looked through, and what is there but could not be.
func notRecorded(q Question, layers []string, searched []Searched, unsearched, missing []string) string {
	if len(searched) == 0 && len(unsearched) > 0 {
		return fmt.Sprintf("Not known: nothing that exists here could be searched (%s).", strings.Join(unsearched, ", "))
	}
	var b strings.Builder
	if span := q.Range; q.Kind == KindRecent && !span.IsZero() && len(q.Terms) == 0 && allows(layers, cite.LayerTeam) && !personal(q.Text) {
		fmt.Fprintf(&b, "No commit %s.", cmp.Or(span.Words, "in that time"))
	} else {
		b.WriteString("Not recorded.")
	}
	if len(missing) > 0 && len(searched) > 0 {
		fmt.Fprintf(&b, " Nothing here mentions %s.", strings.Join(missing, " or "))
	}
	if !q.Range.IsZero() {
		fmt.Fprintf(&b, " Looked at %s only.", q.Range)
	}
	switch {
	case len(searched) > 0:
		b.WriteString(" Searched " + strings.Join(placesOf(searched), "; ") + ".")
	case len(layers) > 0:
		fmt.Fprintf(&b, " There was nothing to search in %s.", strings.Join(layers, ", "))
	default:
		b.WriteString(" There was nothing to search: no history, no rules, no notes and no transcripts here.")
	}
	if len(unsearched) > 0 {
		fmt.Fprintf(&b, " %s could not be searched.", upperFirst(strings.Join(unsearched, ", ")))
	}
	return b.String()
}

func placesOf(searched []Searched) []string {
	var places []string
	for _, s := range searched {
		place := fmt.Sprintf("%s: %s", s.Layer, itemsOf(s))
		if s.Newest != "" {
			place += ", newest " + s.Newest
		}
		places = append(places, place)
	}
	return places
}

// itemsOf counts what was searched: what it is called is in the plural.
func itemsOf(s Searched) string {
	if s.Items == 1 {
		return "1 " + strings.ReplaceAll(strings.TrimSuffix(s.Source, "s"), "s and ", " or ")
	}
	return fmt.Sprintf("%d %s", s.Items, s.Source)
}
