package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
)

// ContextOptions describe the session that begins.
type ContextOptions struct {
	// Session is the id of the session, whose own content is excluded. "" returns the context that a session would get,
	// and records nothing.
	Session string
	// Source is the way it begins: startup, resume, clear, compact or fork.
	Source string
	// Parts are the names of the requested parts, such as sessions; none means all.
	Parts []string
	// Once means that a session that already received its context gets none.
	Once bool
	// Bytes means that the client limits the bytes of the context, not the characters.
	Bytes bool
}

// Context is the text injected into a session when it begins. The JSON form is a public contract.
type Context struct {
	Text       string        `json:"text"`       // for the model; "" for nothing
	Notice     string        `json:"notice"`     // for the person, on one line
	Characters int           `json:"characters"` // length of the text in UTF-16 units, as counted by the client
	Parts      []ContextPart `json:"parts"`
	Citations  []string      `json:"citations"` // in the order of the text
	Skipped    []string      `json:"skipped"`   // what could not be read, with the reason
	Again      bool          `json:"again"`     // the text equals the one that the session received before
	// Variables are for the environment of the session's shell, such as GITMEM_EDITOR.
	Variables []ContextVariable `json:"variables"`
}

// ContextVariable is an environment variable of a session's shell. The JSON form is a public contract.
type ContextVariable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ContextPart is one part of a session context.
type ContextPart = sessioncontext.Part

// String returns the contents of a session context on one line, with what could not be read; "" for an empty one.
func (c Context) String() string {
	words := slice.Map(c.Parts, func(p ContextPart) string { return fmt.Sprintf("%s %d", p.Name, p.Lines) })
	if c.Again {
		words = append(words, "as before")
	}
	if c.Notice != "" {
		words = append(words, c.Notice)
	}
	out := strings.Join(words, ", ")
	if len(c.Skipped) > 0 {
		out = strings.TrimPrefix(out+"; skipped: "+strings.Join(c.Skipped, "; "), "; ")
	}
	return out
}

// Context returns what a new session in the working folder should know: the user's profile, the last sessions of the
// project, open items, decisions and failures, and the parts of the project's memory that the client does not load
// itself. It reads no index and a limited number of files; older archives are only searched for open items. The same
// state of memory gives the same bytes. A session that continues gets its former text while the state is unchanged, and
// otherwise a text that differs from all earlier ones. While capture is paused the context only states so; an excluded
// place, and one whose rules can't be read, gets none.
func (s *Sessions) Context(ctx context.Context, o ContextOptions) (Context, error) {
	if o.Session != "" {
		if err := CheckID(o.Session); err != nil {
			return Context{}, err
		}
	}
	if s.ws.HasStore() {
		if err := s.ws.Store.Restore(ctx); err != nil {
			s.ws.Options.Warn(plain.Text(err)) // do not prevent the session from starting
		}
	}
	capture, err := s.ws.Capture(ctx)
	if err != nil {
		return Context{}, err
	}
	switch capture.State {
	case workspace.CaptureExcluded:
		return Context{}, fmt.Errorf("%w: %s", workspace.ErrNotCaptured, capture.Detail)
	case workspace.CapturePaused:
		line := "gitmem: capture " + messages.Quotable(s.ws.Clean(capture.Detail))
		return newContext(line, line), nil
	case workspace.CaptureUnreadable:
		return newContext("", "gitmem: "+messages.Quotable(s.ws.Clean(capture.Detail))), nil
	}
	p, err := s.ws.Place(ctx)
	if err == nil && o.Session == "" { // the client's own hook always runs in its working folder
		err = s.ws.CheckReach(ctx, p.DisplayName(), p.Project.ID)
	}
	if err != nil {
		return Context{}, err
	}
	if o.Once && s.told(o.Session) {
		return newContext("", ""), nil
	}
	c := s.compose(ctx, p, o)
	if err := ctx.Err(); err != nil {
		return Context{}, err
	}
	state := transcript.TextHash(c.Text)
	if last, ok := s.lastContext(o, p); ok {
		s.tellApart(&c, last)
	}
	if err := s.saveContext(o, p, c, state); err != nil { // do not prevent the session from starting
		c.Skipped = append(c.Skipped, s.ws.Clean("what was said could not be noted: "+plain.Text(err)))
	}
	return c, nil
}

func newContext(text, notice string) Context {
	return Context{Text: text, Notice: notice, Characters: sessioncontext.UTF16Len(text), Parts: []ContextPart{},
		Citations: []string{}, Skipped: []string{}, Variables: []ContextVariable{}}
}

// contextBuilder collects the contents of one session context.
type contextBuilder struct {
	s        *Sessions
	p        *workspace.Place
	o        ContextOptions
	skipped  []string
	known    []string          // see places
	days     map[string][]byte // listed archive files; nil until read
	answered map[string]bool   // citation ids of ideas that a later one answers or replaces

	older                  []sessioncontext.Session // not listed, but with reported open items and decisions
	opened                 int                      // number of these on days with open items
	learnt                 int                      // approximate UTF-16 units of all learnt facts
	olderOpen, olderLearnt map[string]int           // open and learnt items of still older sessions, by kind
	unread                 []string                 // why the profile or orders can't be read
}

