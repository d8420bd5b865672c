package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// TranscriptOptions select the part of a session to read.
type TranscriptOptions struct {
	Line  int // a line in the requested part
	Lines int // length of each part
}

// Transcript is a part of a session's transcript, with everything in the archive about the session.
type Transcript struct {
	Session, Agent string
	Title          string // of its section in the archive, or else the first prompt
	Folder         string // the first working folder, "" if unknown
	Origin         string // the session from which it was forked, whose messages are not repeated; "" for none
	Kept           bool   // the client deleted the transcript, and gitmem kept a copy
	Gone           bool   // there is no transcript any more
	First, Last    int32  // lines of this part
	Lines          int32  // of the whole transcript
	Withheld       int32  // messages of this part that must not be shown
	Skipped        int32  // lines of this part that can't be read
	Messages       []TranscriptMessage
	Archive        []ArchiveEntry
	Caveats        []string
}

// TranscriptMessage is a message of a transcript, without secrets.
type TranscriptMessage struct {
	ID        string // citation id
	Line      int32
	Speaker   string // user, assistant, subagent, tool, program, agent, client, summary or title
	Day       string // "" if the previous message of this part is of the same day
	Clock     string // "" if the time is unknown
	Text      string
	TakenBack bool // on a branch of the conversation that was abandoned
	Blocks    []TranscriptBlock
	Ideas     []ArchiveEntry // derived from it
}

// TranscriptBlock is a thinking block, a call of a tool, a result, a plan or a list of tasks.
type TranscriptBlock struct {
	ID     string // citation id
	Name   string // within its message: tool, tool-2
	Kind   string // tool, result, thinking, plan, todo or title
	Title  string // the tool and its purpose
	Text   string // both ends of a long text
	Paths  []string
	Failed bool
}

// openTranscript is the state of reading a transcript.
type openTranscript struct {
	rd      *Reader
	file    string
	name    string // in its citation ids
	in      *transcript.Handle
	day     string // of the last message
	tree    transcript.Tree
	refused error // why the first refused message is not shown
}

// Transcript reads a part of a session, without what [Reader.Show] refuses. For a session without a transcript it
// returns the archive's entries. The error wraps ErrNotFound if there is neither.
func (rd *Reader) Transcript(ctx context.Context, session string, o TranscriptOptions) (Transcript, error) {
	if !transcript.ValidSessionID(session) {
		return Transcript{}, fmt.Errorf("%w: %.200q is no id of a session", messages.ErrUsage, session)
	}
	p, err := rd.ws.Place(ctx)
	if err != nil {
		return Transcript{}, err
	}
	r, err := rd.src.Resolver(p, true)
	if err != nil {
		return Transcript{}, err
	}
	out := Transcript{Session: session, Gone: true, Messages: []TranscriptMessage{}}
	file, err := r.TranscriptFile(session)
	if err == nil {
		out.Session = cite.TranscriptName(file) // the id may be abbreviated
	}
	out.Agent = transcript.ClientTitle(transcript.ClientOf(out.Session))
	if out.Archive, out.Title, err = rd.archived(ctx, r, out.Session); err != nil {
		return Transcript{}, err
	}
	t := &openTranscript{rd: rd, file: file, name: out.Session}
	switch {
	case rd.src.Hides(string(cite.KindTranscript) + ":" + out.Session):
	case file == "":
		out.Archive = append(out.Archive, rd.typed(ctx, r, out.Session)...)
	default:
		if err := t.read(ctx, r, &out, o); err != nil {
			return Transcript{}, err
		}
		out.Gone, out.Kept = false, workspace.Below(file, rd.ws.KeptDir())
	}
	out.Caveats = messages.Filled(rd.ws.Caveats)
	switch {
	case len(out.Messages) > 0 || len(out.Archive) > 0:
		return out, nil
	case t.refused != nil:
		return Transcript{}, t.refused
	case out.Gone:
		return Transcript{}, fmt.Errorf("session %s: %w", session, cite.ErrNotFound)
	}
	return out, nil
}

// read reads a part.
func (t *openTranscript) read(ctx context.Context, r *cite.Resolver, out *Transcript, o TranscriptOptions) (err error) {
	if t.in, err = r.Stores.Open(t.file); err != nil {
		return err
	}
	defer t.in.Close()
	if t.tree, _, err = t.in.Tree(transcript.Position{}, ""); err != nil {
		return err
	}
	if t.tree.Origin != "" {
		out.Origin = cite.TranscriptName(t.tree.Origin)
	}
	in, err := t.in.Reader(transcript.Position{})
	if err != nil {
		return err
	}
	in.WithTree(t.tree).WithTitles()
	o.Lines = max(o.Lines, 1)
	first := max(o.Line-1, 0) / o.Lines * o.Lines
	if err := in.Pass(first); err != nil {
		return err
	}
	for m, err := range in.All() {
		if err != nil {
			return err
		}
		if m.Line > first+o.Lines {
			break
		}
		switch show, err := t.shows(ctx, m); {
		case err != nil:
			return err
		case show:
			t.add(out, m)
		case m.Role != transcript.RoleTitle:
			out.Withheld++
		}
	}
	out.First, out.Skipped = int32(first+1), int32(in.Stats().Skipped)
	if err := in.Pass(math.MaxInt - 1); err != nil {
		return err
	}
	lines := in.Position().Line
	if first > 0 && lines <= first { // it ends before: use the last part
		o.Line = lines
		return t.read(ctx, r, out, o)
	}
	out.Lines = int32(lines)
	out.Last = min(int32(first+o.Lines), out.Lines)
	return t.begin(ctx, out)
}

