package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

const (
	// Time limits for reading transcripts: a search has nothing else to show, while a question only gets leads.
	grepTime    = 5 * time.Second
	grepAskTime = time.Second
	grepReaders = 4
	grepBatch   = 32 // files to read before counting the results
)

// grepped is the result of a literal search of transcripts, newest first.
type grepped struct {
	found []cite.Source
	files int           // number of files read
	late  bool          // the time limit ended the search
	most  time.Duration // the time limit
}

// grepping is one such search.
type grepping struct {
	v     *View
	q     search.Query
	texts []string
}

// grep searches the transcript files for texts that the index can't find: parts of words, operators, and recent
// messages. A message must contain all texts and pass the filters of the query. It ends after most and returns the
// results so far.
func (v *View) grep(ctx context.Context, q search.Query, texts []string, limit int, most time.Duration) grepped {
	if len(texts) == 0 || v.Reader.ws.Policy().Err != nil || !v.anyAdmitted(ctx, q) {
		return grepped{}
	}
	g := grepping{v: v, q: q, texts: texts}
	out := grepped{most: most}
	type read struct {
		file transcript.File
		msgs []transcript.Message
	}
	out.late = eachTranscript(ctx, v.Reader, most, func(ctx context.Context, file transcript.File) read {
		return read{file, g.read(ctx, file, limit)}
	}, func(r read) bool {
		out.found = append(out.found, g.sources(r.file, r.msgs, limit)...)
		out.files++
		return len(out.found) < limit
	})
	slices.SortFunc(out.found, func(a, b cite.Source) int {
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(b.Line, a.Line), cmp.Compare(a.ID, b.ID))
	})
	out.found = out.found[:min(len(out.found), limit)]
	return out
}

// eachTranscript calls read for the transcripts, several at a time and newest first, and passes each result to take
// until take returns false. It reports whether the time most ended first.
func eachTranscript[T any](ctx context.Context, rd *Reader, most time.Duration,
	read func(context.Context, transcript.File) T, take func(T) (more bool),
) (late bool) {
	ctx, cancel := deadline.After(ctx, rd.ws.Options.Now, most)
	defer cancel()
	files, _ := rd.src.Transcripts() // listing errors are reported by the index that reads the file
	files = slices.SortedFunc(slices.Values(files), func(a, b transcript.File) int {
		return cmp.Or(cmp.Compare(b.Stat.MtimeNs, a.Stat.MtimeNs), cmp.Compare(a.Path, b.Path))
	})
	for more := true; more && len(files) > 0 && ctx.Err() == nil; {
		batch := files[:min(len(files), grepBatch)]
		files = files[len(batch):]
		got := make([]T, len(batch))
		inParallel(len(batch), grepReaders, func(i int) { got[i] = read(ctx, batch[i]) })
		for _, g := range got {
			more = take(g) && more
		}
	}
	return ctx.Err() != nil
}

// anyAdmitted reports whether any transcript in the index passes the filters of a query, whatever its words. If none
// does, no line needs to be read.
func (v *View) anyAdmitted(ctx context.Context, q search.Query) bool {
	if len(q.Layers) > 0 && !slices.Contains(q.Layers, cite.LayerTranscripts) {
		return false
	}
	if len(v.Unsearched) > 0 {
		return true // the index may lack matching documents
	}
	q.Terms, q.Text, q.Limit = []search.QueryTerm{}, "", 1
	q.Phrases, q.Required, q.Excluded = nil, nil, nil
	q.Layers = []string{cite.LayerTranscripts}
	res, err := search.Run(ctx, v.Snaps, q)
	return err != nil || len(res.Hits) > 0
}

// read returns the last messages of a file that contain the texts.
func (g grepping) read(ctx context.Context, file transcript.File, limit int) []transcript.Message {
	f, err := transcript.OpenSession(file.Path)
	if err != nil {
		return nil // reported by the index that reads it
	}
	defer f.Close()
	var found []transcript.Message
	err = transcript.Grep(ctx, f, g.texts, func(m transcript.Message) bool {
		if g.holds(file.Path, m) {
			found = append(found, m)
			if len(found) > 4*limit { // some may be withheld
				found = slices.Delete(found, 0, len(found)-2*limit)
			}
		}
		return true
	})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	slices.Reverse(found)
	return found
}

// HoldsFold reports whether a text contains all of some others, case-insensitively.
func HoldsFold(text string, texts []string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(texts, func(t string) bool { return !strings.Contains(text, strings.ToLower(t)) })
}

