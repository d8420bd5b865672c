package query

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

const (
	mostNeedles  = 16      // query words to search transcripts for
	mostRawFiles = 40      // transcripts whose lines are indexed for a question
	mostRawLines = 10      // of each
	mostRawBytes = 8 << 20 // of all these transcripts: each line is decoded
	sameWords    = 50      // lines kept for the same set of words in a transcript
)

// rawFile is a searched transcript with its matching lines.
type rawFile struct {
	transcript.File
	lines []transcript.RawLine
	best  float64
}

// readUnindexed searches transcripts that are not indexed yet for the words of a query, and adds an index of the best
// lines to the view. It may find anything that an index of transcripts contains.
func (v *View) readUnindexed(ctx context.Context, q search.Query, words string) {
	rd := v.Reader
	needles := needlesOf(words, q.Phrases)
	if len(needles) == 0 || len(q.Layers) > 0 && !slices.Contains(q.Layers, cite.LayerTranscripts) ||
		rd.ws.Policy().Err != nil {
		return
	}
	listed, _ := rd.src.Transcripts() // listing errors are reported by the index that reads the file
	files := v.Unindexed(listed)
	if len(files) == 0 {
		return
	}
	found, read := v.grepAny(ctx, files, needles)
	rd.ws.Caveat("%s of those that are not indexed yet were read through for the words as they are written.",
		messages.Plural(read, "transcript"))
	lines := v.bestLines(q, found, len(needles))
	if len(lines) == 0 {
		return
	}
	opened, err := rd.src.OpenLines(ctx, lines)
	if err != nil {
		return // a caveat reports it
	}
	v.Shards, v.Snaps = append(v.Shards, opened.Shards...), append(v.Snaps, opened.Snaps...)
}

// needlesOf returns the words of a query in searchable form: without endings, if the stem is a prefix of the word.
func needlesOf(words string, phrases []search.Phrase) (out []string) {
	for _, w := range literals(words, phrases) {
		w = strings.ToLower(w)
		if stems := index.Terms(w); len(stems) == 1 && len(stems[0]) > 2 && strings.HasPrefix(w, stems[0]) {
			w = stems[0]
		}
		if !slices.Contains(out, w) && len(out) < mostNeedles {
			out = append(out, w)
		}
	}
	return out
}

// grepAny searches transcripts for words, newest first, within the time limit.
func (v *View) grepAny(ctx context.Context, files []transcript.File, needles []string) (found []rawFile, read int) {
	ctx, cancel := deadline.After(ctx, v.Reader.ws.Options.Now, grepTime)
	defer cancel()
	slices.SortFunc(files, func(a, b transcript.File) int {
		return cmp.Or(cmp.Compare(b.Stat.MtimeNs, a.Stat.MtimeNs), cmp.Compare(a.Path, b.Path))
	})
	found = make([]rawFile, len(files))
	whole := make([]bool, len(files))
	inParallel(len(files), grepReaders, func(i int) {
		found[i].File = files[i]
		f, err := transcript.OpenSession(files[i].Path)
		if err != nil || ctx.Err() != nil {
			return // reported by the index that reads it
		}
		defer f.Close()
		same := map[uint64]int{}
		err = transcript.GrepAny(ctx, f, needles, func(l transcript.RawLine) {
			if same[l.Held]++; same[l.Held] <= sameWords {
				found[i].lines = append(found[i].lines, l)
			}
		})
		whole[i] = err == nil
	})
	for _, w := range whole {
		if w {
			read++
		}
	}
	return found, read
}

// bestLines returns the lines with most of the words, weighted by rarity, that a query may show.
func (v *View) bestLines(q search.Query, found []rawFile, words int) (out []ingest.Lines) {
	held, all := make([]int, words), 1
	for _, f := range found {
		for _, l := range f.lines {
			all++
			for t := l.Held; t != 0; t &= t - 1 {
				held[bits.TrailingZeros64(t)]++
			}
		}
	}
	weight := func(l transcript.RawLine) (sum float64) {
		for t := l.Held; t != 0; t &= t - 1 {
			sum += math.Log(1 + float64(all)/float64(held[bits.TrailingZeros64(t)]))
		}
		return sum
	}
	best := 0.0
	for i, f := range found {
		for _, l := range f.lines {
			found[i].best = max(found[i].best, weight(l))
		}
		best = max(best, found[i].best)
	}
	slices.SortStableFunc(found, func(a, b rawFile) int { return cmp.Compare(b.best, a.best) })
	size := int64(0)
	for _, f := range found {
		if f.best == 0 || f.best < best/2 || len(out) == mostRawFiles {
			break
		}
		if size+f.Stat.Size > mostRawBytes && len(out) > 0 {
			continue
		}
		f.lines = slices.DeleteFunc(f.lines, func(l transcript.RawLine) bool { return weight(l) < best/2 })
		slices.SortStableFunc(f.lines, func(a, b transcript.RawLine) int { return cmp.Compare(weight(b), weight(a)) })
		if n := v.shown(q, f); len(n) > 0 {
			size += f.Stat.Size
			out = append(out, ingest.Lines{File: f.File, Numbers: n})
		}
	}
	return out
}

// shown returns the sorted numbers of those lines of a transcript with a message that a query may show.
func (v *View) shown(q search.Query, of rawFile) (numbers []int) {
	ws := v.Reader.ws
	f, err := transcript.OpenSession(of.Path)
	if err != nil {
		return nil // reported by the index that reads it
	}
	defer f.Close()
	for _, l := range of.lines {
		m, err := transcript.At(f, l.Offset, l.Length)
		if err != nil || ws.Withheld(m.Cwd, of.Folder, m.Time) || !inTime(q.Range, m.Time) {
			continue
		}
		if v.InScope != nil && !v.InScope(ingest.ProjectFolder(of.File, m)) {
			continue
		}
		if numbers = append(numbers, l.Number); len(numbers) == mostRawLines {
			break
		}
	}
	slices.Sort(numbers)
	return numbers
}

// inTime reports whether a range may contain a message.
func inTime(r search.Range, at time.Time) bool { return r.IsZero() || at.IsZero() || r.Contains(at) }