// add adds a message that has visible content.
func (t *openTranscript) add(out *Transcript, m transcript.Message) {
	shown := t.shown(m)
	if shown.Text == "" && len(shown.Blocks) == 0 {
		return
	}
	if at := m.Time.In(t.rd.ws.Now().Location()); !m.Time.IsZero() {
		shown.Clock = at.Format(time.TimeOnly)
		if day := at.Format(time.DateOnly); day != t.day {
			shown.Day, t.day = day, day
		}
	}
	for _, e := range out.Archive {
		if e.Kind == string(cite.KindIdea) && e.Line == shown.Line {
			shown.Ideas = append(shown.Ideas, e)
		}
	}
	out.Messages = append(out.Messages, shown)
	if out.Folder == "" {
		out.Folder = t.rd.ws.Redactor.Path(m.Cwd)
	}
}

// beginning is the number of lines at the start of a transcript in which its first prompt is searched.
const beginning = 500

// begin sets a missing title from the first prompt, or else from the first message.
func (t *openTranscript) begin(ctx context.Context, out *Transcript) error {
	if out.Title != "" {
		return nil
	}
	in, err := t.in.Reader(transcript.Position{})
	if err != nil {
		return err
	}
	for m, err := range in.WithTree(t.tree).All() {
		prompt := m.Role == transcript.RoleUser
		switch {
		case err != nil || m.Line > beginning:
			return err
		case m.TakenBack || strings.TrimSpace(m.Text) == "" || !prompt && out.Title != "":
			continue
		}
		show, err := t.shows(ctx, m)
		if err != nil {
			return err
		}
		if show {
			out.Title = cite.Lead(t.rd.ws.Clean(m.Text), firstPromptRunes).Text
		}
		if show && prompt {
			return nil
		}
	}
	return nil
}

// shows reports whether a message may be shown, as in [Reader.Show] and in a digest.
func (t *openTranscript) shows(ctx context.Context, m transcript.Message) (bool, error) {
	rd, id := t.rd, cite.ID{Kind: cite.KindTranscript, Name: t.name, Number: m.Line}
	policy := rd.ws.Policy()
	quotes := m.Role == transcript.RoleTitle && (!policy.Rules.Empty() || len(policy.Pauses) > 0) // may quote hidden text
	if quotes || rd.src.HidesMessage(t.file, m) {
		return false, nil
	}
	err := rd.refuses(ctx, cite.Source{
		ID: id.String(), Source: string(cite.KindTranscript), Time: m.Time,
		Project: rd.ws.Redactor.Path(m.Cwd), Path: rd.ws.Redactor.Path(transcript.StoreOf(t.file)),
	})
	if policy.Err != nil {
		return false, err
	}
	if t.refused == nil {
		t.refused = err
	}
	return err == nil && !rd.ws.Withheld(m.Cwd, ingest.FolderName(t.file), m.Time), nil
}

// refuses returns an error if a source may not be shown, see [Reader.Showable], or is out of reach.
func (rd *Reader) refuses(ctx context.Context, src cite.Source) error {
	if _, err := rd.Showable(src); err != nil {
		return err
	}
	return rd.ws.CheckReach(ctx, src.ID, src.Project)
}

// mostShown is the maximum size of a shown message, in bytes. That of blocks is [cite.Part.Bounded].
const mostShown = 40_000

