package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/clip"
)

const (
	// ReadingTime is how long an indexer reads for meaning before it ends; the next one goes on.
	ReadingTime = 60 * time.Second
	// readingBatch is how many texts are read at a time.
	readingBatch = 32
	// readRunes is how much is read of a text below its title: more finds nothing more.
	readRunes = 450
	// answerRunes is how much of the answer is read with a prompt.
	answerRunes = 300
)

// Reads returns which rows of a shard an encoder reads: what people wrote and decided. Of
// conversations these are the prompts, each with the beginning of its answer. What programs
// wrote, merges, and calls of tools are left to words.
func (s *Semantic) Reads(snap *index.Snapshot) func(row int) bool {
	ref := func(text string) uint32 {
		r, ok := snap.StringRef(text)
		if !ok {
			return ^uint32(0)
		}
		return r
	}
	transcripts, team := ref(cite.LayerTranscripts), ref(cite.LayerTeam)
	discussion, prompt := ref("discussion"), ref(string(cite.KindPrompt))
	user, merge := ref(string(transcript.RoleUser)), ref("merge")
	byProgram := map[uint32]bool{}
	return func(i int) bool {
		switch snap.LayerOf(i) {
		case transcripts:
			return snap.TypeOf(i) == prompt || snap.TypeOf(i) == discussion && snap.RoleOf(i) == user
		case team:
			author := snap.AuthorOf(i)
			bot, known := byProgram[author]
			if !known {
				bot = strings.Contains(snap.String(author), "[bot]")
				byProgram[author] = bot
			}
			return !bot && snap.RoleOf(i) != merge
		}
		return true
	}
}

// unread is a row that is to be read.
type unread struct {
	shard int
	row   int32
	at    int64 // its time in seconds
}

// ReadForMeaning lets an encoder read what it has not read yet, over all shards, the newest
// first, for at most a given time; 0 is without end. Texts come from their sources without
// the secrets that were found in them. It returns how far each shard is read.
func (src *Sources) ReadForMeaning(
	ctx context.Context, s *Semantic, p *workspace.Place, o Opened, most time.Duration,
) ([]Embedded, error) {
	n := len(o.Shards)
	r := &meaningReader{src: src, s: s, o: o, out: make([]Embedded, n), to: make([]*embed.Appender, n)}
	unlock, free, err := osfile.Lock(src.meaningLock())
	if err != nil {
		return nil, err
	}
	if !free {
		return nil, fmt.Errorf("another process reads for meaning: %w", store.ErrLocked)
	}
	defer unlock()
	err = r.open()
	if err == nil && len(r.rows) > 0 {
		if r.texts, err = src.Resolver(p, true); err == nil {
			err = r.read(ctx, most)
		}
	}
	return r.out, errors.Join(err, r.close())
}

func (src *Sources) meaningLock() string { return filepath.Join(src.ws.IndexDir(), "meaning.lock") }

// reportUnread notes how far an encoder has read, and that an indexer would go on.
func (src *Sources) reportUnread(s *Semantic, unread, total int) {
	s.Note("Read for meaning: %s of %s texts.", thousands(total-unread), thousands(total))
	src.markUnread()
}

// markUnread notes that an indexer would go on reading, unless one does.
func (src *Sources) markUnread() {
	if unlock, free, err := osfile.Lock(src.meaningLock()); err == nil && free {
		unlock()
		src.ws.Shared.MarkUnfinished()
	}
}

// howFarRead counts the texts of a shard that an encoder has read and is to read.
func (src *Sources) howFarRead(sh Shard) (read, all int) {
	s := src.Semantic()
	if s == nil || s.Ready() != nil || !s.Deep {
		return 0, 0
	}
	set := src.VectorSet(s, sh)
	snap, err := sh.Index.Snapshot()
	if err != nil || snap == nil || set == "" {
		return 0, 0
	}
	defer snap.Close()
	for _, known := range s.texts(snap, embed.OpenVectors(s.File(set), s.Print)) {
		all++
		if known {
			read++
		}
	}
	return read, all
}

// texts yields the first row of each text that an encoder reads, and whether it has.
func (s *Semantic) texts(snap *index.Snapshot, vectors *embed.Vectors) iter.Seq2[int, bool] {
	reads, seen := s.Reads(snap), map[uint64]bool{}
	return func(yield func(int, bool) bool) {
		for i := range snap.Rows() {
			key := snap.HashOf(i)
			if snap.Dead(i) || !reads(i) || seen[key] {
				continue
			}
			seen[key] = true
			if !yield(i, vectors.Has(key)) {
				return
			}
		}
	}
}

