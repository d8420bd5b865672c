package transcript

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/lazy"
)

// typed reads an entry of the client's prompt history, history.jsonl beside the project
// folders: what a person typed, longer than the transcripts last. Its Cwd is the
// project's folder, and its Session is "" in files of older clients. A bare slash command
// says nothing and is no message.
func (rec record) typed() (Message, found) {
	m := rec.envelope(RoleUser)
	m.Prompt, m.Speaker, m.Cwd, m.Text = true, Person, folderName(rec.Project), strings.TrimSpace(*rec.Display)
	if !ValidSessionID(m.Session) {
		m.Session = ""
	}
	if m.Text == "" || m.Text[0] == '/' && !strings.ContainsAny(m.Text, " \n") {
		return Message{}, found{}
	}
	if ms, err := strconv.ParseInt(string(rec.Timestamp), 10, 64); err == nil && ms > 0 {
		m.Time = time.UnixMilli(ms).UTC()
	}
	m.Text = unpaste(m.Text, rec.PastedContents)
	return m, found{message: m.Text != ""}
}

// pasted is a text that the client keeps beside the prompt it was pasted into.
type pasted struct{ Content string }

var pasteMark = lazy.Pattern(`\[Pasted text #([^\] ]*)[^\]]*\]`)

// unpaste puts pasted texts where the client shows a mark such as
// [Pasted text #1 +12 lines]. Those that are not there leave their mark.
func unpaste(text string, pastes map[string]pasted) string {
	if len(pastes) == 0 { // of most prompts, which are not worth an expression
		return text
	}
	return pasteMark().ReplaceAllStringFunc(text, func(mark string) string {
		return cmp.Or(pastes[pasteMark().FindStringSubmatch(mark)[1]].Content, mark)
	})
}
