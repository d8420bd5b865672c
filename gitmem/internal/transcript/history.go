package transcript

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/lazy"
)

// typed decodes an entry of the client's prompt history, history.jsonl beside the project folders: the text that a
// person typed, kept longer than the transcripts. Its Cwd is the project's folder, and its Session is "" in files of
// older clients. A bare slash command is not a message.
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

// pasted is a text that the client stores separately from the prompt into which it was pasted.
type pasted struct{ Content string }

var pasteMark = lazy.Pattern(`\[Pasted text #([^\] ]*)[^\]]*\]`)

// unpaste replaces the client's marks such as [Pasted text #1 +12 lines] by the pasted texts. Marks of missing texts
// are kept.
func unpaste(text string, pastes map[string]pasted) string {
	if len(pastes) == 0 { // fast path for most prompts
		return text
	}
	return pasteMark().ReplaceAllStringFunc(text, func(mark string) string {
		return cmp.Or(pastes[pasteMark().FindStringSubmatch(mark)[1]].Content, mark)
	})
}
