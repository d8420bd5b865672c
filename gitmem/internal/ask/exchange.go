package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// askedRunes is how much of a turn of the user counts as the heading of its answer.
const askedRunes = 600

// turn is a source below a heading that is not its own: what was asked, of an answer.
type turn struct {
	src     cite.Source
	hit     search.Hit
	heading string
}

// turn reads a hit with what belongs to it in its conversation: an answer goes below
// what was asked, a question is read as its answer alone, and with anything else that a
// user said, or that a tool printed and somebody pasted into the question, goes what was
// answered to it in the end.
func (e *Engine) turn(q Question, query search.Query, hit search.Hit) (turn, error) {
	src, err := e.Evidence.Fetch(hit)
	own := turn{src, hit, ""}
	if err != nil || hit.Doc.Layer != cite.LayerTranscripts {
		return own, err
	}
	byUser := hit.Doc.Role == string(transcript.RoleUser)
	pasted := q.Pasted && hit.Doc.Type == string(transcript.KindResult)
	if !byUser && !pasted && hit.Doc.Role != string(transcript.RoleAssistant) {
		return own, nil
	}
	asked, answer := e.Sessions.Exchange(hit)
	heading := ""
	if !byUser && asked.Doc.ID != "" {
		if by, err := e.Evidence.Fetch(asked); err == nil {
			heading = headingOf(by.Text)
		}
	}
	if !byUser && !pasted {
		own.heading = heading
		return own, nil
	}
	if answer.Doc.ID == "" || !q.Pasted && !isAsking(src.Text) || !wanted(answer.Doc, query) {
		return own, nil
	}
	answered, err := e.Evidence.Fetch(answer)
	if err != nil {
		return own, nil
	}
	answer.Score = hit.Score
	return turn{answered, answer, strings.TrimPrefix(heading+" "+headingOf(src.Text), " ")}, nil
}

// wanted reports whether a turn passes what a query is narrowed to.
func wanted(turn index.Row, query search.Query) bool {
	return (query.Range.IsZero() || query.Range.Contains(turn.Time)) && query.Allows(search.OnRole, turn.Role) &&
		query.Allows(search.OnType, turn.Type) && query.Allows(search.OnAuthor, turn.Author)
}

// firstWords is the beginning of what was asked, on one line.
func firstWords(asked string) string {
	const most = 12
	words := strings.Fields(asked)
	if len(words) <= most {
		return strings.Join(words, " ")
	}
	return strings.Join(words[:most], " ") + " …"
}

// headingOf is the beginning of what somebody wrote in a turn, with the errors that were
// pasted into it.
func headingOf(text string) string {
	prose, pasted := splitPasted(headAndTail(text, proseHead, proseTail))
	return messages.Clip(prose+" "+strings.Join(pasted, " "), askedRunes)
}