// meaningReader reads for meaning.
type meaningReader struct {
	src   *Sources
	s     *Semantic
	o     Opened
	texts *cite.Resolver
	to    []*embed.Appender // by shard, nil where nothing is to be read
	rows  []unread
	out   []Embedded
}

// open lists what is to be read.
func (r *meaningReader) open() error {
	for i, snap := range r.o.Snaps {
		r.out[i].Name = r.o.Shards[i].Name
		set := r.src.VectorSet(r.s, r.o.Shards[i])
		if snap == nil || set == "" {
			continue
		}
		known := embed.OpenVectors(r.s.File(set), r.s.Print)
		before := len(r.rows)
		r.list(i, known)
		if len(r.rows) == before {
			continue
		}
		to, err := embed.Append(r.s.File(set), r.s.Print)
		if err != nil {
			return err
		}
		if to == nil {
			return fmt.Errorf("the texts of %s are being read by another process: %w", r.out[i].Name, store.ErrLocked)
		}
		r.to[i] = to
	}
	slices.SortStableFunc(r.rows, func(a, b unread) int { return cmp.Compare(b.at, a.at) })
	return nil
}

func (r *meaningReader) list(shard int, vectors *embed.Vectors) {
	snap := r.o.Snaps[shard]
	for i, known := range r.s.texts(snap, vectors) {
		r.out[shard].Texts++
		if known {
			r.out[shard].Embedded++
			continue
		}
		r.rows = append(r.rows, unread{shard: shard, row: int32(i), at: snap.Unix(i)})
	}
}

// read reads rows in their order, until time is up. It does not begin while memory is paused.
func (r *meaningReader) read(ctx context.Context, most time.Duration) error {
	now := r.src.ws.Options.Now
	until := now().Add(most)
	if _, paused := r.src.ws.PausedRecord(r.src.ws.Options.Dir, now()); paused && most > 0 {
		return nil
	}
	done := 0
	for batch := range slices.Chunk(r.rows, readingBatch) {
		if most > 0 && now().After(until) {
			return nil
		}
		if err := r.readBatch(ctx, batch); err != nil {
			return err
		}
		done += len(batch)
		r.src.ws.Progress(workspace.Progress{Shard: "meaning", Done: done, Total: len(r.rows)})
	}
	return nil
}

func (r *meaningReader) readBatch(ctx context.Context, batch []unread) error {
	texts := make([]string, len(batch))
	for i, u := range batch {
		texts[i] = r.text(u)
	}
	vectors, err := r.s.model.Embed(ctx, embed.Document, texts)
	if err != nil {
		return err
	}
	for i, u := range batch {
		if texts[i] == "" {
			vectors[i] = nil
		}
		to := r.to[u.shard]
		if err := to.Add(r.o.Snaps[u.shard].HashOf(int(u.row)), vectors[i]); err != nil {
			return err
		}
		r.out[u.shard].Added++
		r.out[u.shard].Embedded++
	}
	for _, to := range r.to {
		if to != nil {
			if err := to.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// text is what is read of a row, "" where its source is gone.
func (r *meaningReader) text(u unread) string {
	snap := r.o.Snaps[u.shard]
	row := snap.Row(int(u.row))
	src, err := r.source(row)
	if err != nil {
		return ""
	}
	if row.Layer != cite.LayerTranscripts {
		return strings.TrimSpace(src.Title + "\n" + clip.Within(src.Text, readRunes))
	}
	if next := snap.Next(int(u.row)); next >= 0 {
		if answer, err := r.source(snap.Row(int(next))); err == nil {
			src.Text += "\n" + clip.Within(answer.Text, answerRunes)
		}
	}
	return src.Text
}

func (r *meaningReader) source(row index.Row) (cite.Source, error) {
	id, _, _ := strings.Cut(row.ID, IdFile)
	switch {
	case row.Layer == cite.LayerTranscripts:
		return r.texts.Record(id, row.File, row.Offset, row.Length)
	case row.Layer == cite.LayerTeam:
		return r.texts.Resolve(id)
	}
	return r.texts.ResolveIn(id, row.File)
}

func (r *meaningReader) close() error {
	var errs []error
	for i, to := range r.to {
		if to == nil {
			continue
		}
		set := r.src.VectorSet(r.s, r.o.Shards[i])
		errs = append(errs, to.Close(), r.src.dropOthers(set, r.s.File(set)))
	}
	return errors.Join(errs...)
}
