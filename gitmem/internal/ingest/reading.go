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
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

const (
	// ReadingTime is how long an indexer embeds texts with an encoder before it exits; the next one continues.
	ReadingTime = 60 * time.Second
	// readingBatch is the number of texts that are read at a time.
	readingBatch = 32
	// readRunes is the number of characters of a text, or of a part of one, that are read below its title: more does not
	// improve results.
	readRunes = 450
	// mostParts is the maximum number of parts of a text that are read.
	mostParts = 64
	// answerRunes is the number of characters of the answer that are read with a prompt.
	answerRunes = 300
)

// texts contains the rows of a snapshot that an encoder reads: what people wrote and decided. In conversations these
// are the prompts, each with the start of its answer. Texts of programs, merges, and tool calls are found only by
// words.
type texts struct {
	*index.Snapshot
	transcripts, team, memory, rules, discussion, prompt, user, merge uint32

	byProgram map[uint32]bool // by author
}

func textsOf(snap *index.Snapshot) texts {
	ref := func(text string) uint32 {
		r, ok := snap.StringRef(text)
		if !ok {
			return ^uint32(0)
		}
		return r
	}
	return texts{
		Snapshot: snap, byProgram: map[uint32]bool{},
		transcripts: ref(cite.LayerTranscripts), team: ref(cite.LayerTeam),
		memory: ref(cite.LayerMemory), rules: ref(cite.LayerRules),
		discussion: ref("discussion"), prompt: ref(string(cite.KindPrompt)),
		user: ref(string(transcript.RoleUser)), merge: ref("merge"),
	}
}

// reads reports whether an encoder reads a row.
func (t texts) reads(i int) bool {
	switch t.LayerOf(i) {
	case t.transcripts:
		return t.TypeOf(i) == t.prompt || t.TypeOf(i) == t.discussion && t.RoleOf(i) == t.user
	case t.team:
		author := t.AuthorOf(i)
		bot, known := t.byProgram[author]
		if !known {
			bot = strings.Contains(t.String(author), "[bot]")
			t.byProgram[author] = bot
		}
		return !bot && t.RoleOf(i) != t.merge
	}
	return true
}

// answer returns the row that is read together with a prompt, or -1.
func (t texts) answer(i int) int {
	if t.LayerOf(i) != t.transcripts {
		return -1
	}
	next := int(t.Next(i))
	if next >= 0 && t.reads(next) { // also a prompt
		return -1
	}
	return next
}

// key returns the key of a row's vector: its content hash, for a prompt combined with that of its answer.
func (t texts) key(i int) uint64 {
	if next := t.answer(i); next >= 0 {
		return embed.PartKey(t.HashOf(i), int(t.HashOf(next)))
	}
	return t.HashOf(i)
}

// inParts reports whether a row is read item by item, since each item has its own subject.
func (t texts) inParts(i int) bool { return t.LayerOf(i) == t.memory || t.LayerOf(i) == t.rules }

// each yields the first row of each text, and its key.
func (t texts) each() iter.Seq2[int, uint64] {
	seen := map[uint64]bool{}
	return func(yield func(int, uint64) bool) {
		for i := range t.Rows() {
			if t.Dead(i) || !t.reads(i) {
				continue
			}
			key := t.key(i)
			if !seen[key] && !yield(i, key) {
				return
			}
			seen[key] = true
		}
	}
}

// parts yields the keys of a row that have vectors, each with the 1-based number of its part, or 0 for a row that is
// read as a whole. It yields the first key even if it has no vector.
func (t texts) parts(i int, key uint64, vectors *embed.Vectors) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		if !t.inParts(i) {
			yield(0, key)
			return
		}
		for n := 0; n == 0 || vectors.Has(embed.PartKey(key, n)); n++ {
			if !yield(n+1, embed.PartKey(key, n)) {
				return
			}
		}
	}
}

// itemsOf returns the items and paragraphs of a text, at most mostParts.
func itemsOf(text string) (out []string) {
	for p := range markdown.Paragraphs(text) {
		if out = append(out, p.Text); len(out) == mostParts {
			break
		}
	}
	return out
}

// NearItem returns the item of a source's text by which a hit was found, or "": see [search.Hit.Item].
func NearItem(text string, h search.Hit) string {
	if all := itemsOf(text); h.Item > 0 && h.Item <= len(all) {
		return all[h.Item-1]
	}
	return ""
}

// unread is a row to be read.
type unread struct {
	shard, row int
	at         int64 // its time in seconds
}

