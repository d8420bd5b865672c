package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/greet"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/wording"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// GreetOptions say which session begins, and how.
type GreetOptions struct {
	// Session is the one that begins: it is told nothing of itself. "" is nobody's:
	// what a session would be told is looked at, and nothing is noted.
	Session string
	// Source is how it begins: startup, resume, clear, compact or fork.
	Source string
}

// Greeting is what a session is told when it begins. The JSON form is a public
// contract.
type Greeting struct {
	Text       string      `json:"text"`       // for the model; "" where there is nothing to tell
	Notice     string      `json:"notice"`     // for the person, on one line
	Characters int         `json:"characters"` // of the text, in UTF-16 units, as the client counts
	Parts      []GreetPart `json:"parts"`
	Citations  []string    `json:"citations"` // in the order of the text
	Skipped    []string    `json:"skipped"`   // what could not be read, and why
	Again      bool        `json:"again"`     // the text is what the session was told before
}

// GreetPart is one part of a greeting.
type GreetPart = greet.Part

// String tells in a line what a greeting holds, and what could not be read; "" for
// an empty one.
func (g Greeting) String() string {
	var words []string
	for _, p := range g.Parts {
		words = append(words, fmt.Sprintf("%s %d", p.Name, p.Lines))
	}
	if g.Again {
		words = append(words, "as before")
	}
	if g.Notice != "" {
		words = append(words, g.Notice)
	}
	out := strings.Join(words, ", ")
	if len(g.Skipped) > 0 {
		out = strings.TrimPrefix(out+"; skipped: "+strings.Join(g.Skipped, "; "), "; ")
	}
	return out
}

// Greet tells what a session that begins here should know: the last sessions of the
// project, what is open, what was decided and what failed, and what the client does
// not load of the project's memory itself. It reads a bounded number of files and no
// index. The same state of things gives the same bytes, and a session that goes on
// is told what it was told before. Where capture is paused it says so and nothing
// else; an excluded place, and one whose rules can't be read, gets nothing.
func (s *Sessions) Greet(ctx context.Context, o GreetOptions) (Greeting, error) {
	if o.Session != "" && !transcript.ValidSessionID(o.Session) {
		return Greeting{}, fmt.Errorf("%w: session id %q", wording.ErrUsage, wording.Clip(o.Session, 40))
	}
	capture, err := s.ws.Capture(ctx)
	if err != nil {
		return Greeting{}, err
	}
	switch capture.State {
	case workspace.CaptureExcluded:
		return Greeting{}, fmt.Errorf("%w: %s", workspace.ErrNotCaptured, capture.Detail)
	case workspace.CapturePaused:
		line := "gitmem: capture " + wording.Quotable(s.ws.Clean(capture.Detail))
		return newGreeting(line, line), nil
	case workspace.CaptureUnreadable:
		return newGreeting("", "gitmem: "+wording.Quotable(s.ws.Clean(capture.Detail))), nil
	}
	p, err := s.ws.Place(ctx)
	if err == nil && o.Session == "" { // the client's own hook tells of the folder it works in
		err = s.ws.MayTell(ctx, p.Called(), p.Project.ID)
	}
	if err != nil {
		return Greeting{}, err
	}
	if text, ok := s.saidBefore(o, p); ok {
		g := newGreeting(text, "")
		g.Again, g.Citations = true, greet.CitedIn(text)
		if o.Source == "fork" { // which may be resumed by its own name
			s.tryNoteSaid(o, p, &g)
		}
		return g, ctx.Err()
	}
	g := s.compose(ctx, p, o)
	if err := ctx.Err(); err != nil {
		return Greeting{}, err
	}
	s.tryNoteSaid(o, p, &g)
	return g, nil
}

// tryNoteSaid tells of what goes wrong, and no more: the session is to begin.
func (m *Sessions) tryNoteSaid(o GreetOptions, p *workspace.Place, g *Greeting) {
	if err := m.noteSaid(o, p, *g); err != nil {
		g.Skipped = append(g.Skipped, m.ws.Clean("what was said could not be noted: "+plain.Text(err)))
	}
}

func newGreeting(text, notice string) Greeting {
	return Greeting{Text: text, Notice: notice, Characters: greet.UTF16Len(text), Parts: []GreetPart{}, Citations: []string{}, Skipped: []string{}}
}

// greeter gathers what one greeting is made of.
type greeter struct {
	m        *Sessions
	ctx      context.Context
	p        *workspace.Place
	o        GreetOptions
	files    *os.Root // of the store; nil where there is none
	skipped  []string
	known    []string        // see places
	answered map[string]bool // citations of ideas that a later one answers or replaces
}

// skip notes what is left out since it can't be read.
func (g *greeter) skip(what string, err error) {
	line := wording.OneLine(g.m.ws.Clean(what+": "+plain.Text(err)), 200)
	if !slices.Contains(g.skipped, line) {
		g.skipped = append(g.skipped, line)
	}
}

// compose writes a greeting anew.
func (m *Sessions) compose(ctx context.Context, p *workspace.Place, o GreetOptions) Greeting {
	g := &greeter{m: m, ctx: ctx, p: p, o: o, answered: map[string]bool{}}
	root, err := os.OpenRoot(m.ws.Root)
	switch {
	case err == nil:
		g.files = root
		defer root.Close()
	case !os.IsNotExist(err):
		g.skip("memory", err)
	}
	sessions, more := g.sessions()
	parts := []greet.Section{
		greet.SessionSection(sessions, more),
		greet.OpenSection(g.tasks(), sessions),
		greet.LearntSection(sessions),
		greet.MemorySection(g.memory()),
	}
	text, told, ids := greet.Layout(m.ws.Clean(p.Called()), parts)
	if text = m.ws.Clean(text); greet.UTF16Len(text) > greet.Most { // marks of secrets that only the whole shows
		text, told, ids = "", []GreetPart{}, []string{}
		g.skip("the whole", errors.New("too long once secrets were marked"))
	}
	out := newGreeting(text, g.notice())
	out.Parts, out.Citations = told, ids
	for _, n := range m.ws.Caveats {
		g.skip("memory", errors.New(n))
	}
	out.Skipped = append(out.Skipped, g.skipped...)
	return out
}

// notice is what the person should know of the place when a session begins.
func (g *greeter) notice() string {
	text := g.m.forkNotice(g.o, g.p)
	if g.p.Untrusted != nil {
		text = g.p.Untrusted.Error() + "; " + g.p.Allowing()
	}
	if text == "" {
		return ""
	}
	return "gitmem: " + wording.Quotable(g.m.ws.Clean(text))
}

// forkNotice is what is said once, before anything is recorded of a fork: whose history
// it shares, and how to share the memory too.
func (m *Sessions) forkNotice(o GreetOptions, p *workspace.Place) string {
	if p.Project.Exists || p.Identity.Root == "" {
		return ""
	}
	others := m.ws.SameHistory(p)
	if len(others) == 0 {
		return ""
	}
	mark := filepath.Join(m.ws.IndexDir(), "forks", store.ShortHash(p.Project.ID))
	if _, err := os.Stat(mark); err == nil {
		return ""
	}
	if o.Session != "" && os.MkdirAll(filepath.Dir(mark), 0o700) == nil {
		_ = os.WriteFile(mark, nil, 0o600) // without it the next session says so again
	}
	return fmt.Sprintf("%s has the history of %s, and a memory of its own, as a fork has; gitmem project link %s lets both count as one",
		p.Called(), strings.Join(others, ", "), others[0])
}
