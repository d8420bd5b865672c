package curate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// BlameLine is one line of memory and where it comes from. The JSON form is a
// public contract.
type BlameLine struct {
	Line    int    `json:"line"`    // counted from 1
	Text    string `json:"text"`    // redacted, without its line end
	Commit  string `json:"commit"`  // that wrote it; "" when it is not committed yet
	Time    string `json:"time"`    // of the commit, RFC 3339
	Session string `json:"session"` // that it comes from, "" when that is not known
	Turn    string `json:"turn"`    // of the session: its transcript line and time, or what the commit says
	Why     string `json:"why"`     // what the commit did
}

// Blamed is a file or a cited part of it, by lines. The JSON form is a public contract.
type Blamed struct {
	Path  string      `json:"path"` // below the root
	ID    string      `json:"id"`   // citation id, "" for a path
	Lines []BlameLine `json:"lines"`
}

// Blame tells for each line of a citation or a file which commit wrote it, in which
// session and why. What the archive says of a line's session wins over the commit,
// which may hold several sessions.
func (h *History) Blame(ctx context.Context, what string) (Blamed, error) {
	if err := h.m.needStore(); err != nil {
		return Blamed{}, err
	}
	t, err := h.m.file(ctx, what)
	if err != nil {
		return Blamed{}, err
	}
	origins, err := h.m.ws.Store.Blame(ctx, "", t.rel)
	if err != nil {
		return Blamed{}, err
	}
	var raw strings.Builder
	for _, o := range origins {
		raw.WriteString(o.Text)
	}
	text := string(h.m.src.Shown(t.rel, []byte(raw.String())))
	turns := turnsOf(t.rel, []byte(text))
	if !t.part {
		t.lines = markdown.Lines{Start: 0, End: len(origins)}
	}
	out := Blamed{Path: h.m.ws.Clean(t.rel), ID: t.id, Lines: []BlameLine{}}
	commits, err := h.m.commitsOf(ctx, origins[min(t.lines.Start, len(origins)):min(t.lines.End, len(origins))])
	if err != nil {
		return Blamed{}, err
	}
	n := 0
	for line := range strings.Lines(text) {
		if n >= t.lines.Start && n < min(t.lines.End, len(origins)) {
			b := BlameLine{Line: n + 1, Text: strings.TrimRight(line, "\r\n"), Commit: origins[n].Commit}
			h.m.explain(&b, commits)
			b.fill(turns[n])
			out.Lines = append(out.Lines, b)
		}
		n++
	}
	return out, nil
}

// commitsOf reads the commits that lines come from.
func (m *Editor) commitsOf(ctx context.Context, origins []store.Origin) (map[string]store.CommitInfo, error) {
	var ids []string
	for _, o := range origins {
		if o.Commit != "" {
			ids = append(ids, o.Commit)
		}
	}
	return m.ws.Store.LookAll(ctx, ids)
}

// explain fills in what the commit of a line tells.
func (m *Editor) explain(b *BlameLine, commits map[string]store.CommitInfo) {
	c, ok := commits[b.Commit]
	if !ok {
		return
	}
	b.Time = c.Time.UTC().Format(time.RFC3339)
	b.Session, b.Turn = m.ws.Clean(trailer(c, "Gitmem-Session")), m.ws.Clean(trailer(c, "Gitmem-Turn"))
	if b.Why = m.src.ShownMessage(trailer(c, "Gitmem-Op")); b.Why == "" {
		b.Why = m.src.ShownMessage(c.Subject)
	}
}

// trailer joins the values of a key of the message.
func trailer(c store.CommitInfo, key string) string {
	var out []string
	for _, t := range c.Trailers {
		if value, ok := strings.CutPrefix(t, key+": "); ok {
			out = append(out, value)
		}
	}
	return strings.Join(out, "; ")
}

// turn is the place in a session that a line of memory comes from.
type turn struct{ session, at string }

func (b *BlameLine) fill(t turn) {
	if t.session != "" {
		if t.session != b.Session {
			b.Turn = ""
		}
		b.Session = t.session
	}
	if t.at != "" {
		b.Turn = t.at
	}
}

// turnsOf reads from a file itself which session and turn its lines come from, by
// line counted from 0: an archived section names its session, and its ideas end
// with a reference such as (L124 14:22).
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
