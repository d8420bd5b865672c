package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
)

// Limits for the text added to a prompt.
const (
	recallItems = 5
	recallChars = 2000
)

// Recaller selects what to add to prompts during one call.
type Recaller struct {
	ws       *workspace.Workspace
	src      *ingest.Sources
	reader   *query.Reader
	sessions *session.Sessions
}

// New returns a Recaller for one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader, sessions *session.Sessions) *Recaller {
	return &Recaller{ws: ws, src: src, reader: reader, sessions: sessions}
}

// RecallOptions contain the prompt and its session.
type RecallOptions struct {
	// Session is the client's session: its own content and what [Recaller.MarkRecalled] recorded for it are omitted. ""
	// omits nothing.
	Session string
	Prompt  string
}

// Recalled is the content of memory related to a prompt.
type Recalled struct {
	// Items are the passages, best first, each with the words quoted in Text.
	Items []answer.Citation
	// Text lists them for a model: a heading, and a line for each that quotes it as data. It is "" if nothing is relevant.
	Text string
	// Notice names the sources of Items to a person, on one line of at most 160 columns. It is "" if there are none, and
	// with recall_notice: off.
	Notice string
	// Nothing is the reason if there are none.
	Nothing string
	// Note states the author of Text if a model was asked to write it.
	Note string
}

// Recall finds content of memory related to a prompt, for a hook that passes it to the model: mostly nothing. It reads
// the indexes without updating them. If the session is paused or excluded the error wraps [ErrNotCaptured].
func (s *Recaller) Recall(ctx context.Context, o RecallOptions) (Recalled, error) {
	if s.ws.Options.Getenv("GITMEM_CHILD") != "" {
		return Recalled{Nothing: "asked by gitmem itself"}, nil
	}
	if ask.Trivial(messages.ClipBytes(o.Prompt, 2000)) {
		return Recalled{Nothing: "trivial prompt"}, nil
	}
	if transcript.IsNotice(o.Prompt) {
		return Recalled{Nothing: "no prompt: a notice of the client or of another agent"}, nil
	}
	switch c, err := s.ws.Capture(ctx); {
	case err != nil:
		return Recalled{}, err
	case c.State == workspace.CaptureUnreadable:
		return Recalled{}, s.ws.Policy().Err
	case c.State == workspace.CapturePaused, c.State == workspace.CaptureExcluded:
		return Recalled{}, fmt.Errorf("%w: %s", workspace.ErrNotCaptured, c.Detail)
	case !s.ws.Policy().Config.Recall:
		return Recalled{Nothing: "recall: off in " + s.ws.FileOf(func(c config.Config) bool { return !c.Recall })}, nil
	}
	found, err := s.relevant(ctx, o)
	if err != nil {
		return Recalled{}, err
	}
	return s.render(o, found), nil
}

// relevant returns the passages for a prompt, best first.
func (s *Recaller) relevant(ctx context.Context, o RecallOptions) ([]answer.Citation, error) {
	p := ask.ReadPrompt(o.Prompt)
	if len(p.Parts) == 0 {
		return nil, nil
	}
	here, err := s.ws.Place(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.recallView(here, o.Session)
	if err != nil {
		return nil, err
	}
	defer ingest.CloseAll(r.Snaps)
	e := ask.Engine{Evidence: r, Vocabulary: r, Now: s.ws.Now(), Clock: s.ws.Options.Now}
	known := ask.Known{Docs: func(term string) int { return r.docs(ctx, term) }, Total: r.total()}
	return e.Recall(ctx, p, known, search.Query{
		Projects: r.InScope, Except: o.Session, Conditions: onlyStatements(), Ranker: s.reader.Ranker(), Frugal: true,
	})
}

// render formats the passages.
func (s *Recaller) render(o RecallOptions, found []answer.Citation) Recalled {
	if len(found) == 0 {
		return Recalled{Nothing: "nothing relevant"}
	}
	known := session.InjectedSet{}
	if o.Session != "" {
		known = s.sessions.Injected(o.Session)
	}
	list, ordering := recallText{limit: recallChars}, injectionPattern()
	var out Recalled
	for _, c := range found {
		c.Title, c.Excerpt = messages.PlainLine(s.ws.Clean(c.Title), titleRunes),
			messages.PlainLine(sessioncontext.Excerpt(s.ws.Clean(c.Excerpt), c.Trust, excerptRunes), excerptRunes)
		if s.src.Hides(c.ID) || known.Has(c.ID) || known.Has(c.Excerpt) || c.Excerpt == "" ||
			ordering.MatchString(c.Title+" "+c.Excerpt) {
			continue
		}
		if len(out.Items) == recallItems || !list.add(c) {
			break
		}
		out.Items = append(out.Items, c)
	}
	if len(out.Items) == 0 {
		return Recalled{Nothing: "nothing that the session was not told"}
	}
	out.Text = list.String()
	if s.ws.Policy().Config.RecallNotice {
		out.Notice = recallNotice(out.Items)
	}
	return out
}

// MarkRecalled records what was recalled for a session, so that it is not repeated.
func (s *Recaller) MarkRecalled(session string, r Recalled) error {
	var keys []string
	for _, c := range r.Items {
		keys = append(keys, c.ID, c.Excerpt)
	}
	return s.sessions.MarkInjected(session, keys)
}

// Synthesise replaces the text by sentences from say, a model, and the items by the passages that these cite; without
// sentences it returns the recalled list unchanged.
func (s *Recaller) Synthesise(ctx context.Context, prompt string, r Recalled,
	say func(ctx context.Context, prompt, quoted string, found []answer.Citation) (string, error)) (Recalled, error) {
	sentences, err := say(ctx, prompt, r.Text, r.Items)
	switch {
	case err != nil || sentences == "":
		return r, err
	case injectionPattern().MatchString(sentences):
		return r, errors.New("what the model says speaks to a model")
	}
	r.Items = slices.DeleteFunc(slices.Clone(r.Items), func(c answer.Citation) bool {
		return !strings.Contains(sentences, "["+c.ID+"]")
	})
	if r.Notice != "" {
		r.Notice = recallNotice(r.Items)
	}
	r.Text, r.Note = synthesisHeading, "; in a model's words"
	for line := range strings.Lines(sentences) {
		r.Text += "- " + messages.PlainLine(line, recallChars) + "\n"
	}
	return r, nil
}

// IDs returns the citation ids of the passages, separated by blanks.
func (r Recalled) IDs() string {
	ids := slice.Map(r.Items, func(c answer.Citation) string { return c.ID })
	return strings.Join(slices.Compact(ids), " ")
}