// ReadForMeaning embeds the texts that an encoder has not read yet, in all shards, newest first, for at most the given
// time. With 0 there is no limit, and it waits for another reader. Texts come from their sources with secrets removed.
// It returns the progress of each shard.
func (src *Sources) ReadForMeaning(
	ctx context.Context, s *Semantic, p *workspace.Place, o Opened, most time.Duration,
) ([]Embedded, error) {
	unlock, err := src.lockReading(ctx, most == 0)
	if err != nil {
		return nil, err
	}
	defer unlock()
	r := &meaningReader{src: src, s: s, o: o, out: make([]Embedded, len(o.Shards))}
	r.list()
	if len(r.rows) == 0 {
		return r.out, nil
	}
	if r.texts, err = src.Resolver(p, true); err != nil {
		return r.out, err
	}
	err = r.read(ctx, most)
	for i, sh := range o.Shards {
		if set := src.VectorSet(sh); set != "" && o.Snaps[i] != nil {
			err = errors.Join(err, s.compact(set, o.Snaps[i]))
		}
		// The vectors of another model stay until everything is read, since it may be used again.
		if done := r.out[i].Embedded == r.out[i].Texts && r.out[i].Texts > 0; done && err == nil {
			err = src.dropOthers(src.VectorSet(sh), s.File(src.VectorSet(sh)))
		}
	}
	return r.out, err
}

// compact drops the vectors of a set that no text uses any more, if worthwhile.
func (s *Semantic) compact(set string, snap *index.Snapshot) error {
	vectors := embed.OpenVectors(s.File(set), s.Print)
	var keys []uint64
	t := textsOf(snap)
	for row, key := range t.each() {
		for _, part := range t.parts(row, key, vectors) {
			keys = append(keys, part)
		}
	}
	if vectors.Len() == 0 || !vectors.Untidy(len(keys)) {
		return nil
	}
	to, err := embed.Append(s.File(set), s.Print)
	if err != nil || to == nil {
		return err
	}
	return to.Compact(keys)
}

