package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers"
)

const (
	digestNotes = 12  // changes listed before the commits by area
	notesRead   = 300 // changelog entries read for a digest
)

// breaking matches marks of breaking changes: a changelog heading, a title mark or words in a message.
var breaking = lazy.Pattern(`(?i:breaking)|(?i: › (major changes|removed)$)|^\w+(\([^)]*\))?!:`)

// note is a change that is listed first: a pull request or a changelog entry.
type note struct {
	digestCommit
	breaks bool
	also   []string // citation ids of its commits
}

// notes returns the changelog entries and pull requests of a time range with their commits, breaking ones first, then
// the newest. left contains the other commits.
func (e *Engine) notes(
	ctx context.Context, query search.Query, commits []digestCommit,
) (notes []note, left []digestCommit, err error) {
	ofChange := func(role string) bool { return role == "doc" || role == "pr" || role == "mr" }
	query.Conditions = append(slices.Clone(query.Conditions), search.Condition{On: search.OnRole, Match: ofChange})
	res, err := e.Evidence.Find(ctx, query)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range res.Hits {
		if !ofChange(h.Doc.Role) || h.Doc.Role == "doc" && h.Doc.Release == "" || len(notes) == notesRead {
			continue
		}
		src, err := e.Evidence.Resolve(ctx, h.Doc.ID)
		open := src.State == "open" || src.State == "closed" // not merged
		if e.lost.add(err); err == nil && !open && providers.InferType(firstPassage(src).Text, "", nil) != "chore" {
			breaks := breaking().MatchString(src.Title)
			notes = append(notes, note{digestCommit: digestCommit{Hit: h, src: src}, breaks: breaks})
		}
	}
	for _, d := range commits {
		of := slices.IndexFunc(notes, func(n note) bool { return sameChange(n.src, d.src) })
		breaks := breaking().MatchString(d.src.Title) || strings.Contains(d.src.Text, "BREAKING CHANGE")
		switch {
		case of >= 0:
			notes[of].also, notes[of].breaks = append(notes[of].also, d.src.ID), notes[of].breaks || breaks
		case breaks:
			notes = append(notes, note{digestCommit: d, breaks: true})
		default:
			left = append(left, d)
		}
	}
	slices.SortStableFunc(notes, func(a, b note) int {
		return cmp.Or(cmp.Compare(number(b.breaks), number(a.breaks)), b.Doc.Time.Compare(a.Doc.Time),
			cmp.Compare(a.src.Line, b.src.Line))
	})
	said := map[string]bool{}
	notes = slices.DeleteFunc(notes, func(n note) bool { // a release may repeat entries of earlier releases
		title := n.title()
		again := said[title]
		said[title] = true
		return again
	})
	return notes, left, nil
}

// title returns the title of a commit or pull request, or the first paragraph of a changelog entry without link
// targets.
func (n note) title() string {
	if n.src.Source != string(cite.KindDocument) {
		return n.src.Title
	}
	text := strings.TrimSpace(n.src.Text)
	for strings.HasPrefix(text, "#") { // the only entry of a release
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimSpace(text)
	}
	text, _ = markdown.CutBullet(text)
	text, _, _ = strings.Cut(text, "\n\n")
	return messages.Clip(strings.Join(strings.Fields(markdown.WithoutLinks(text)), " "), excerptRunes)
}

// notes writes the changes that are listed first.
func (t *digestText) notes(notes []note) {
	breaks := slices.IndexFunc(notes, func(n note) bool { return !n.breaks })
	if breaks < 0 {
		breaks = len(notes)
	}
	for i, n := range notes[:min(len(notes), digestNotes)] {
		switch i {
		case breaks:
			fmt.Fprintf(t, "\n\n**Changelog and pull requests** (%d)", len(notes)-breaks)
		case 0:
			fmt.Fprintf(t, "\n\n**Breaking** (%d)", breaks)
		}
		c := n.src.Citation(1)
		c.Excerpt, c.Also = firstPassage(n.src).Text, n.also
		t.citations = append(t.citations, c)
		ids := strings.Join(append([]string{c.ID}, n.also...), "] [")
		fmt.Fprintf(t, "\n- %s (%s) [%s]", n.title(), byline(c, true), ids)
	}
	if more := len(notes) - digestNotes; more > 0 {
		fmt.Fprintf(t, "\n- and %d more", more)
	}
}
