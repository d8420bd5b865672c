package curate

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// BlameLine is one line of memory with its origin. The JSON form is a public contract.
type BlameLine struct {
	Line    int    `json:"line"`    // counted from 1
	Text    string `json:"text"`    // redacted, without its line end
	Commit  string `json:"commit"`  // that wrote it; "" if it is uncommitted
	Time    string `json:"time"`    // of the commit, RFC 3339
	Session string `json:"session"` // session that the line comes from, "" if unknown
	Turn    string `json:"turn"`    // transcript line and time in the session, or the commit's description
	Why     string `json:"why"`     // what the commit did
}

// Blamed is the blame of a file or of a cited part of it. The JSON form is a public contract.
type Blamed struct {
	Path  string      `json:"path"` // below the root
	ID    string      `json:"id"`   // citation id, "" for a path
	Lines []BlameLine `json:"lines"`
}

// Blame returns for each line of a citation or a file the commit that wrote it, the session, and the reason. The
// session in the archive takes precedence over that of the commit, which may contain several sessions.
func (ed *Editor) Blame(ctx context.Context, what string) (Blamed, error) {
	if err := ed.needStore(); err != nil {
		return Blamed{}, err
	}
	t, err := ed.file(ctx, what)
	if err != nil {
		return Blamed{}, err
	}
	origins, err := ed.ws.Store.Blame(ctx, "", t.rel)
	if err != nil {
		return Blamed{}, err
	}
	var raw strings.Builder
	for _, o := range origins {
		raw.WriteString(o.Text)
	}
	text := string(ed.src.Shown(t.rel, []byte(raw.String())))
	turns := turnsOf(t.rel, []byte(text))
	if !t.part {
		t.lines = markdown.Lines{Start: 0, End: len(origins)}
	}
	out := Blamed{Path: ed.ws.Clean(t.rel), ID: t.id, Lines: []BlameLine{}}
	commits, err := ed.commitsOf(ctx, origins[min(t.lines.Start, len(origins)):min(t.lines.End, len(origins))])
	if err != nil {
		return Blamed{}, err
	}
	n := 0
	for line := range strings.Lines(text) {
		if n >= t.lines.Start && n < min(t.lines.End, len(origins)) {
			out.Lines = append(out.Lines, ed.newBlameLine(origins[n], strings.TrimRight(line, "\r\n"), commits, turns[n]))
		}
		n++
	}
	return out, nil
}

// commitsOf reads the commits of the lines.
func (ed *Editor) commitsOf(ctx context.Context, origins []store.Origin) (map[string]store.CommitInfo, error) {
	var ids []string
	for _, o := range origins {
		if o.Commit != "" {
			ids = append(ids, o.Commit)
		}
	}
	return ed.ws.Store.LookAll(ctx, ids)
}

// trailer joins the values of a trailer key in the message.
func trailer(c store.CommitInfo, key string) string {
	var out []string
	for _, t := range c.Trailers {
		if value, ok := strings.CutPrefix(t, key+": "); ok {
			out = append(out, value)
		}
	}
	return strings.Join(out, "; ")
}

// turn is the position in a session that a line of memory comes from.
type turn struct{ session, at string }

// newBlameLine combines what the commit and the file itself record about a line. The file takes precedence.
func (ed *Editor) newBlameLine(o store.Origin, text string, commits map[string]store.CommitInfo, t turn) BlameLine {
	b := BlameLine{Line: o.Line, Text: text, Commit: o.Commit}
	if c, ok := commits[o.Commit]; ok {
		b.Time = c.Time.UTC().Format(time.RFC3339)
		b.Session, b.Turn = ed.ws.Clean(trailer(c, "Gitmem-Session")), ed.ws.Clean(trailer(c, "Gitmem-Turn"))
		b.Why = cmp.Or(ed.src.ShownMessage(trailer(c, "Gitmem-Op")), ed.src.ShownMessage(c.Subject))
	}
	if t.session != "" && t.session != b.Session {
		b.Session, b.Turn = t.session, ""
	}
	b.Turn = cmp.Or(t.at, b.Turn)
	return b
}

// turnsOf returns the sessions and turns of a file's lines, by 0-based line, from the file itself: an archived section
// names its session, and its ideas end with a reference such as (L124 14:22).
func turnsOf(rel string, text []byte) map[int]turn {
	out := map[int]turn{}
	units, _ := cite.Units(cite.File{Path: rel, Area: cite.AreaOf(rel)}, text)
	for _, u := range units {
		if u.Session == "" {
			continue
		}
		lines := linesOf(text, u.Span)
		for i := lines.Start; i < lines.End; i++ {
			out[i] = turn{session: u.Session}
		}
	}
	if cite.AreaOf(rel) != cite.AreaArchive {
		return out
	}
	for _, idea := range markdown.Parse(text).Ideas {
		if idea.Refs.Line == 0 {
			continue
		}
		lines := linesOf(text, idea.Span)
		for i := lines.Start; i < lines.End; i++ {
			out[i] = turn{out[i].session, strings.TrimSpace(fmt.Sprintf("L%d %s", idea.Refs.Line, idea.Refs.Time))}
		}
	}
	return out
}