// lockReading lets one process read at a time for a workspace. With waits it waits for the other process to finish.
func (src *Sources) lockReading(ctx context.Context, waits bool) (unlock func(), err error) {
	for {
		unlock, free, err := osfile.Lock(src.meaningLock(ctx))
		if err != nil || free {
			return unlock, err
		}
		if !waits {
			return nil, fmt.Errorf("another process reads for meaning: %w", store.ErrLocked)
		}
		src.ws.Progress(workspace.Progress{Shard: "meaning", Waiting: "the process that reads for meaning"})
		if err := wait(ctx, 200*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// wait waits for a duration, or until the context is done, whose error it then returns.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// meaningLock returns the lock file of the process that reads for this workspace.
func (src *Sources) meaningLock(ctx context.Context) string {
	place := src.ws.Options.Dir
	if p, err := src.ws.Place(ctx); err == nil && p.InRepo {
		place = p.Loc.CommonDir
	}
	return filepath.Join(src.ws.IndexDir(), "meaning-"+store.ShortHash(place)+".lock")
}

// reportUnread adds a note about the encoder's progress, and that an indexer would continue.
func (src *Sources) reportUnread(ctx context.Context, s *Semantic, snaps []*index.Snapshot, sets []string) {
	read, all := 0, 0
	for i, snap := range snaps {
		if snap != nil && sets[i] != "" {
			r, n := s.progress(sets[i], snap)
			read, all = read+r, all+n
		}
	}
	if read < all {
		s.Note("Read for meaning: %s of %s texts.", thousands(read), thousands(all))
		src.markUnread(ctx)
	}
}

// markUnread records that an indexer would continue reading, unless one is running or memory is paused.
func (src *Sources) markUnread(ctx context.Context) {
	if busy, err := osfile.IsLocked(src.meaningLock(ctx)); err == nil && !busy && !src.readingIsPaused() {
		src.ws.Shared.MarkUnfinished()
	}
}

func (src *Sources) readingIsPaused() bool {
	_, paused := src.ws.PausedRecord(src.ws.Options.Dir, src.ws.Options.Now())
	return paused
}

// howFarRead returns the number of texts of a shard that an encoder has read, and the total.
func (src *Sources) howFarRead(sh Shard) (read, all int) {
	s := src.Semantic()
	if s == nil || s.Ready() != nil || !s.Deep {
		return 0, 0
	}
	set := src.VectorSet(sh)
	snap, err := sh.Index.Snapshot()
	if err != nil || snap == nil || set == "" {
		return 0, 0
	}
	defer snap.Close()
	return s.progress(set, snap)
}

// progress returns the number of read texts of a set, and the total.
func (s *Semantic) progress(set string, snap *index.Snapshot) (read, all int) {
	vectors := s.vectors(set)
	for _, key := range textsOf(snap).each() {
		all++
		if vectors.Has(key) {
			read++
		}
	}
	return read, all
}

// meaningReader reads texts with an encoder.
type meaningReader struct {
	src         *Sources
	s           *Semantic
	o           Opened
	texts       *cite.Resolver
	generations []string // of the indexes when they were listed
	rows        []unread
	out         []Embedded
}

// list lists the texts to read, newest first.
func (r *meaningReader) list() {
	for i, snap := range r.o.Snaps {
		sh := r.o.Shards[i]
		r.out[i].Name = sh.Name
		r.generations = append(r.generations, sh.Index.Generation())
		set := r.src.VectorSet(sh)
		if snap == nil || set == "" {
			continue
		}
		vectors := embed.OpenVectors(r.s.File(set), r.s.Print)
		for row, key := range textsOf(snap).each() {
			r.out[i].Texts++
			if vectors.Has(key) {
				r.out[i].Embedded++
				continue
			}
			r.rows = append(r.rows, unread{shard: i, row: row, at: snap.Unix(row)})
		}
	}
	slices.SortStableFunc(r.rows, func(a, b unread) int { return cmp.Compare(b.at, a.at) })
}

// read reads rows in order until the time is over. It does not begin while memory is paused.
func (r *meaningReader) read(ctx context.Context, most time.Duration) error {
	now := r.src.ws.Options.Now
	until := now().Add(most)
	if most > 0 && r.src.readingIsPaused() {
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

// readBatch reads some rows and stores their vectors. If an index changed since it was listed, its rows are left to the
// next reader, since they may have been excluded meanwhile.
func (r *meaningReader) readBatch(ctx context.Context, batch []unread) error {
	for i := range r.o.Shards {
		mine := slices.DeleteFunc(slices.Clone(batch), func(u unread) bool { return u.shard != i })
		if len(mine) == 0 || r.o.Shards[i].Index.Generation() != r.generations[i] {
			continue
		}
		if err := r.readRows(ctx, i, mine); err != nil {
			return err
		}
	}
	return nil
}

// readRows reads rows of one shard. Others may add to its vectors between the batches.
func (r *meaningReader) readRows(ctx context.Context, shard int, rows []unread) error {
	var all []string
	var keys []uint64
	t := textsOf(r.o.Snaps[shard])
	for _, u := range rows {
		list, err := r.textOf(t, u.row)
		if err != nil && !errors.Is(err, cite.ErrNotFound) {
			continue // it may be readable later
		}
		if len(list) == 0 {
			list = []string{""}
		}
		for n, text := range list {
			all, keys = append(all, text), append(keys, embed.PartKey(t.key(u.row), n))
		}
		r.out[shard].Added++
		r.out[shard].Embedded++
	}
	vectors, err := r.s.model.Embed(ctx, embed.Document, all)
	if err != nil {
		return err
	}
	to, err := r.s.appendTo(ctx, r.src.VectorSet(r.o.Shards[shard]))
	if err != nil || to == nil {
		return err
	}
	for i, key := range keys {
		if strings.TrimSpace(all[i]) == "" {
			vectors[i] = nil
		}
		err = errors.Join(err, to.Add(key, vectors[i]))
	}
	return errors.Join(err, to.Close())
}

// appendTo opens a set of vectors for adding, and briefly waits for another writer; nil if the set stays busy.
func (s *Semantic) appendTo(ctx context.Context, set string) (to *embed.Appender, err error) {
	for range 20 {
		if to, err = embed.Append(s.File(set), s.Print); to != nil || err != nil {
			return to, err
		}
		if err := wait(ctx, 100*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// textOf returns the texts to read for a row: one text, or one for each part.
func (r *meaningReader) textOf(t texts, row int) ([]string, error) {
	src, err := r.source(t.Row(row))
	if err != nil {
		return nil, err
	}
	if t.inParts(row) {
		return slice.Map(itemsOf(src.Text), func(item string) string {
			return src.Title + "\n" + clip.Within(item, readRunes)
		}), nil
	}
	text := clip.Within(src.Text, readRunes)
	if next := t.answer(row); next >= 0 {
		if answer, err := r.source(t.Row(next)); err == nil {
			return []string{text + "\n" + clip.Within(answer.Text, answerRunes)}, nil
		}
	}
	if t.LayerOf(row) != t.transcripts {
		text = strings.TrimSpace(src.Title + "\n" + text)
	}
	return []string{text}, nil
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
