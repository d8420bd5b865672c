package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// askedRunes is the maximum length of a prompt used as the heading of its answer.
const askedRunes = 600

// turn is a source with a heading from another source, such as the prompt of an answer.
type turn struct {
	src     cite.Source
	hit     search.Hit
	heading string
}

// turn reads a hit together with its context in the conversation. An answer gets its prompt as heading, and a question
// is replaced by its answer. Other user messages, and tool output that was pasted into the question, get the final
// answer to them.
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

// wanted reports whether a turn passes the filters of a query.
func wanted(turn index.Row, query search.Query) bool {
	return (query.Range.IsZero() || query.Range.Contains(turn.Time)) && query.Allows(search.OnRole, turn.Role) &&
		query.Allows(search.OnType, turn.Type) && query.Allows(search.OnAuthor, turn.Author)
}

// firstWords returns the first words of a prompt on one line.
func firstWords(asked string) string {
	const most = 12
	words := strings.Fields(asked)
	if len(words) <= most {
		return strings.Join(words, " ")
	}
	return strings.Join(words[:most], " ") + " …"
}

// headingOf returns the start of a person's text in a turn, with the pasted errors.
func headingOf(text string) string {
	prose, pasted := splitPasted(headAndTail(text, proseHead, proseTail))
	return messages.Clip(prose+" "+strings.Join(pasted, " "), askedRunes)
}
