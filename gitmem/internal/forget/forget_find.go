package forget

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers"
)

// shortest is the minimum length of words that are searched literally in the whole history.
const shortest = 4

// find sorts the arguments into citations, lines and words.
func (f *Forgetting) find(ctx context.Context, what []string) error {
	if len(what) == 0 {
		f.what = []string{"again"}
		return nil
	}
	if slices.ContainsFunc(what, func(w string) bool { return !f.isCitation(ctx, w) }) {
		return f.words(ctx, strings.Join(what, " "))
	}
	for _, w := range what {
		err := f.citation(ctx, strings.Trim(w, "[]`"))
		if errors.Is(err, messages.ErrNotFound) && len(what) > 1 {
			f.Missing = append(f.Missing, f.forgetter.ws.Clean(plain.Text(err)))
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *Forgetting) isCitation(ctx context.Context, w string) bool {
	w = strings.Trim(w, "[]`")
	if strings.ContainsAny(w, " \t\n\"") {
		return false
	}
	if _, _, ok := f.fileLine(ctx, w); ok || isForeign(w) || isWholeTranscript(w) {
		return true
	}
	_, err := cite.Parse(w)
	return err == nil && strings.Contains(w, ":") // a bare word of hex digits is a word
}

// isForeign reports whether a citation names a fetched source, other than a commit.
func isForeign(w string) bool {
	kind, rest, _ := strings.Cut(w, ":")
	return rest != "" && kind != providers.Git && slices.Contains(providers.Kinds(), kind)
}

// isWholeTranscript reports whether a citation names a whole transcript.
func isWholeTranscript(w string) bool {
	session, ok := strings.CutPrefix(w, string(cite.KindTranscript)+":")
	return ok && !strings.Contains(session, ":") && transcript.ValidSessionID(session)
}

// fileLine parses "<path>:<line>" of a file of memory.
func (f *Forgetting) fileLine(ctx context.Context, w string) (rel string, line int, ok bool) {
	name, line, ok := workspace.CutLine(w)
	if !ok || !strings.HasSuffix(name, ".md") {
		return "", 0, false
	}
	for _, rel := range f.forgetter.ws.MemoryPaths(ctx, name) {
		if _, err := f.forgetter.ws.Store.Read("", rel); err == nil {
			return rel, line, true
		}
	}
	return "", 0, false
}

// wholeTranscript returns the citation of a transcript with the full id of its session. If the transcript was deleted,
// the given id is used.
func (f *Forgetting) wholeTranscript(ctx context.Context, w string) (string, error) {
	p, err := f.forgetter.ws.Place(ctx)
	if err != nil {
		return "", err
	}
	r, err := f.forgetter.src.Resolver(p, false)
	if err != nil {
		return "", err
	}
	name := strings.TrimPrefix(w, string(cite.KindTranscript)+":")
	file, err := r.TranscriptFile(name)
	switch {
	case err == nil:
		return string(cite.KindTranscript) + ":" + cite.TranscriptName(file), nil
	case len(name) == len(transcript.ShortID(name)):
		return "", fmt.Errorf("%s: %w: no session, or several, have an id that begins so; give the whole id", w,
			messages.ErrNotFound)
	}
	return w, nil
}

// keeper describes where the client stores the transcript of a session.
func (f *Forgetting) keeper(session string) string {
	if agent := transcript.ClientOf(session); agent != transcript.ClaudeCode {
		file := transcript.StoreOf(f.forgetter.ws.Stores().Find(session))
		return strings.TrimSuffix(transcript.ClientTitle(agent)+" keeps the session in "+file, " in ")
	}
	return "the client keeps the transcript under " + f.forgetter.ws.ClientDir
}

func (f *Forgetting) citation(ctx context.Context, w string) (err error) {
	if rel, line, ok := f.fileLine(ctx, w); ok {
		return f.line(rel, line)
	}
	if isForeign(w) {
		f.hide(w, "it lies on the server that it was fetched from and belongs to whoever keeps it there")
		return nil
	}
	if isWholeTranscript(w) {
		if w, err = f.wholeTranscript(ctx, w); err != nil {
			return err
		}
		f.hide(w, f.keeper(strings.TrimPrefix(w, string(cite.KindTranscript)+":"))+"; deleting it there is up to you")
		f.dropKept(strings.TrimPrefix(w, string(cite.KindTranscript)+":"))
		return nil
	}
	id, err := cite.Parse(w)
	if err != nil {
		return fmt.Errorf("%w: %w", messages.ErrUsage, err)
	}
	switch id.Kind {
	case cite.KindTranscript, cite.KindPrompt, cite.KindCommit, cite.KindRules, cite.KindPlan:
		return f.source(ctx, id)
	case cite.KindProfile, cite.KindOrder: // hiding the path would also hide later values
		return &messages.Refusal{Reason: w + " is a value of the profile, which may be said again", Err: messages.ErrUsage,
			Advice: fmt.Sprintf("take it out with gitmem profile rm %s; its words in double quotes, with --history, take them "+
				"out of every commit", id.Name)}
	}
	return f.unit(ctx, id)
}

// source hides a source that gitmem does not own.
func (f *Forgetting) source(ctx context.Context, id cite.ID) error {
	src, err := f.forgetter.reader.LookUp(ctx, id.String(), "")
	if errors.Is(err, messages.ErrNotFound) && f.cutter.Set.HasUnit(id.String(), "") {
		return nil // already hidden
	}
	if err != nil {
		return err
	}
	where := "the rules file " + src.Path + " belongs to you or your team; edit it there"
	switch id.Kind {
	case cite.KindTranscript:
		where = "the client's transcript " + src.Path + " still holds it; deleting it there is up to you"
		if workspace.Below(src.Path, f.forgetter.ws.KeptDir()) {
			where = "it was in the copy " + src.Path + " that gitmem kept"
		}
		f.dropKept(cmp.Or(src.Session, id.Name))
		f.hideTypedPrompts(src)
	case cite.KindPrompt:
		where = "the client's prompt history " + src.Path + " still holds it; deleting it there is up to you"
	case cite.KindPlan:
		where = "the client keeps the plan " + src.Path + "; deleting it there is up to you"
	case cite.KindCommit:
		where = "it is in the history of the repository, which is its owners'; gitmem never rewrites that"
	}
	f.hide(src.ID, where)
	if of, err := cite.Parse(src.ID); err == nil && id.Kind == cite.KindTranscript {
		if unit := ingest.RecordUnit(of.Name, src.UUID, of.Fragment); unit != "" { // its line may become another record
			f.tombstones[len(f.tombstones)-1] = f.builder().Unit(unit, "")
		}
	}
	f.texts = append(f.texts, src.Text)
	return nil
}

// hideTypedPrompts hides the prompt history entries of a removed record, which would be found after the transcript is
// deleted.
func (f *Forgetting) hideTypedPrompts(src cite.Source) {
	file := cite.HistoryFile(f.forgetter.ws.ClientDir)
	r, err := os.Open(file)
	if err != nil {
		return // without a history nothing can be found
	}
	defer r.Close()
	for p, err := range transcript.NewReader(r, transcript.Position{}).All() {
		if err != nil {
			f.forgetter.ws.Caveat("%s could not be read to the end and may still say it: %v", file, err)
			return
		}
		if p.Session == src.Session && cite.MessageText(p, f.forgetter.ws.Redactor) == strings.TrimSpace(src.Text) {
			id := cite.ID{Kind: cite.KindPrompt, Name: cite.PromptSession(p), Number: p.Line}
			f.hide(id.String(), "the client's prompt history "+file+" still holds it; deleting it there is up to you")
		}
	}
}

func (f *Forgetting) hide(id, where string) {
	f.Hidden = append(f.Hidden, HiddenSource{id, where})
	f.tombstones = append(f.tombstones, f.builder().Unit(id, ""))
	f.what = append(f.what, withoutWords(id))
}

// withoutWords returns a citation without parts that may contain words of the text: slugs of headings and names of
// decisions and tasks.
func withoutWords(id string) string {
	c, err := cite.Parse(id)
	if err != nil {
		return id
	}
	switch c.Kind {
	case cite.KindDecision, cite.KindTask:
		return string(c.Kind)
	case cite.KindMemory, cite.KindRules, cite.KindPlan:
		c.Fragment = ""
	}
	return c.String()
}

// line selects one line of a file.
func (f *Forgetting) line(rel string, line int) error {
	b, err := f.forgetter.ws.Store.Read("", rel)
	if err != nil {
		return err
	}
	at := f.forgetter.src.FileOf(f.forgetter.ws.Folders(), rel)
	for _, p := range tombstone.Pieces(at, b, f.forgetter.ws.Redactor) {
		if line >= p.Line && line < p.Line+strings.Count(strings.TrimSuffix(p.Raw, "\n"), "\n")+1 {
			f.piece(p, at)
			f.what = append(f.what, withoutWords(p.ID))
			return nil
		}
	}
	return fmt.Errorf("%s line %d holds nothing that can be forgotten by itself: %w", rel, line, messages.ErrNotFound)
}

func (f *Forgetting) piece(p tombstone.Piece, at cite.File) {
	f.tombstones = append(f.tombstones, f.builder().Tombstones(p, at.Project)...)
	f.texts = append(f.texts, p.Text)
}

// unit finds a unit of memory in the files, or otherwise in the history.
func (f *Forgetting) unit(ctx context.Context, id cite.ID) error {
	look := &unitSearch{f: f, folders: f.forgetter.ws.Folders(), id: id.String()}
	for at, b := range f.forgetter.memory() {
		look.File(at.Path, b)
	}
	if !look.found && id.Kind == cite.KindObservation { // its log may have been compacted
		logs := f.forgetter.src.RemovedLogs(id.Name)
		files, err := logs.Files()
		for _, file := range files {
			if b, err := logs.Read(file); err == nil && !look.found {
				look.File(file.Path, b)
			}
		}
		if err != nil {
			return err
		}
	}
	if !look.found && f.history {
		if err := f.forgetter.ws.Store.EachVersion(ctx, look); err != nil {
			return err
		}
	}
	if !look.found {
		return fmt.Errorf("%s: %w", id, messages.ErrNotFound)
	}
	f.what = append(f.what, withoutWords(id.String()))
	return nil
}

// unitSearch finds a unit in files, and in the history as a [store.Purge] that removes nothing.
type unitSearch struct {
	f       *Forgetting
	folders map[string]string
	id      string
	found   bool
}

// File searches a file of memory.
func (s *unitSearch) File(path string, content []byte) []byte {
	if cite.AreaOf(path) == cite.AreaNone {
		return content
	}
	at := s.f.forgetter.src.FileOf(s.folders, path)
	if part, ok := tombstone.Find(at, content, s.id, s.f.forgetter.ws.Redactor); ok {
		s.found = true
		s.f.part(part, at)
	}
	return content
}

// Message implements [store.Purge].
func (s *unitSearch) Message(text string) string { return text }

// Name implements [store.Purge].
func (s *unitSearch) Name(text string) string { return text }

// part selects a unit with all its pieces.
func (f *Forgetting) part(part tombstone.Part, at cite.File) {
	u := part.Unit
	switch u.Source {
	case string(cite.KindMemory):
		f.cutter.Sections[u.ID] = part.Shared
		notes := 0
		for _, p := range part.Pieces {
			if p.Line >= u.Line { // not its heading
				notes++
			}
		}
		f.Ask = f.Ask || notes > 1
	case string(cite.KindSession):
		f.tombstones = append(f.tombstones, f.builder().Unit(u.ID, at.Project))
		f.tombstones = append(f.tombstones, f.sessionTombstones(u, at.Project)...)
		f.dropKept(u.Session)
	default:
		f.tombstones = append(f.tombstones, f.builder().Unit(u.ID, at.Project))
	}
	for _, p := range part.Pieces {
		f.piece(p, at)
	}
}

// words selects the pieces that contain words, in the project, or in all projects outside a repository.
func (f *Forgetting) words(ctx context.Context, query string) error {
	query = strings.TrimSpace(query)
	literal := strings.ToLower(strings.TrimSpace(strings.Trim(query, `"`)))
	quoted := len(query) > 1 && strings.HasPrefix(query, `"`) && strings.HasSuffix(query, `"`)
	if literal == "" {
		return fmt.Errorf("%w: there are no words to look for", messages.ErrUsage)
	}
	inScope, err := f.forgetter.ws.ScopeOf(ctx, "")
	if err != nil {
		return err
	}
	if f.history {
		if len([]rune(literal)) < shortest {
			return fmt.Errorf("%w: %q is too short to be looked for in all history", messages.ErrUsage, literal)
		}
		if strings.Contains(tombstone.Mark, literal) {
			return fmt.Errorf("%w: %q is in the mark that forgetting leaves behind", messages.ErrUsage, literal)
		}
		if strings.ContainsRune(literal, utf8.RuneError) {
			return fmt.Errorf("%w: %q has bytes that are no text and can't be told from others", messages.ErrUsage, literal)
		}
		for line := range strings.Lines(literal) {
			if line = strings.TrimSpace(line); len([]rune(line)) >= shortest {
				f.cutter.Literals = append(f.cutter.Literals, line)
			}
		}
		inScope = nil // a leaked text may be in any project
	}
	f.Ask, f.what = true, []string{"query"}
	for at, b := range f.forgetter.memory() {
		if at.Area == cite.AreaNone || inScope != nil && !inScope(at.Project) {
			continue
		}
		if at.Area == cite.AreaProfile && !f.history { // with history, every version is rewritten
			f.inProfile(at, b, literal, quoted)
		}
		for _, p := range tombstone.Pieces(at, b, f.forgetter.ws.Redactor) {
			if holdsWords(p.Raw+"\n"+p.Text, literal, quoted) {
				f.piece(p, at)
			}
		}
	}
	return nil
}

// inProfile adds caveats about profile values that contain the words; they must be removed as values.
func (f *Forgetting) inProfile(at cite.File, b []byte, literal string, quoted bool) {
	units, _ := cite.Units(at, b)
	for _, u := range units {
		if path := strings.TrimPrefix(u.ID, string(cite.KindProfile)+":"); holdsWords(u.Title+"\n"+u.Text, literal, quoted) {
			if rest, ok := strings.CutPrefix(u.ID, string(cite.KindOrder)+":"); ok {
				path = "project." + rest
			}
			f.forgetter.ws.Caveat("[%s] in %s says it, too: take it out with gitmem profile rm %s", u.ID, at.Path, path)
		}
	}
}

// holdsWords reports whether a text contains a literal, or all of its words.
func holdsWords(text, literal string, quoted bool) bool {
	text = strings.ToLower(text)
	if quoted {
		return strings.Contains(text, literal) || strings.Contains(strings.Join(strings.Fields(text), " "), literal)
	}
	return !slices.ContainsFunc(strings.Fields(literal), func(word string) bool { return !strings.Contains(text, word) })
}
