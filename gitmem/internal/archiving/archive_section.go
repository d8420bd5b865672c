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

// sectionWriter writes one section of one session.
type sectionWriter struct {
	*archiver
	p             *workspace.Place
	session, file string
	rel, date     string               // of the archive file
	repeated      map[string]bool      // keys of messages that an older session contains
	prompts       []transcript.Message // all prompts that were not taken back, if something is learnt from them
	found         *archive.Found       // by the model
	words         bool                 // do not use the sentence model
	day           []byte               // the file as last read
	gone          bool                 // a person deleted all sections, and their extent is unknown
}

// write appends the section. It makes the digest and the summary, which may be slow, before it takes the store's lock.
// If the session was archived or something was forgotten, excluded or paused in the meantime, it makes the digest again
// and uses it without the model's results.
func (w *sectionWriter) write(ctx context.Context, rel string) (wrote bool, err error) {
	s := w.archives.ws.Store
	var old []byte
	if s != nil { // a dry run may have no store
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
	_ = w.archives.src.KeepRewritten(ctx, rel) // write the section even if the edits cannot be committed
	err = s.Rewrite(ctx, rel, func(old []byte) ([]store.Insertion, error) {
		wrote = false
		changed, err := w.refreshed(ctx, asked)
		now, findErr := w.find(old)
		if err = errors.Join(err, findErr); err == nil && (changed || now != before) {
			before = now
			w.found, w.words = nil, true    // others wait for the store
			delete(w.known, w.p.Project.ID) // it includes the section that was not written
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
		delete(w.known, w.p.Project.ID) // it includes a section that was not written
	}
	return wrote && err == nil, err
}

// refreshed reloads the forgotten entries and the capture policy if a model was asked, and reports whether they
// changed. The error is ErrNotCaptured if capture is no longer allowed.
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

// find returns the archived state of the session. It skips block ids that were forgotten, which may belong to a session
// with the same short id.
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

// text returns the section for the content after before. It returns "" if nothing is worth a section or the session's
// section was forgotten.
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

// digest summarises the transcript after a line. If something is learnt from it, digest collects all prompts, since an
// interrupted run may have archived earlier ones without learning from them.
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

// judge has the built-in model find the ideas of a digest, unless a larger model found them.
func (w *sectionWriter) judge(ctx context.Context, d *transcript.Digest) {
	if w.found != nil {
		return
	}
	if err := w.archives.src.Judge(ctx, d); err != nil {
		w.note += fmt.Sprintf("; ideas of session %s were found by their words: %v", transcript.ShortID(w.session), err)
	}
}

// ideas returns the ideas of a digest for the section, with their relations. Ideas that the model found replace those
// of the digest.
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

// marked returns the section with the ideas that the model finds, or unchanged if it finds none.
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

// messages returns the messages after the session's sections.
func (w *sectionWriter) messages(before archive.Session) iter.Seq2[transcript.Message, error] {
	return w.archives.messagesFrom(w.file, archive.StillThrough(w.file, before), w.repeated)
}

// summarised returns the section with a summary if the model writes one.
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
