package ask

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// compose writes the passages of the answer, each with its citation. For questions about how things are done it puts
// rules before past work. A reverted commit is shown with its revert, which gets no entry of its own.
func compose(kind answer.Kind, found []evidence) string {
	var b strings.Builder
	undoes := func(by, ev evidence) bool { return by.undoes != "" && by.undoes == ev.src.ID }
	entries := slices.DeleteFunc(slices.Clone(found), func(by evidence) bool {
		return slices.ContainsFunc(found, func(ev evidence) bool { return undoes(by, ev) })
	})
	practice := func(ev evidence) bool {
		return kind == answer.KindHow && ev.src.Layer == cite.LayerTeam && !isDecision(ev.src)
	}
	slices.SortStableFunc(entries, func(x, y evidence) int {
		return cmp.Compare(number(practice(x)), number(practice(y)))
	})
	for i, ev := range entries {
		if practice(ev) && i > 0 && !practice(entries[i-1]) {
			b.WriteString("\nIn practice:\n")
		}
		writeEntry(&b, kind, ev)
		for _, by := range found {
			if undoes(by, ev) {
				fmt.Fprintf(&b, "  - Taken back on %s [%s]: %s\n", cmp.Or(Day(by.cited.Time), "an unknown day"), by.cited.ID,
					by.cited.Title)
			}
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// list writes citations as a list, without further annotations.
func list(citations ...answer.Citation) string {
	found := make([]evidence, len(citations))
	for i, c := range citations {
		found[i].cited = c
	}
	return compose(answer.KindGeneral, found)
}

// earlier marks a superseded statement if no link shows that.
func (ev evidence) earlier() string {
	if ev.stated != statedBefore || slices.ContainsFunc(ev.src.Links, settles) {
		return ""
	}
	return statedBefore
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func writeEntry(b *strings.Builder, kind answer.Kind, ev evidence) {
	c, day := ev.cited, Day(ev.cited.Time)
	b.WriteString("- ")
	if kind == answer.KindWhen && day != "" {
		b.WriteString(strings.Join(nonEmpty(day, ev.since), ", ") + ": ")
	}
	b.WriteString(c.Title)
	if c.Asked != "" {
		fmt.Fprintf(b, ", asked “%s”", c.Asked)
	}
	if state := cmp.Or(unsettled(ev.src), threadState(ev.src), ev.earlier()); state != "" {
		fmt.Fprintf(b, " (%s)", state)
	}
	by := byline(c, kind != answer.KindWhen)
	if kind != answer.KindWhen {
		by = strings.Join(nonEmpty(by, ev.since), ", ")
	}
	if by != "" {
		fmt.Fprintf(b, " (%s)", by)
	}
	fmt.Fprintf(b, " [%s]\n", c.ID)
	if c.Excerpt != "" && !strings.HasPrefix(c.Title, c.Excerpt) {
		fmt.Fprintf(b, "  > %s\n", c.Quoted())
	}
	if len(c.Also) > 0 {
		fmt.Fprintf(b, "  - Also in [%s]\n", strings.Join(c.Also, "], ["))
	}
	for _, l := range ev.src.Links {
		if settles(l) {
			fmt.Fprintf(b, "  - %s [%s]\n", upperFirst(string(l.Rel)), l.ID)
		}
	}
}

// Reversed introduces an answer that reports the opposite of what was asked.
const Reversed = answer.ReverseHead

// reversed reports that the citation at i is the opposite of what was asked, followed by the other citations.
func reversed(citations []answer.Citation, i int) string {
	text := Reversed + ":\n" + list(citations[i])
	if rest := slices.Delete(slices.Clone(citations), i, i+1); len(rest) > 0 {
		text += "\n\nClosest besides:\n" + list(rest...)
	}
	return text
}

// unsettled returns the state of a decision that is not in force or of a task that is done. It returns "" for others,
// or if the title contains the state.
func unsettled(src cite.Source) string {
	switch src.State {
	case "superseded", "deprecated", "rejected", "proposed", "draft", "done":
		if !undecided(src.Title) {
			return src.State
		}
	}
	return ""
}

func byline(c answer.Citation, withDay bool) string {
	author, day, project := c.Author, "", ""
	if author == c.Title { // for a transcript message both are its role
		author = ""
	}
	if withDay {
		day = Day(c.Time)
	}
	if c.Layer == cite.LayerTranscripts && c.Project != "" {
		project = inProject(c.Project)
	}
	return strings.Join(nonEmpty(author, c.OtherAgent(), day, project), ", ")
}

func nonEmpty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// inProject names a project by the last part of its folder or id.
func inProject(project string) string { return "in " + path.Base(filepath.ToSlash(project)) }

// Day returns the date of an RFC 3339 time, or "" if it is invalid.
func Day(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

// notRecorded returns the answer for missing evidence. It lists the sources that were searched and those that could not
// be.
func notRecorded(q Question, layers []string, searched []answer.Searched, unsearched, missing []string) string {
	if len(searched) == 0 && len(unsearched) > 0 {
		return fmt.Sprintf("Not known: nothing that exists here could be searched (%s).", strings.Join(unsearched, ", "))
	}
	var b strings.Builder
	if span := q.Range; q.Kind == answer.KindRecent && !span.IsZero() && len(q.Terms) == 0 &&
		allows(layers, cite.LayerTeam) && !asksOwnWork(q.Text) {
		fmt.Fprintf(&b, "No commit %s.", cmp.Or(span.Words, "in that time"))
	} else if q.Open && len(q.Terms) == 0 {
		fmt.Fprintf(&b, "No %s is recorded as open.", q.Intent)
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

func placesOf(searched []answer.Searched) []string {
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

// itemsOf returns the number of searched items with the plural name of the source in the right form.
func itemsOf(s answer.Searched) string {
	if s.Items == 1 {
		return "1 " + strings.ReplaceAll(strings.TrimSuffix(s.Source, "s"), "s and ", " or ")
	}
	return fmt.Sprintf("%d %s", s.Items, s.Source)
}
