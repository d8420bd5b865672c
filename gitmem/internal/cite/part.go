package cite

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/internal/slice"
)

// Part is a block of a transcript record that is a separate source: a call, a result, a thought, a plan, a task list or
// a title. Secrets are masked.
type Part struct {
	ID         ID
	Type, Role string
	Text       string // full text, see Bounded
	Tool       string // the called tool; "" for a result
	Call       string // id shared by a call and its result
	Paths      []string
}

// blockSuffix is the suffix of names from [BlockSession].
const blockSuffix = "/aside"

// BlockSession returns the name under which the index stores the blocks of a session. It is separate from the session,
// so that the neighbours of a turn are turns regardless of the calls between them, and the neighbours of a call are its
// result and the next call.
func BlockSession(session string) string { return session + blockSuffix }

// IsBlockSession reports whether a session name is from [BlockSession].
func IsBlockSession(session string) bool { return strings.HasSuffix(session, blockSuffix) }

// Parts returns the blocks of a record, see transcript.Message.Blocks. name is the session part of the transcript's
// citation ids.
func Parts(name string, m transcript.Message, redactor *redact.Redactor) []Part {
	blocks := m.Blocks()
	return slice.Map(blocks, func(b transcript.Block) Part { return newPart(name, m, b, redactor) })
}

func newPart(name string, m transcript.Message, b transcript.Block, redactor *redact.Redactor) Part {
	p := Part{
		ID:   ID{Kind: KindTranscript, Name: name, Number: m.Line, Fragment: b.Name()},
		Type: string(b.Kind), Role: string(b.Kind), Call: b.ID,
	}
	p.Tool, _ = redactor.Text(b.Tool)
	p.Text, _ = redactor.Text(strings.TrimSpace(b.Text))
	for _, file := range b.Paths {
		p.Paths = append(p.Paths, redactor.Path(file))
	}
	switch {
	case b.Kind == transcript.KindTitle:
		p.Type = string(transcript.RoleSummary)
	case b.Error:
		p.Role = "error"
	}
	return p
}

// Title returns a display title of the part. caller finds the call that a result answers.
func (p Part) Title(caller func(id string) (transcript.ToolUse, bool), redactor *redact.Redactor) string {
	switch transcript.Kind(p.Type) {
	case transcript.KindTool:
		return callTitle(p.Tool, cmp.Or(p.Text, strings.Join(p.Paths, " ")))
	case transcript.KindResult:
		use, ok := caller(p.Call)
		if !ok {
			return p.Role
		}
		text, _ := redactor.Text(use.InputText())
		for _, file := range use.Paths {
			text = strings.TrimSpace(text + " " + redactor.Path(file))
		}
		tool, _ := redactor.Text(use.Name)
		return callTitle(tool, text) + " · " + p.Role
	}
	return p.Role
}

// titleRunes is the maximum length of the text in a call's title.
const titleRunes = 60

// callTitle names a call by its tool and the first line of its text.
func callTitle(tool, text string) string {
	line, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	line = fold(line)
	if more && line != "" && utf8.RuneCountInString(line) <= titleRunes {
		line += " …"
	} else {
		line = clip.Within(line, titleRunes)
	}
	if line == "" {
		return tool
	}
	return tool + " · " + line
}

// Bounded returns the indexed start and end of the text, and the number of bytes between them that are not indexed.
func (p Part) Bounded() (first, last string, left int) {
	limits := map[string][2]int{
		string(transcript.KindPlan): {24_000, 0}, string(transcript.KindThinking): {6_000, 2_000},
		string(transcript.KindTodo):    {4_000, 0},
		string(transcript.RoleSummary): {4_000, 0}, string(transcript.KindTool): {2_000, 0},
		string(transcript.KindResult): {1_200, 600},
	}[p.Type]
	head, tail := limits[0], limits[1]
	if len(p.Text) <= head+tail {
		return p.Text, "", 0
	}
	first, last = p.Text[:upTo(p.Text, head)], p.Text[from(p.Text, len(p.Text)-tail):]
	return first, last, len(p.Text) - len(first) - len(last)
}

// Excerpted returns the text from which hits are quoted: the indexed text with a line about the omitted bytes.
func (p Part) Excerpted() string {
	first, last, left := p.Bounded()
	if left == 0 {
		return first
	}
	return fmt.Sprintf("%s\n\n[… %d bytes left out: gitmem show %s has them]\n\n%s", first, left, p.ID, last)
}

// upTo returns the end of the last line within n bytes, or of the last character if the line is long.
func upTo(s string, n int) int {
	if i := strings.LastIndexByte(s[:n], '\n'); i > n/2 {
		return i
	}
	return len(messages.ClipBytes(s, n))
}

// from returns the start of the first line after n, or of the first character if the line is long.
func from(s string, n int) int {
	if i := strings.IndexByte(s[n:], '\n'); i >= 0 && i < (len(s)-n)/2 {
		return n + i + 1
	}
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	return n
}
