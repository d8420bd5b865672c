package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// listing lists the transcripts of the client and the kept ones. It runs in parallel to the other preparations of a
// question, since there may be thousands. Its results must not be changed.
type listing struct {
	src      *Sources
	once     sync.Once
	files    []transcript.File
	problems []error
}

// all waits for and returns the transcripts, and the errors of listing them.
func (l *listing) all() ([]transcript.File, []error) {
	l.once.Do(func() {
		l.files, l.problems = l.src.listTranscripts()
	})
	return l.files, l.problems
}

// listTranscripts lists the transcripts of all clients and the kept ones.
func (src *Sources) listTranscripts() ([]transcript.File, []error) {
	files, problems := transcript.Files(src.ws.ClientDir)
	kept, more := src.KeptFiles(files)
	others, unlisted := src.ws.Stores().Files("")
	return slices.Concat(files, kept, others), slices.Concat(problems, more, unlisted)
}

// StartListing starts listing the transcripts for the next question.
func (src *Sources) StartListing() { src.listing = src.list() }

// list starts listing the transcripts.
func (src *Sources) list() *listing {
	l := &listing{src: src}
	src.running.Go(func() { _, _ = l.all() })
	return l
}

// takeListing returns the listing that was started for this question, otherwise a new one.
func (src *Sources) takeListing() *listing {
	l := src.listing
	src.listing = nil
	if l == nil {
		l = src.list()
	}
	return l
}

// sessions returns the names in logs of the sessions that have a transcript, including kept ones. While a transcript
// exists, the session's log contains nothing that the transcript does not.
func (l *listing) sessions() map[string]bool {
	files, _ := l.all()
	live := make(map[string]bool, len(files))
	for _, f := range files {
		if f.Session == "" || !f.Subagent {
			id := cite.TranscriptName(f.Path)
			live[id], live[transcript.ShortID(id)] = true, true
		}
	}
	return live
}

// laterKey is the mark of an index with only the newest transcripts. Its MtimeNs is the modification time of the oldest
// of these, its Lines the number of the others.
const laterKey = "transcripts, the newest only"

// Plan compares the transcripts with the marks of an index. If there are many and none is indexed, it indexes only the
// newest at first, so that nobody waits for all; [Sources.Update] continues with the others. With nil marks it indexes
// all.
func (f *TranscriptSource) Plan(marks map[string]index.Mark, _ index.State) (index.Update, error) {
	l := f.listed
	f.listed = nil
	if l == nil {
		l = f.M.list()
	}
	_, rebuild := marks[laterKey]
	if rebuild = rebuild && f.M.waits; rebuild {
		marks = nil
	}
	u, hidden := f.changes(l, marks)
	if hidden { // see markdownSource.plan
		u, _ = f.changes(l, nil)
	}
	u.Rebuild = rebuild || hidden
	return u, nil
}

// newest returns the modification time of the oldest transcript to index now, or 0 for all.
func (f *TranscriptSource) newest(files []transcript.File, marks map[string]index.Mark) int64 {
	if m, staged := marks[laterKey]; staged {
		return m.MtimeNs
	}
	if marks == nil || len(marks) > 0 || !f.until.IsZero() {
		return 0
	}
	budget, size := f.M.Budget.Transcripts, int64(0)
	byTime := slices.SortedFunc(slices.Values(files), func(a, b transcript.File) int {
		return cmp.Compare(b.Stat.MtimeNs, a.Stat.MtimeNs)
	})
	oldest := int64(0)
	for _, file := range byTime {
		if size < budget {
			oldest = file.Stat.MtimeNs
		}
		size += file.Stat.Size
	}
	most := 2 * budget
	if f.M.waits { // an indexer continues with all and rebuilds the index
		most = 4 * budget
	}
	if size <= most || oldest == byTime[len(byTime)-1].Stat.MtimeNs { // the rest is small, or as old
		return 0
	}
	return oldest
}

// later drops the transcripts that are not indexed now and returns the rest. The returned time is since, or 0 if none
// was dropped.
func (f *TranscriptSource) later(
	files int, news []appended, marks map[string]index.Mark, since int64,
) ([]appended, int64) {
	all := len(news)
	news = slices.DeleteFunc(news, func(g appended) bool {
		_, known := marks[g.file.Path]
		return !known && g.mark.MtimeNs < since
	})
	if len(news) == all {
		return news, 0
	}
	f.M.ws.Caveat("%s written before %s are not indexed yet.", messages.Plural(all-len(news), "transcript"),
		time.Unix(0, since).UTC().Format(time.DateOnly))
	indexed := messages.Grouped(files - all + len(news))
	f.M.ws.MarkIncomplete(fmt.Sprintf("%s of %s transcripts are indexed so far.", indexed, messages.Grouped(files)))
	f.M.ws.Shared.MarkUnfinished()
	return news, since
}

