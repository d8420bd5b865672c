package archiving

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// sectionWriter makes one section of one session.
type sectionWriter struct {
	*archiver
	p             *workspace.Place
	session, file string
	rel, date     string               // of the archive's file
	repeated      map[string]bool      // keys of messages that another session had before
	prompts       []transcript.Message // all that were not taken back, where something is learnt from them
	found         *archive.Found       // by the model
	words         bool                 // the model of sentences reads nothing
	day           []byte               // the file as it was read last
	gone          bool                 // a person deleted all that was archived, and how far that reached is not known
}

// write appends the section. The digest and the summary, which may take long, are made
// before the store's lock is taken. Where somebody archived the session meanwhile, or forgot,
// excluded or paused something while the model wrote, the digest is made again and stands alone.
func (w *sectionWriter) write(ctx context.Context, rel string) (wrote bool, err error) {
	s := w.archives.ws.Store
	var old []byte
	if s != nil { // there may be none in a dry run
		if old, err = s.Read("", rel); err != nil && !errors.Is(err, store.ErrNotFound) {
			return false, err
		}
	}
	before, err := w.find(old)
	if err != nil {
		return false, err
	}
	text, err := w.text(ctx, before)
	if err != nil || text == "" || w.dry {
		return text != "" && err == nil, err
	}
	conf := w.archives.ws.Policy().Config.Agent
	asked := w.model != nil && (conf.Ideas || conf.Summaries)
	if conf.Ideas && w.model != nil {
		if text, err = w.marked(ctx, before, text); err != nil {
			return false, err
		}
	}
	if conf.Summaries && w.model != nil {
		text = w.summarised(ctx, before, text)
	}
	_ = w.archives.src.KeepRewritten(ctx, rel) // the section must be written, whatever keeps it from being committed
	err = s.Rewrite(ctx, rel, func(old []byte) ([]store.Insertion, error) {
		wrote = false
		changed, err := w.refreshed(ctx, asked)
		now, findErr := w.find(old)
		if err = errors.Join(err, findErr); err == nil && (changed || now != before) {
			before = now
			w.found, w.words = nil, true    // others wait for the store
			delete(w.known, w.p.Project.ID) // it knows the section that was not written
			text, err = w.text(ctx, before)
		}
		if err != nil || text == "" {
			return nil, err
		}
		whole := archive.Appended(old, w.p.Project.ID, w.date, text)
		wrote = true
		return []store.Insertion{{At: len(old), Text: w.archives.ws.Redactor.Clean(whole)}}, nil
	})
	if !wrote || err != nil {
		delete(w.known, w.p.Project.ID) // it knows a section that stands nowhere
	}
	return wrote && err == nil, err
}

// refreshed reads again what was forgotten and what may be captured, where a model was asked
// meanwhile, and reports whether that changed. The error is ErrNotCaptured where nothing may be
// any more.
func (w *sectionWriter) refreshed(ctx context.Context, asked bool) (changed bool, err error) {
	if !asked {
		return false, nil
	}
	ws, src := w.archives.ws, w.archives.src
	read := func() []any { return []any{src.Forgotten(), ws.Policy().Config, ws.Policy().Pauses} }
	before := read()
	src.ForgetSet()
	ws.Reload()
	return !reflect.DeepEqual(before, read()), ws.MayCapture(ctx)
}

// find reads what is archived of the session. The section of another one, with an id that
// begins alike, may have been forgotten with the block id that would come next.
func (w *sectionWriter) find(old []byte) (a archive.Session, err error) {
	w.day = old
	a = archive.Find(old, w.session)
	if a.Sections == 0 && w.sections != nil {
		if a, err = w.sections.elsewhere(w.session, w.rel, a); err != nil {
			return a, err
		}
	}
	src := w.archives.src
	for a.Sections == 0 && src.Forgotten().HasUnit(ingest.SessionUnit(w.date, a.BlockID(w.session)), w.p.Project.ID) {
		a.SkipID()
	}
	left := a.Sections
	w.gone = false
	if w.deleted[w.session] = src.DropSections(&a, w.session, w.date); w.deleted[w.session] {
		w.gone = !src.ReachDeleted(&a, w.session, w.file) && left == 0
	}
	return a, nil
}

