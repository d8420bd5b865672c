package ask

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/claim"
)

// releasedOn answers when a release was made, with the commit of its tag.
func (e *Engine) releasedOn(ctx context.Context, q Question, a *draft) error {
	src, err := e.Evidence.Resolve(ctx, string(cite.KindCommit)+":"+q.In.To)
	c, ok := e.checked(ctx, src, firstPassage(src), err)
	if !ok {
		return nil
	}
	day, by := q.In.Until.Format(time.DateOnly), byline(c, false)
	text := fmt.Sprintf("- %s, %s: %s (%s) [%s]", day, releaseName(q), c.Title, by, c.ID)
	a.setParts([]part{{text: text, citations: []answer.Citation{c}}})
	return nil
}

// releaseName returns the name of the release as typed in the question.
func releaseName(q Question) string {
	words := strings.Fields(strings.TrimRight(q.In.Words, "?!., "))
	if first := strings.ToLower(words[0]); len(words) > 1 && isOneOf(" in of during release version tag the ", first) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// inRelease adds whether the named release contains the answering change. It considers each source with about as much
// support as the best. A source with the subject's name or nothing else confirms it; a source that describes the start
// denies it.
func (e *Engine) inRelease(ctx context.Context, q Question, found []evidence, a *draft) {
	if a.Confidence.Verdict() != answer.Answered {
		return
	}
	first, begins := evidence{}, evidence{}
	for _, ev := range found {
		held, known := e.Releases.HeldIn(ctx, q.In, ev.src.ID, ev.hit.Doc.Release)
		removes := claim.Read(ev.src.Title).Ends()
		if !known || ev.withdrawn || ev.since == "" || removes || ev.near < quoted*found[0].near {
			continue
		}
		if held && (q.compoundsIn(ev) > 0 || q.isSubjectOf(ev)) {
			a.Answer = fmt.Sprintf("Yes, %s holds it, %s.\n%s", releaseName(q), ev.since, a.Answer)
			return
		}
		if first.since == "" || ev.src.Time.Before(first.src.Time) {
			first = ev
		}
		if begins.since == "" && ev.begins && ev.src.Type != "fix" && q.isSubjectOf(ev) {
			begins = ev
		}
	}
	name := releaseName(q)
	inIt, _ := e.Releases.HeldIn(ctx, q.In, first.src.ID, first.hit.Doc.Release)
	switch {
	case inIt:
		a.Answer = fmt.Sprintf("Records up to %s tell of it: %s.\n%s", name, first.since, a.Answer)
	case begins.since != "":
		a.Answer = fmt.Sprintf("No, not in %s: %s.\n%s", name, begins.since, a.Answer)
	case first.since != "":
		const form = "No record of it in %s: the earliest that says as much is %s.\n%s"
		a.Answer = fmt.Sprintf(form, name, first.since, a.Answer)
	}
}
