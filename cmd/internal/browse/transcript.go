package browse

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// linesOnPage is how many lines of a transcript are sent at once.
const linesOnPage = 200

// turnMark begins the fragment of a message, before its line.
const turnMark = "msg-"

// SessionView is a part of a session.
type SessionView struct {
	ID, Agent, Title, Folder    string
	Origin                      string // the session that it was forked from
	Kept, Gone                  bool   // of the transcript: only a copy is left; nothing is
	First, Last, Lines          int32
	Withheld, Skipped           int32
	Messages                    []MessageView
	Sections, Ideas, Log        []KeptView
	Prompts                     []KeptView // of a session without a transcript
	Reopen                      string     // the command that reopens it, "" where the client has it no longer
	Caveats                     []string
	Page, EarlierPart, NextPart string // addresses, "" for none
}

// MessageView is a message of a transcript.
type MessageView struct {
	ID, Anchor, Speaker string
	Line                int32
	Day, Clock          string // Day is "" where the message before it was of the same day
	Text                string
	Formatted           bool // the text is Markdown
	TakenBack           bool
	Blocks              []BlockView
	Ideas               []KeptView // that come from it
}

// BlockView is a part of a message that is folded.
type BlockView struct {
	Anchor, Kind, Title, Text string
	Paths                     []string
	Failed                    bool
}

// KeptView is what memory holds of a session: a section or a topic, an idea, a prompt, or a line of its log.
type KeptView struct {
	ID, Kind, Intent, State, Title, Text string
	Line                                 int32  // of the transcript, 0 where that is not known
	At                                   string // fragment of that line, "" for none
}

// SessionArgs say which part of a session is shown.
type SessionArgs struct {
	ID string
	At string // a line, or a fragment of the page, that the part holds; "" for the beginning
}

func (s *site) sessionPage(ctx context.Context, r *http.Request, q url.Values) (page, error) {
	v, err := s.session(ctx, SessionArgs{ID: r.PathValue("id"), At: q.Get("at")})
	return page{cmp.Or(v.Title, "Session"), "session", v}, err
}

// session shows a part of a session.
func (s *site) session(ctx context.Context, a SessionArgs) (SessionView, error) {
	line, _, _ := strings.Cut(strings.TrimPrefix(a.At, turnMark), "-")
	n, _ := strconv.ParseInt(line, 10, 32) // what is no line is the beginning
	t, err := s.m.Data().Transcript(ctx, a.ID, gitmem.TranscriptOptions{Line: int(n), Lines: linesOnPage})
	if err != nil {
		return SessionView{}, err
	}
	v := SessionView{
		ID: t.Session, Agent: t.Agent, Title: cmp.Or(t.Title, t.Session), Folder: t.Folder, Origin: t.Origin, Kept: t.Kept, Gone: t.Gone,
		First: int32(t.First), Last: int32(t.Last), Lines: int32(t.Lines), Withheld: int32(t.Withheld), Skipped: int32(t.Skipped),
		Messages: []MessageView{}, Caveats: t.Caveats, Page: "/sessions/" + t.Session,
	}
	ideas := v.keep(t.Archive)
	day := ""
	for _, m := range t.Messages {
		shown := messageView(m)
		shown.Ideas = ideas[m.Line]
		if shown.Day == day {
			shown.Day = ""
		} else {
			day = shown.Day
		}
		v.Messages = append(v.Messages, shown)
	}
	if len(t.Messages) > 0 && !t.Kept {
		v.Reopen = "gitmem reopen " + t.Messages[0].ID
	}
	if t.First > 1 {
		v.EarlierPart = v.part(t.First - 1)
	}
	if t.Last < t.Lines {
		v.NextPart = v.part(t.Last + 1)
	}
	return v, nil
}

// part is the address of the part that holds a line.
func (v *SessionView) part(line int) string { return v.Page + "?at=" + strconv.Itoa(line) }

// keep takes what memory holds, and returns the ideas by the line of the transcript that they come from.
func (v *SessionView) keep(list []gitmem.ArchiveEntry) map[int][]KeptView {
	byLine := map[int][]KeptView{}
	for _, e := range list {
		k := KeptView{ID: e.ID, Kind: e.Kind, Intent: e.Intent, State: e.State, Title: e.Title, Text: e.Text, Line: int32(e.Line)}
		if e.Line > 0 && !v.Gone {
			k.At = turnMark + strconv.Itoa(e.Line)
		}
		switch e.Kind {
		case "idea":
			v.Ideas = append(v.Ideas, k)
			byLine[e.Line] = append(byLine[e.Line], k)
		case "prompt":
			v.Prompts = append(v.Prompts, k)
		case "observation":
			v.Log = append(v.Log, k)
		default:
			v.Sections = append(v.Sections, k)
		}
	}
	return byLine
}

func messageView(m gitmem.TranscriptMessage) MessageView {
	v := MessageView{
		ID: m.ID, Anchor: turnMark + strconv.Itoa(m.Line), Speaker: m.Speaker, Line: int32(m.Line), Day: day(m.Time),
		Text: m.Text, Formatted: m.Speaker == "assistant" || m.Speaker == "summary", TakenBack: m.TakenBack,
	}
	if !m.Time.IsZero() {
		v.Clock = m.Time.Format(time.TimeOnly)
	}
	for _, b := range m.Blocks {
		v.Blocks = append(v.Blocks, BlockView{Anchor: v.Anchor + "-" + b.Name, Kind: b.Kind, Title: b.Title, Text: b.Text, Paths: b.Paths, Failed: b.Failed})
	}
	return v
}
