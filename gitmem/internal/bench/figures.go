package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

const megabyte = 1e6

// build measures full builds from the stream of messages.
func (r *runner) build(ctx context.Context) error {
	var own, other, sizes, peaks []float64
	peerSize := math.NaN()
	for range r.Rounds {
		dir := filepath.Join(r.Dir, "built")
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		s, err := r.large.run(ctx, r.Self, "bench", "child-build", dir, r.messages)
		if err != nil {
			return err
		}
		size, err := sizeOf(dir)
		if err != nil {
			return err
		}
		own, sizes = append(own, s.cpu.Seconds()), append(sizes, float64(size)/float64(max(1, r.raw.Bytes)))
		if s.peakKnown {
			peaks = append(peaks, float64(s.peak)/megabyte)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if !r.peer() {
			continue
		}
		cpu, size, err := r.buildPeer(ctx, filepath.Join(r.Dir, "built.db"), r.messages)
		if err != nil {
			return err
		}
		other, peerSize = append(other, cpu), float64(size)/float64(max(1, r.raw.Bytes))
	}
	r.set("build", number(median(own)), number(median(other)), fmt.Sprintf("%d messages, whole", r.raw.Documents))
	r.set("size", number(median(sizes)), number(peerSize), "FTS5's holds the text, too")
	note := ""
	if len(peaks) == 0 {
		note = "the system does not tell"
	}
	r.set("memory", number(median(peaks)), nil, note)
	return nil
}

// tables is the file of FTS5's tables beside a home's index.
func (h home) tables() string { return filepath.Join(h.dir, "fts5.db") }

// buildPeer makes FTS5's tables anew.
func (r *runner) buildPeer(ctx context.Context, db, docs string) (cpu float64, size int64, err error) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(db + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, 0, err
		}
	}
	s, err := r.large.run(ctx, r.Peer, "build", db, docs)
	if err != nil {
		return 0, 0, err
	}
	r.built[db] = true
	size, err = sizeOf(db)
	return s.cpu.Seconds(), size, err
}

// ready has FTS5's tables made where this run has not.
func (r *runner) ready(ctx context.Context, db, docs string) error {
	if r.built[db] || !r.peer() {
		return nil
	}
	_, _, err := r.buildPeer(ctx, db, docs)
	return err
}

// search is the command line of the product's own search.
func search(words string) []string {
	return []string{"search", "--project", "all", "--limit", "20", "--", words}
}

// index has the product's own index of a home brought up to date.
func (r *runner) index(ctx context.Context, h home) error {
	r.Tell("index " + filepath.Base(h.dir))
	_, err := h.run(ctx, r.Self, search(r.queries[0].Typed)...)
	return err
}

// warm measures queries within one process, on the large corpus and, for the
// growth, on one of a tenth.
func (r *runner) warm(ctx context.Context) error {
	if err := errors.Join(r.index(ctx, r.large), r.ready(ctx, r.large.tables(), r.docs)); err != nil {
		return err
	}
	smallDocs := filepath.Join(r.Dir, "documents-small")
	if r.wants("growth") {
		if err := r.prepareSmall(ctx, smallDocs); err != nil {
			return err
		}
	}
	var own, other, ownSmall, otherSmall []float64
	for range r.Rounds {
		for _, side := range []struct {
			h          home
			own, other *[]float64
			on         bool
		}{{r.large, &own, &other, true}, {r.small, &ownSmall, &otherSmall, r.wants("growth")}} {
			if !side.on {
				continue
			}
			if err := r.warmOnce(ctx, side.h, side.own, side.other); err != nil {
				return err
			}
		}
	}
	r.set("warm", number(median(own)), number(median(other)), fmt.Sprintf("%d queries, %d documents on both sides", len(r.queries), r.stream.Documents))
	r.set("growth", number(median(own)/median(ownSmall)), number(median(other)/median(otherSmall)), "")
	return nil
}

func (r *runner) prepareSmall(ctx context.Context, docs string) error {
	c := r.Corpus
	c.Messages, c.Sessions = max(1, c.Messages/10), max(1, c.Sessions/10)
	if err := r.corpus(ctx, r.small, c); err != nil {
		return err
	}
	if _, err := r.small.run(ctx, r.Self, "bench", "child-documents", docs); err != nil {
		return err
	}
	return errors.Join(r.index(ctx, r.small), r.ready(ctx, r.small.tables(), docs))
}

// warmOnce asks each side all queries once.
func (r *runner) warmOnce(ctx context.Context, h home, own, other *[]float64) error {
	var t Timed
	if _, err := h.answer(ctx, &t, r.Self, "bench", "child-warm", filepath.Join(r.Dir, "queries"), "1"); err != nil {
		return err
	}
	if t.Known {
		*own = append(*own, t.PerQuery())
	}
	if !r.peer() {
		return nil
	}
	t = Timed{}
	if _, err := h.answer(ctx, &t, r.Peer, "warm", h.tables(), filepath.Join(r.Dir, "queries-fts5"), "1"); err != nil {
		return err
	}
	if t.Known {
		*other = append(*other, t.PerQuery())
	}
	return nil
}

// cold measures one process for each query.
func (r *runner) cold(ctx context.Context) error {
	if err := errors.Join(r.index(ctx, r.large), r.ready(ctx, r.large.tables(), r.docs)); err != nil {
		return err
	}
	var own, other processes
	for range r.Rounds {
		own.round()
		other.round()
		for _, q := range r.queries {
			s, err := r.large.run(ctx, r.Self, search(q.Typed)...)
			if err != nil {
				return err
			}
			own.add(s)
			if !r.peer() {
				continue
			}
			if s, err = r.large.run(ctx, r.Peer, "query", r.large.tables(), q.Words); err != nil {
				return err
			}
			other.add(s)
		}
	}
	note := fmt.Sprintf("%d processes; CPU p50 %.1f ms", len(own.cpu), percentile(own.cpu, 50))
	if r.peer() {
		note += fmt.Sprintf(" and %.1f ms", percentile(other.cpu, 50))
	}
	r.set("cold", number(own.median()), number(other.median()), note)
	r.set("cold p95", number(own.p95()), number(other.p95()), "")
	return nil
}

// processes are what many of them took, in milliseconds.
type processes struct {
	rounds [][]float64 // wall
	wall   []float64
	cpu    []float64
}

func (p *processes) round() { p.rounds = append(p.rounds, nil) }

func (p *processes) add(s spent) {
	last := len(p.rounds) - 1
	p.rounds[last] = append(p.rounds[last], milliseconds(s.wall))
	p.wall, p.cpu = append(p.wall, milliseconds(s.wall)), append(p.cpu, milliseconds(s.cpu))
}

// median is that of the rounds' own medians; NaN without any process.
func (p *processes) median() float64 {
	var of []float64
	for _, round := range p.rounds {
		if len(round) > 0 {
			of = append(of, percentile(round, 50))
		}
	}
	return median(of)
}

// p95 is that of all processes.
func (p *processes) p95() float64 {
	if len(p.wall) == 0 {
		return math.NaN()
	}
	return percentile(p.wall, 95)
}