// skip records what is omitted because it can't be read.
func (c *contextBuilder) skip(what string, err error) {
	line := messages.OneLine(c.s.ws.Clean(what+": "+plain.Text(err)), 200)
	if !slices.Contains(c.skipped, line) {
		c.skipped = append(c.skipped, line)
	}
}

// compose builds a new session context.
func (s *Sessions) compose(ctx context.Context, p *workspace.Place, o ContextOptions) Context {
	c := &contextBuilder{
		s: s, p: p, o: o, answered: map[string]bool{}, olderOpen: map[string]int{}, olderLearnt: map[string]int{},
	}
	sessions, more := c.sessions(ctx)
	preferences, variables := c.profile()
	all := append(slices.Clone(sessions), c.older...)
	parts := []sessioncontext.Section{
		sessioncontext.ProfileSection(preferences),
		sessioncontext.SessionSection(sessions, more, c.notes(sessions)),
		sessioncontext.OpenSection(c.tasks(), all, c.olderOpen),
		sessioncontext.LearntSection(c.decisions(), all, c.olderLearnt),
		sessioncontext.MemorySection(c.memory(), s.LoadsOwn(p, o.Session)),
	}
	if len(o.Parts) > 0 {
		parts = slices.DeleteFunc(parts, func(p sessioncontext.Section) bool { return !slices.Contains(o.Parts, p.Name()) })
	}
	layout, size := sessioncontext.Layout, sessioncontext.UTF16Len
	if o.Bytes {
		layout, size = sessioncontext.LayoutInBytes, sessioncontext.Bytes
	}
	text, written, ids := layout(s.ws.Clean(p.DisplayName()), parts)
	if text = s.ws.Clean(text); size(text) > sessioncontext.MaxUnits { // may mask secrets that span lines
		text, written, ids = "", []ContextPart{}, []string{}
		c.skip("the whole", errors.New("too long once secrets were marked"))
	}
	out := newContext(text, c.notice(ctx))
	out.Parts, out.Citations, out.Variables = written, ids, variables
	for _, n := range s.ws.Caveats {
		c.skip("memory", errors.New(n))
	}
	out.Skipped = append(out.Skipped, c.skipped...)
	return out
}

// notice returns what the person should know about the place and the profile when a session begins.
func (c *contextBuilder) notice(ctx context.Context) string {
	text := c.s.forkNotice(c.o, c.p)
	if c.p.Untrusted != nil {
		text = c.p.Untrusted.Error() + "; " + c.p.Allowing()
	}
	parts := append([]string{text, c.s.ws.Misplaced(), c.s.conflicts(), c.s.disputed()}, c.unread...)
	if c.o.Session != "" {
		gone, err := c.s.decay(ctx, c.p)
		if err != nil {
			c.skip("decay of the profile", err)
		}
		dir := workspace.MemoryDir(c.p)
		if c.s.ws.MayCapture(ctx) == nil {
			if err := c.s.src.KeepMemory(ctx, dir); err != nil {
				c.skip("edits of the client's memory", err)
			}
		}
		parts = append(parts, c.foreignOrders(ctx), gone, c.s.src.Untold(dir), c.announcement())
	}
	text = strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
	if text == "" {
		return ""
	}
	return "gitmem: " + messages.Quotable(c.s.ws.Clean(text))
}

// disputed names the files with two versions of something in this session, "" for none.
func (s *Sessions) disputed() string {
	if len(s.ws.Disputed) == 0 {
		return ""
	}
	return "two machines changed the same thing differently in " +
		strings.Join(slices.Sorted(slices.Values(s.ws.Disputed)), ", ") +
		": the items marked [conflict] are the other versions; delete what does not hold"
}

// conflicts names the files with git conflicts, among those that this session reads or that git's index lists, "" for
// none.
func (s *Sessions) conflicts() string {
	files := slices.Clone(s.ws.Conflicted)
	if s.ws.HasStore() {
		unmerged, _ := s.ws.Store.Unmerged() // doctor reports an unreadable index
		for _, u := range unmerged {
			files = append(files, u.Path)
		}
	}
	if len(files) == 0 {
		return ""
	}
	slices.Sort(files)
	return "git left a conflict in " + strings.Join(slices.Compact(files), ", ") +
		", and what is in it is not told; gitmem sync or gitmem doctor --fix settles it"
}

// forkNotice returns a message that is shown once, before anything is recorded for a fork: whose history it shares, and
// how to share the memory too.
func (s *Sessions) forkNotice(o ContextOptions, p *workspace.Place) string {
	if p.Project.Exists || p.Identity.Root == "" {
		return ""
	}
	others := s.ws.SameHistory(p)
	if len(others) == 0 {
		return ""
	}
	mark := filepath.Join(s.ws.IndexDir(), "forks", store.ShortHash(p.Project.ID))
	if _, err := os.Stat(mark); err == nil {
		return ""
	}
	if o.Session != "" && os.MkdirAll(filepath.Dir(mark), 0o700) == nil {
		_ = os.WriteFile(mark, nil, 0o600) // without it the next session repeats the message
	}
	return fmt.Sprintf("%s has the history of %s, and a memory of its own, as a fork has; gitmem project link %s lets "+
		"both count as one",
		p.DisplayName(), strings.Join(others, ", "), others[0])
}
