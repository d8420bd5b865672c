package ask

import (
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// claims are the citations that an answer quotes, with their evidence: only sources
// that carry most of what the best one carries. Weaker ones stay citations without a
// claim.
func claims(found []evidence, cited []Citation) (claimed []evidence, claims []Citation) {
	byID := map[string]evidence{}
	for _, ev := range found {
		byID[ev.src.ID] = ev
	}
	best := 0.0
	for _, c := range cited {
		best = max(best, byID[c.ID].support)
	}
	for _, c := range cited {
		if ev := byID[c.ID]; ev.support >= quoted*best {
			claimed, claims = append(claimed, ev), append(claims, c)
		}
	}
	return claimed, claims
}

// compose writes the passages that answer, each with its citation.
func compose(kind Kind, claims []Citation) string {
	var b strings.Builder
	for _, c := range claims {
		writeClaim(&b, kind, c)
	}
	return strings.TrimRight(b.String(), "\n")
}

func writeClaim(b *strings.Builder, kind Kind, c Citation) {
	day := Day(c.Time)
	switch {
	case kind == KindWhen && day != "":
		fmt.Fprintf(b, "- %s: %s", day, c.Title)
	default:
		fmt.Fprintf(b, "- %s", c.Title)
	}
	if by := byline(c, kind != KindWhen); by != "" {
		fmt.Fprintf(b, " (%s)", by)
	}
	fmt.Fprintf(b, " [%s]\n", c.ID)
	if c.Excerpt != "" && !strings.HasPrefix(c.Title, c.Excerpt) {
		fmt.Fprintf(b, "  > %s\n", c.Excerpt)
	}
}

func byline(c Citation, withDay bool) string {
	parts := make([]string, 0, 2)
	if c.Author != "" {
		parts = append(parts, c.Author)
	}
	if day := Day(c.Time); withDay && day != "" {
		parts = append(parts, day)
	}
	return strings.Join(parts, ", ")
}

// Day is the date of an RFC 3339 time, "" when there is none.
func Day(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

// notRecorded is the answer when the evidence does not carry one.
func notRecorded(q Question, searched []Searched) string {
	var b strings.Builder
	b.WriteString("Not recorded.")
	if !q.Range.IsZero() {
		fmt.Fprintf(&b, " Looked at %s only.", rangeWords(q.Range))
	}
	var places []string
	for _, s := range searched {
		place := fmt.Sprintf("%s: %d %s", s.Layer, s.Items, s.Source)
		if s.Newest != "" {
			place += ", newest " + s.Newest
		}
		places = append(places, place)
	}
	if len(places) == 0 {
		b.WriteString(" There was nothing to search: no history, no rules, no notes and no transcripts here.")
		return b.String()
	}
	b.WriteString(" Searched " + strings.Join(places, "; ") + ".")
	return b.String()
}

func rangeWords(r search.Range) string { return r.String() }
