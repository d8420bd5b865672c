package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// sessionPart describes a session from its complete transcript, or from its archived section if the transcript was
// deleted. It is longer for a single session; with open set it lists only open items.
func (e *Engine) sessionPart(
	ctx context.Context, s *query.Session, alone, open bool, a *draft,
) (string, []answer.Citation) {
	if s.File != "" {
		d, err := e.Sessions.Digest(s.File)
		if err == nil && !d.Trivial() {
			d.Leave()
			if w := e.digestPart(ctx, s, d, alone, open); len(w.citations) > 0 || open {
				return w.text(), w.citations
			}
		}
		if err != nil && !errors.Is(err, cite.ErrNotFound) {
			a.Caveats = append(a.Caveats, fmt.Sprintf("Session %s could not be read: %v", s.ID, err))
		}
	}
	if s.Archive.Doc.ID == "" || open { // ideas show the open items
		return "", nil
	}
	return e.archivePart(ctx, s.Archive)
}

// archivePart quotes the first passage of an archived section.
func (e *Engine) archivePart(ctx context.Context, hit search.Hit) (string, []answer.Citation) {
	src, err := e.Evidence.Fetch(hit)
	first := firstPassage(src)
	if err == nil && first.Text == "" {
		return "", nil
	}
	c, ok := e.checked(ctx, src, first, err)
	if !ok {
		return "", nil
	}
	return fmt.Sprintf("- **%s** (%s) [%s]\n  > %s", src.Title, src.Time.Format(time.DateOnly), c.ID, c.Excerpt),
		[]answer.Citation{c}
}

// sessionGroups groups the sentences of a session by their intents.
var sessionGroups = [...]struct {
	name  string
	marks []string
}{
	{"decided", []string{markdown.IntentDecision}},
	{"failed", []string{markdown.IntentFailed, markdown.IntentBug, markdown.IntentProblem}},
	{"warning", []string{markdown.IntentLesson, markdown.IntentConclusion}},
	{groupOpen, []string{markdown.IntentTodo}},
}

const (
	groupOpen   = "open"
	mostOfAlone = 3 // sentences per group and topic if the answer has only one session
	mostWritten = 6 // files listed per session
)

// sessionText builds the text about a session.
type sessionText struct {
	e         *Engine
	name      string // of the transcript
	lines     []string
	citations []answer.Citation
}

// text returns all lines, or "" if nothing is cited.
func (w *sessionText) text() string {
	if len(w.citations) == 0 {
		return ""
	}
	return strings.Join(w.lines, "\n")
}

// digestPart writes a session's digest: its subject, its outcome and, by topic, what was decided, failed and is open.
func (e *Engine) digestPart(ctx context.Context, s *query.Session, d transcript.Digest, alone, open bool) *sessionText {
	w := &sessionText{e: e, name: cite.TranscriptName(s.File)}
	start := d.Start.In(e.Now.Location()).Format("2006-01-02 15:04")
	w.lines = append(w.lines, fmt.Sprintf("- **%s**, %s, %s, branch %s", start,
		inProject(s.Newest.Doc.Project), messages.Plural(d.Prompts, "prompt"), cmp.Or(d.Branch, "unknown")))
	prompts := d.Quotes[markdown.IntentWork]
	if !open && len(prompts) > 0 {
		w.quote(ctx, "  - asked", prompts[0])
		if len(prompts) > 1 {
			w.quote(ctx, "  - last asked", prompts[len(prompts)-1])
		}
	}
	if !open {
		w.quote(ctx, "  - outcome", d.Outcome)
	}
	most := 1
	if alone || open {
		most = mostOfAlone
	}
	archived := s.Archive.Doc.ID != "" // the archive tracks the open items
	topics := slices.DeleteFunc(slices.Clone(d.Topics), func(t transcript.Topic) bool { return t.Part })
	for i, t := range append([]transcript.Topic{{}}, topics...) {
		end, heading := math.MaxInt, ""
		if i < len(topics) {
			end = topics[i].Line
		}
		if len(topics) > 1 && t.Title != "" {
			heading = "  - **" + t.Title + "**"
		}
		w.topic(ctx, d, heading, t.Line, end, func(group string) int {
			if group == groupOpen && archived || group != groupOpen && open {
				return 0
			}
			return most
		})
	}
	if len(d.Writes) > 0 && !open {
		w.lines = append(w.lines, "  - files: "+strings.Join(messages.Capped(d.Writes, mostWritten), ", "))
	}
	return w
}

// topic writes the quotes between two transcript lines by group, below an optional heading.
func (w *sessionText) topic(
	ctx context.Context, d transcript.Digest, heading string, from, to int, most func(group string) int,
) {
	lines, indent := w.lines, "  - "
	if heading != "" {
		w.lines, indent = append(slices.Clip(w.lines), heading), "    - "
	}
	before := len(w.lines)
	for _, g := range sessionGroups {
		n := most(g.name)
		for _, mark := range g.marks {
			for _, q := range d.Quotes[mark] {
				if q.Line >= from && q.Line < to && n > 0 && w.quote(ctx, indent+g.name, q) {
					n--
				}
			}
		}
	}
	if len(w.lines) == before {
		w.lines = lines
	}
}

// quote writes a line with a quote unless it exists already, and reports whether it did.
func (w *sessionText) quote(ctx context.Context, label string, q transcript.Quote) bool {
	if q.Text == "" {
		return false
	}
	src, err := w.e.Evidence.Resolve(ctx, cite.ID{Kind: cite.KindTranscript, Name: w.name, Number: q.Line,
		Fragment: q.Block}.String())
	if err != nil {
		w.e.lost.add(err)
		return false
	}
	lead := cite.Quotes(src.Text, 1, excerptRunes, overlap(q.Text))
	if len(lead) == 0 || slices.ContainsFunc(w.citations, func(c answer.Citation) bool {
		return c.ID == src.ID && strings.Contains(c.Excerpt, lead[0].Text)
	}) {
		return false
	}
	c := src.Citation(1)
	c.Excerpt = lead[0].Text
	w.citations, w.lines = append(w.citations, c), append(w.lines, fmt.Sprintf("%s: %s [%s]", label, c.Excerpt, c.ID))
	return true
}

// overlap returns a weight for passages by the number of words shared with a quote. Every passage has a positive
// weight, since every text has a lead.
func overlap(text string) cite.Weigh {
	want := plainWords(text)
	return func(p string) float64 {
		n := 0.1
		for _, w := range plainWords(p) {
			if slices.Contains(want, w) {
				n++
			}
		}
		return n
	}
}
