package browse

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
)

// linesOnPage is how many lines of a transcript are sent per page.
const linesOnPage = 200

// SessionView is a part of a session.
type SessionView struct {
	gitmem.Transcript
	// Sections, Ideas, Log and Prompts are the entries of its archive by kind.
	Sections, Ideas, Log, Prompts []gitmem.ArchiveEntry
	Reopen                        string // the command for it, "" if the client no longer has the session
	EarlierPart, NextPart         string // addresses, or ""
}

// SessionArgs select the part of a session.
type SessionArgs struct {
	ID string
	At string // a line, or a fragment of the page, in the wanted part; "" for the beginning
}

func (s *site) sessionPage(ctx context.Context, r *http.Request, q url.Values) (page, error) {
	v, err := s.session(ctx, SessionArgs{ID: r.PathValue("id"), At: q.Get("at")})
	return page{cmp.Or(v.Title, v.Session, "Session"), "session", v}, err
}

// session returns a part of a session.
func (s *site) session(ctx context.Context, a SessionArgs) (SessionView, error) {
	line, _, _ := strings.Cut(strings.TrimPrefix(a.At, "msg-"), "-")
	n, _ := strconv.ParseInt(line, 10, 32) // an invalid line is the beginning
	t, err := s.m.Data().Transcript(ctx, a.ID, gitmem.TranscriptOptions{Line: int(n), Lines: linesOnPage})
	if err != nil {
		return SessionView{}, err
	}
	v := SessionView{Transcript: t}
	for _, e := range t.Archive {
		switch e.Kind {
		case "idea":
			v.Ideas = append(v.Ideas, e)
		case "prompt":
			v.Prompts = append(v.Prompts, e)
		case "observation":
			v.Log = append(v.Log, e)
		default:
			v.Sections = append(v.Sections, e)
		}
	}
	if len(t.Messages) > 0 && !t.Kept {
		v.Reopen = "gitmem reopen " + t.Messages[0].ID
	}
	part := func(line int32) string { return "/sessions/" + t.Session + "?at=" + strconv.Itoa(int(line)) }
	if t.First > 1 {
		v.EarlierPart = part(t.First - 1)
	}
	if t.Last < t.Lines {
		v.NextPart = part(t.Last + 1)
	}
	return v, nil
}