// shown returns a message without secrets and without forgotten blocks.
func (t *openTranscript) shown(m transcript.Message) TranscriptMessage {
	rd := t.rd
	id := cite.ID{Kind: cite.KindTranscript, Name: t.name, Number: m.Line}.String()
	out := TranscriptMessage{ID: id, Line: int32(m.Line), Speaker: speakerOf(m), TakenBack: m.TakenBack}
	if m.Role != transcript.RoleTitle { // its block has the text
		out.Text = cut(strings.TrimSpace(rd.ws.Clean(m.Text)), id)
	}
	caller := func(call string) (transcript.ToolUse, bool) {
		use, ok, err := transcript.Caller(t.in, m.Offset, call)
		return use, ok && err == nil // without it the title is shorter
	}
	for _, p := range cite.Parts(t.name, m, rd.ws.Redactor) {
		if rd.src.Hides(p.ID.String()) || rd.src.HidesRecord(p.ID.String(), m.UUID) {
			continue
		}
		text := p.Excerpted()
		if i := slices.IndexFunc(m.Tools, func(u transcript.ToolUse) bool {
			return u.ID == p.Call
		}); i >= 0 && p.Type == string(transcript.KindTool) {
			text = strings.TrimSpace(text + "\n\n" + cut(rd.ws.Clean(strings.TrimSpace(m.Tools[i].Written())), p.ID.String()))
		}
		out.Blocks = append(out.Blocks, TranscriptBlock{
			ID: p.ID.String(), Name: p.ID.Fragment, Kind: p.Type, Title: p.Title(caller, rd.ws.Redactor),
			Text: text, Paths: p.Paths, Failed: p.Role == "error",
		})
	}
	return out
}

// cut returns the beginning of a long text, with a note about the omitted part.
func cut(text, id string) string {
	head := messages.ClipBytes(text, mostShown)
	if head == text {
		return text
	}
	return fmt.Sprintf("%s\n\n[… %d bytes left out: gitmem show %s has them]", head, len(text)-len(head), id)
}

// speakerOf returns the speaker of a message.
func speakerOf(m transcript.Message) string {
	switch {
	case m.Sidechain:
		return "subagent"
	case m.Synthetic():
		return string(transcript.RoleClient)
	}
	return string(m.Role)
}

// ArchiveEntry is an entry of memory about a session: its section of the archive, a topic, an idea or a line of its
// log, or a prompt from the client's history for a session without a transcript.
type ArchiveEntry struct {
	ID     string // citation id
	Kind   string // session, topic, idea, prompt, or observation for a log line and other quotes of the archive
	Intent string // of an idea
	State  string // of an idea: open, done, answered, superseded or taken back, "" for none of these
	Title  string // of an idea its topic
	Text   string
	Line   int32 // of the transcript from which an idea comes, 0 if unknown
}

// archived returns the entries of memory about a session, and the title of its section.
func (rd *Reader) archived(ctx context.Context, r *cite.Resolver,
	session string) (list []ArchiveEntry, title string, err error) {
	projects := map[string]bool{}
	hidden := rd.src.Hides(string(cite.KindTranscript) + ":" + session)
	for f, units := range r.OfSession(session) {
		of := cite.Source{ID: f.Path, Layer: cite.LayerSummaries, Path: f.Path, Project: f.Project}
		if f.Area == cite.AreaObservations && hidden || rd.refuses(ctx, of) != nil {
			continue
		}
		projects[f.Project] = true
		for _, u := range rd.src.RememberedUnits(units) {
			src := r.FromUnit(f, u)
			e := ArchiveEntry{ID: src.ID, Kind: src.Source, Intent: u.Intent, State: src.State, Title: src.Title, Text: src.Text,
				Line: int32(u.Turn)}
			switch {
			case e.Kind == string(cite.KindSession):
				title = cmp.Or(title, e.Title)
			case e.Kind == string(cite.KindIdea) && !isIdea(e.Intent):
				e.Kind = string(cite.KindObservation)
			}
			list = append(list, e)
		}
	}
	if !slices.ContainsFunc(list, func(e ArchiveEntry) bool { return e.Kind == string(cite.KindIdea) }) {
		return list, title, nil
	}
	g := rd.graphOf(r, func(project string) bool { return projects[project] })
	states := map[string]string{}
	for _, i := range g.Ideas {
		if i.Session == session {
			states[i.ID], _ = g.State(i)
		}
	}
	for n, e := range list {
		list[n].State = cmp.Or(e.State, states[e.ID])
	}
	return list, title, ctx.Err()
}

// typed returns the prompts of a session in the client's history of prompts.
func (rd *Reader) typed(ctx context.Context, r *cite.Resolver, session string) (list []ArchiveEntry) {
	if r.ConfigRoot == "" {
		return nil
	}
	for m, err := range transcript.All(cite.HistoryFile(r.ConfigRoot)) {
		if err != nil || cite.PromptSession(m) != session { // the file may not exist
			continue
		}
		src := cite.Source{
			ID:     cite.ID{Kind: cite.KindPrompt, Name: session, Number: m.Line}.String(),
			Source: string(cite.KindPrompt), Time: m.Time,
			Project: rd.ws.Redactor.Path(m.Cwd),
		}
		if rd.src.Hides(src.ID) || rd.ws.Withheld(m.Cwd, transcript.ProjectFolder(m.Cwd), m.Time) ||
			rd.refuses(ctx, src) != nil {
			continue
		}
		list = append(list,
			ArchiveEntry{ID: src.ID, Kind: src.Source, Text: cut(cite.MessageText(m, rd.ws.Redactor), src.ID)})
	}
	return list
}