// sources returns the showable part of messages, as in [Reader.Show]. It omits what the index omits.
func (g grepping) sources(file transcript.File, msgs []transcript.Message, limit int) []cite.Source {
	m := g.v.Reader
	if len(msgs) == 0 || m.src.SecretName(strings.TrimPrefix(file.Path, m.ws.ClientDir)) {
		return nil
	}
	f, err := transcript.OpenSession(file.Path)
	if err != nil {
		return nil
	}
	defer f.Close()
	tree, _, err := f.Tree(transcript.Position{}, "")
	if err != nil {
		return nil
	}
	docs := &ingest.TranscriptSource{M: m.src}
	var out []cite.Source
	for _, msg := range msgs {
		msg.TakenBack = tree.TakenBack(msg.Line)
		if len(out) >= limit || m.ws.Withheld(msg.Cwd, file.Folder, msg.Time) {
			continue
		}
		beside := ingest.NewTranscriptBlocks(m.src, file, f)
		if beside.Note(msg) != nil {
			continue // an unreadable call may be gitmem's own
		}
		for _, d := range docs.DocsOf(file, msg, beside) {
			if src, ok := g.source(d, msg); ok && len(out) < limit {
				out = append(out, src)
			}
		}
	}
	return out
}

// source returns the source of a message's document if it contains the texts and passes the filters. More of a long
// result is searched than is indexed.
func (g grepping) source(d index.Doc, msg transcript.Message) (cite.Source, bool) {
	text := d.Text
	for _, p := range g.parts(d.File, msg) {
		if p.ID.String() == d.ID {
			text = p.Text
		}
	}
	row := index.Row{
		Layer: d.Layer, Type: d.Type, Role: d.Role, Project: d.Project, Session: d.Session, Author: d.Author, File: d.File,
		Paths: d.Paths, Time: d.Time,
	}
	if !HoldsFold(text, g.texts) || !g.q.Admits(row, []string{d.Tool}) || !g.q.HoldsWords(text) {
		return cite.Source{}, false
	}
	m := g.v.Reader
	if !m.ws.Present() && m.src.CheckRecorded(d.File, cite.ID{Number: msg.Line}) != nil {
		return cite.Source{}, false
	}
	src, err := m.src.NotNewer(g.v.Cache.Record(d.ID, d.File, d.Offset, d.Length))
	if src.Text = text; d.Role == cite.StateTakenBack {
		src.State = d.Role
	}
	return src, err == nil
}

func (g grepping) parts(file string, msg transcript.Message) []cite.Part {
	return cite.Parts(cite.TranscriptName(file), msg, g.v.Reader.ws.Redactor)
}

// holds reports whether one of a message's documents may contain the texts.
func (g grepping) holds(file string, msg transcript.Message) bool {
	if !g.q.Range.Contains(msg.Time) {
		return false
	}
	if msg.Role == transcript.RoleTitle {
		return false // a title may refer to any earlier record, also to withheld ones
	}
	if text, _ := g.v.Reader.ws.Redactor.Text(msg.Text); HoldsFold(text, g.texts) {
		return true
	}
	return slices.ContainsFunc(g.parts(file, msg), func(p cite.Part) bool { return HoldsFold(p.Text, g.texts) })
}

// literals returns the words of a query for a literal search: without surrounding punctuation, without stop words
// unless there is nothing else, and with operators unchanged.
func literals(words string, phrases []search.Phrase) []string {
	var out, rest []string
	add := func(w string) {
		bare := strings.TrimFunc(w, func(r rune) bool { return strings.ContainsRune(`.,;:!?"'“”‘’()[]{}`, r) })
		switch {
		case bare == "" || !hasLetterOrDigit(bare) && len([]rune(bare)) < 2:
		case index.IsStopword(strings.ToLower(bare)):
			rest = append(rest, bare)
		default:
			out = append(out, bare)
		}
	}
	for _, p := range phrases {
		if !p.Not {
			out = append(out, strings.Fields(p.Text)...)
		}
	}
	for w := range strings.FieldsSeq(words) {
		add(w)
	}
	if len(out) == 0 {
		return rest
	}
	return out
}

func hasLetterOrDigit(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// report describes how much was searched and what was found.
func (g grepped) report() string {
	what := "none holds these letters"
	if len(g.found) > 0 {
		what = messages.Plural(len(g.found), "message") + " hold these letters"
		if len(g.found) == 1 {
			what = "1 message holds these letters"
		}
	}
	s := "raw transcripts: " + what
	if g.late {
		s += fmt.Sprintf(", in the newest %s that could be read within %v", messages.Plural(g.files, "file"), g.most)
	}
	return s
}

// excerptOf returns the line of a source with most of the texts, verbatim, cut to the length of an excerpt.
func excerptOf(src cite.Source, texts []string) string {
	best, most := "", 0
	for line := range strings.Lines(src.Text) {
		n := 0
		for _, t := range texts {
			if HoldsFold(line, []string{t}) {
				n++
			}
		}
		if n > most {
			best, most = strings.TrimSpace(line), n
		}
	}
	runes := []rune(best)
	if len(runes) <= hitRunes {
		return best
	}
	lower := strings.ToLower(best)
	at := utf8.RuneCountInString(lower[:max(0, strings.Index(lower, strings.ToLower(texts[0])))])
	from := max(0, min(at-hitRunes/3, len(runes)-hitRunes))
	return strings.TrimSpace(string(runes[from : from+hitRunes]))
}