// text is the section behind what is archived before, "" where nothing is worth it or the
// session's section was forgotten.
func (w *sectionWriter) text(ctx context.Context, before archive.Session) (string, error) {
	if w.gone || w.archives.src.SessionForgotten(w.p, w.session, w.date) {
		return "", nil
	}
	before.Through = archive.StillThrough(w.file, before)
	d, err := w.digest(before.Through)
	if err != nil || d.LastLine <= before.Through {
		return "", err
	}
	if !w.dry && !w.words {
		w.judge(ctx, &d)
	}
	withdrawn, err := w.withdrawn(before)
	if err != nil || !d.Remains() && len(withdrawn) == 0 {
		return "", err
	}
	told := ""
	if w.found != nil {
		told = w.found.Mark
	}
	ideas := archive.Withdraw(w.ideas(&d), d, withdrawn)
	if w.cost {
		sum, _, err := traces.InjectedInto(w.archives.ws.DirsOfTraces(), w.session, math.MaxInt64)
		if err != nil {
			w.archives.ws.Caveat("What hooks told session %s could not be counted: %v", transcript.ShortID(w.session), err)
		}
		told = archive.Parts(archive.InjectedPart(sum.Injections-before.Injections, sum.Chars-before.Chars), told)
	}
	section := archive.Section(d, ideas, before, told, archive.MarkOf(d.LastUUID), w.date)
	if said := w.archives.sessions.SummaryOf(w.p, w.session, d.Start, d.End); said != "" {
		section = archive.Summarised(section, said, "summary: the session's own")
	}
	return section, nil
}

// digest summarises the transcript behind a line. Where something is learnt from it, it notes all
// prompts: a run that was ended may have archived them and learnt nothing.
func (w *sectionWriter) digest(line int) (transcript.Digest, error) {
	w.prompts = nil
	from := line
	if w.mentions != nil {
		from = 0
	}
	return transcript.Summarise(func(yield func(transcript.Message, error) bool) {
		for msg, err := range w.archives.messagesFrom(w.file, from, w.repeated) {
			if w.mentions != nil && msg.Prompt && !msg.TakenBack {
				w.prompts = append(w.prompts, msg)
			}
			if (err != nil || msg.Line > line) && !yield(msg, err) {
				return
			}
		}
	})
}

// judge lets the built-in model find the ideas of a digest, unless a larger one found them.
func (w *sectionWriter) judge(ctx context.Context, d *transcript.Digest) {
	if w.found != nil {
		return
	}
	if err := w.archives.src.Judge(ctx, d); err != nil {
		w.note += fmt.Sprintf("; ideas of session %s were found by their words: %v", transcript.ShortID(w.session), err)
	}
}

// ideas are those that a digest makes in the section, with what they have to do with others. What
// the model found takes the place of the digest's own.
func (w *sectionWriter) ideas(d *transcript.Digest) []archive.Idea {
	if w.found != nil {
		w.found.Into(d)
	}
	d.Leave()
	w.archives.src.DropForgotten(d)
	d.Session = w.session
	ideas := w.related(*d, slices.DeleteFunc(archive.Ideas(*d), func(i archive.Idea) bool {
		return w.archives.src.Forgotten().HasDeleted(tombstone.BlockKey(w.rel, i.ID()))
	}))
	archive.MarkAgain(ideas, w.day)
	return ideas
}

// marked is the section with the ideas that the model finds, where it does.
func (w *sectionWriter) marked(ctx context.Context, before archive.Session, section string) (string, error) {
	found, err := w.model.Ideas(ctx, w.p.Project.ID, w.session, w.archives.graphOf(w.p).Known(w.p.Project.ID).Standing(),
		w.messages(before))
	if err != nil {
		w.note += fmt.Sprintf("; ideas of session %s are without the model: %v", transcript.ShortID(w.session), err)
	}
	if w.found = found; found == nil {
		return section, nil
	}
	return w.text(ctx, before)
}

// messages are those behind a session's sections.
func (w *sectionWriter) messages(before archive.Session) iter.Seq2[transcript.Message, error] {
	return w.archives.messagesFrom(w.file, archive.StillThrough(w.file, before), w.repeated)
}

// summarised is the section with a summary where there is one.
func (w *sectionWriter) summarised(ctx context.Context, before archive.Session, section string) string {
	sentences, mark, err := w.model.Summarise(ctx, w.p.Project.ID, w.session, section, w.messages(before))
	if err != nil {
		w.note += fmt.Sprintf("; no summary of session %s: %v", transcript.ShortID(w.session), err)
	}
	if sentences == "" {
		return section
	}
	return archive.Summarised(section, sentences, mark)
}

// withdrawn returns the block ids of the entries in the session's sections that were taken back since.
func (w *sectionWriter) withdrawn(before archive.Session) ([]string, error) {
	if before.Sections == 0 {
		return nil, nil
	}
	tree, err := transcript.TreeOf(w.file)
	if err != nil || tree.HoldsAll() {
		return nil, err
	}
	return archive.TakenBack(w.day, w.session, tree.TakenBack), nil
}