// changes compares the transcripts with the marks of the last scan. hidden is set if something indexed was excluded
// since.
func (f *TranscriptSource) changes(l *listing, marks map[string]index.Mark) (u index.Update, hidden bool) {
	files, problems := l.all()
	for _, err := range problems {
		f.M.ws.Caveat("A transcript folder could not be read: %v", err)
	}
	again := restamps{at: f.M.ws.Options.Now()}
	news, seen, hidden := f.compare(files, marks, &u, &again)
	since, all := f.newest(files, marks), len(news)
	if news, since = f.later(len(files), news, marks, since); since == 0 && marks[laterKey].Key != "" {
		u.Forget = append(u.Forget, laterKey)
	}
	left := all - len(news)
	prompts, found, hid := f.planHistory(files, marks, &u)
	hidden = hidden || hid
	if _, known := marks[cite.HistoryFile(f.M.ws.ClientDir)]; found && known {
		seen++
	}
	if seen < len(marks) {
		present := make(map[string]bool, len(files)+1)
		present[cite.HistoryFile(f.M.ws.ClientDir)], present[laterKey] = found, since != 0
		for i := range files {
			present[files[i].Path] = true
		}
		forget(&u, marks, present)
	}
	if news = append(prompts, news...); len(news) > 0 {
		u.Docs, u.Marks = f.docs(news)
	}
	again.into(&u)
	if _, known := marks[laterKey]; since != 0 && !known && u.Marks != nil {
		addMarks(&u, index.Mark{Key: laterKey, MtimeNs: since, Lines: int64(left)})
	}
	return u, hidden
}

// compare compares each transcript with its mark, and counts those that have one.
func (f *TranscriptSource) compare(files []transcript.File, marks map[string]index.Mark, u *index.Update,
	again *restamps) (news []appended, seen int, hidden bool) {
	checks, mode := exclusionChecks{f.M, map[[2]string]bool{}}, f.M.toolsMode()
	for i := range files {
		file := &files[i]
		old, known := marks[file.Path]
		if known {
			seen++
		} else if f.M.SecretName(strings.TrimPrefix(file.Path, f.M.ws.ClientDir)) { // no mark has such a name
			continue
		}
		now := TranscriptStamp(file)
		whole := appended{file: *file, mark: now}
		judged := checks.compare(old.Data, file.Folder)
		hidden = hidden || judged == nowHidden
		switch {
		case !known:
			news = append(news, whole)
		case judged == nowShown || !sameTools(old.Data, mode) || originGone(old.Data):
			u.Drop, news = append(u.Drop, file.Path), append(news, whole)
		case untouched(old, now):
		default:
			g, same, ok := f.continued(*file, old, now)
			switch {
			case ok && g.from.Offset == 0:
				u.Drop, news = append(u.Drop, file.Path), append(news, g)
			case ok:
				news = append(news, g)
			case same:
				again.add(old, now)
			}
		}
	}
	return news, seen, hidden
}

// continued returns the new part of a transcript, or all of it from position 0 if it was rewritten. A part after a scan
// for a reference time is newer than that time. same is set if only the time changed.
func (f *TranscriptSource) continued(file transcript.File, old, now index.Mark) (news appended, same, ok bool) {
	whole := appended{file: file, mark: now}
	h, err := transcript.OpenSession(file.Path)
	if err != nil {
		return whole, false, true // reading it reports the error
	}
	defer h.Close()
	switch grown := h.Size() != old.Offset; {
	case old.Hash != Sample(h, old.Offset):
		return whole, false, true
	case !h.Translated() && now.Size == old.Size || h.Translated() && !grown:
		return appended{}, true, false
	case !f.until.IsZero():
		return appended{}, false, false
	}
	was := ParseTally(old.Data)
	if old.Offset == 0 {
		was.Skipped, was.Title, was.Private = 0, "", false // recomputed from the start
	}
	from := transcript.Position{Offset: old.Offset, Line: int(old.Lines)}
	tree, complete, err := h.Tree(from, was.Last)
	if err == nil && !complete && !tree.HoldsAll() { // earlier content was taken back or repeated
		return whole, false, true
	}
	return appended{file: file, mark: now, from: from, tally: was, tree: tree}, false, true
}

// TakenBackSince returns a function that reports whether a line was taken back by the part of a transcript after its
// mark.
func TakenBackSince(file string, mark index.Mark) func(line int) bool {
	h, err := transcript.OpenSession(file)
	if err != nil { // an unreadable transcript took nothing back
		return transcript.Tree{}.TakenBack
	}
	defer h.Close()
	from := transcript.Position{Offset: mark.Offset, Line: int(mark.Lines)}
	tree, _, _ := h.Tree(from, ParseTally(mark.Data).Last)
	return tree.TakenBack
}

// TranscriptStamp returns the mark of a transcript that was not read yet.
func TranscriptStamp(f *transcript.File) index.Mark {
	return index.Mark{Key: f.Path, Size: f.Stat.Size, MtimeNs: f.Stat.MtimeNs, CtimeNs: f.Stat.CtimeNs,
		Inode: f.Stat.Inode}
}

// SampleFile returns the [Sample] of a file.
func SampleFile(path string, offset int64) string {
	h, err := transcript.OpenSession(path)
	if err != nil {
		return ""
	}
	defer h.Close()
	return Sample(h, offset)
}

// Sample hashes the first and the last bytes of a transcript before offset; of a translation, which may change
// anywhere, all bytes. It returns "", which equals no stored hash, if the transcript is shorter or cannot be read.
func Sample(h *transcript.Handle, offset int64) string {
	n := min(sampleBytes, offset)
	if h.Translated() {
		n = offset
	}
	b := make([]byte, 2*n)
	if _, err := h.ReadAt(b[:n], 0); err != nil && n > 0 {
		return ""
	}
	if _, err := h.ReadAt(b[n:], offset-n); err != nil && n > 0 {
		return ""
	}
	return HashOf(b)
}

// Transcripts lists the transcripts of the client and the kept ones, with the errors of reading their folders.
func (src *Sources) Transcripts() ([]transcript.File, []error) { return src.list().all() }
