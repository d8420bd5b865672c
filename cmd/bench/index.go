package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const megabyte = 1e6

// indexRun compares the index with FTS5.
type indexRun struct {
	*sessions
	rounds int
	only   []string
	rows   []row
	ready  bool // FTS5's tables contain the same as the index
}

func indexVerb(s *setup) func(context.Context) (report, error) {
	r := &indexRun{rows: plan()}
	s.corpusFlags()
	s.IntVar(&r.rounds, "rounds", 5, "measure each figure so many times and take the median")
	queries := s.Int("queries", 60, "number of queries")
	s.Func("only", "measure these figures only, with commas between: "+strings.Join(figures(), ", "),
		func(names string) error {
			for name := range strings.SplitSeq(names, ",") {
				if name = strings.TrimSpace(name); !slices.Contains(figures(), name) {
					return fmt.Errorf("the figures are %s", strings.Join(figures(), ", "))
				}
				r.only = append(r.only, name)
			}
			return nil
		})
	return func(ctx context.Context) (report, error) {
		if r.rounds < 1 || *queries < 1 {
			return nil, fmt.Errorf("%w: -rounds and -queries are 1 at least", errUsage)
		}
		if err := errors.Join(s.checkCorpus(), s.enter(ctx)); err != nil {
			return nil, err
		}
		rep, err := r.all(ctx, s, *queries)
		if err != nil {
			return nil, err
		}
		return rep, nil
	}
}

// all measures the requested figures, with the sessions of the run's corpus.
func (r *indexRun) all(ctx context.Context, s *setup, queries int) (rep *indexReport, err error) {
	if r.sessions, err = newSessions(ctx, s, "large", queries); err != nil {
		return nil, err
	}
	if err := errors.Join(r.measure(ctx), r.takeBack()); err != nil {
		return nil, err
	}
	rep = &indexReport{
		Messages: s.corpus.Size, Sessions: s.corpus.Sessions, Text: r.written.Whole, Kept: r.written.Kept,
		Queries: len(r.typed), Rounds: r.rounds, Missing: noPeer,
	}
	for _, row := range r.rows {
		if r.wants(row.Name) {
			row.judge()
			rep.Rows = append(rep.Rows, row)
		}
	}
	return rep, nil
}

func (r *indexRun) wants(names ...string) bool {
	return len(r.only) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(r.only, n) })
}

// set sets the values of a figure.
func (r *indexRun) set(name string, gitmem, fts5 float64, note string) {
	for i := range r.rows {
		if r.rows[i].Name == name {
			r.rows[i].Gitmem, r.rows[i].FTS5, r.rows[i].Note = number(gitmem), number(fts5), note
		}
	}
}

func (r *indexRun) measure(ctx context.Context) error {
	for _, f := range []struct {
		names []string
		do    func(context.Context) error
	}{
		{[]string{"build", "size", "memory"}, r.engine},
		{[]string{"index"}, r.whole},
		{[]string{"warm"}, r.warm},
		{[]string{"cold", "cold p95"}, r.cold},
		{[]string{"refresh"}, r.refresh},
		{[]string{"deletes"}, r.deletes},
	} {
		if !r.wants(f.names...) {
			continue
		}
		r.tell("measure " + strings.Join(f.names, ", "))
		if err := f.do(ctx); err != nil {
			return fmt.Errorf("measure %s: %w", f.names[0], err)
		}
	}
	return nil
}

// engine measures full builds from the stream of complete messages.
func (r *indexRun) engine(ctx context.Context) error {
	if !r.inCheckout("build") {
		return nil
	}
	var own, other, sizes, peaks []float64
	peerSize := math.NaN()
	messages, db := filepath.Join(r.home.dir, "messages"), filepath.Join(r.dir, "built.db")
	for range r.rounds {
		got, s, err := r.benchmark(ctx, r.home, "./gitmem/internal/index", "BenchmarkMessages", 1, "GITMEM_BENCH_MESSAGES="+
			messages, "TMPDIR="+r.dir)
		if err != nil {
			return err
		}
		own, sizes = append(own, s.cpu.Seconds()), append(sizes, got["index/text"])
		if s.peakKnown {
			peaks = append(peaks, float64(s.peak)/megabyte)
		}
		if noPeer != "" {
			continue
		}
		if s, err = r.buildPeer(ctx, db, messages); err != nil {
			return err
		}
		bytes, err := sizeOf(db)
		if err != nil {
			return err
		}
		other, peerSize = append(other, s.cpu.Seconds()), float64(bytes)/float64(r.written.Whole)
	}
	r.set("build", median(own), median(other), fmt.Sprintf("%d messages, whole", r.written.Came.Messages))
	r.set("memory", median(peaks), math.NaN(), "")
	r.set("size", median(sizes), peerSize, "FTS5's holds the text, too")
	return nil
}

// tables returns the file of FTS5's tables.
func (r *indexRun) tables() string { return filepath.Join(r.home.dir, "fts5.db") }

func (r *indexRun) peer(ctx context.Context, args ...string) (spent, error) {
	return r.home.run(ctx, r.self, append([]string{"fts5"}, args...)...)
}

// buildPeer rebuilds FTS5's tables.
func (r *indexRun) buildPeer(ctx context.Context, db, docs string) (spent, error) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(db + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return spent{}, err
		}
	}
	return r.peer(ctx, "build", db, docs)
}

// prepare brings both sides up to date.
func (r *indexRun) prepare(ctx context.Context) error {
	if _, err := r.index(ctx); err != nil || r.ready || noPeer != "" {
		return err
	}
	r.ready = true
	_, err := r.buildPeer(ctx, r.tables(), filepath.Join(r.home.dir, "documents"))
	return err
}

// whole measures a user's first indexing, including reading and redacting the transcripts; FTS5 receives the
// resulting texts.
func (r *indexRun) whole(ctx context.Context) error {
	var own, wall, peaks, other []float64
	for range r.rounds {
		if err := os.RemoveAll(r.home.cache()); err != nil {
			return err
		}
		s, err := r.index(ctx)
		if err != nil {
			return err
		}
		own, wall, peaks = append(own, s.cpu.Seconds()), append(wall, s.wall.Seconds()),
			append(peaks, float64(s.peak)/megabyte)
		if noPeer != "" {
			continue
		}
		if s, err = r.buildPeer(ctx, r.tables(), filepath.Join(r.home.dir, "documents")); err != nil {
			return err
		}
		r.ready = true
		other = append(other, s.cpu.Seconds())
	}
	size, err := sizeOf(r.home.cache())
	r.set("index", median(own), median(other),
		fmt.Sprintf("wall %.1f s, peak %.0f MB, %.2f of the text; FTS5 reads parsed texts",
			median(wall), median(peaks), float64(size)/float64(r.written.Whole)))
	return err
}

// warm measures queries within one process.
func (r *indexRun) warm(ctx context.Context) error {
	if !r.inCheckout("warm") {
		return nil
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	var own, other []float64
	for range r.rounds {
		got, _, err := r.benchmark(ctx, r.home, "./gitmem/internal/query", "BenchmarkWarmSearch", 1, "GITMEM_BENCH_QUERIES="+
			filepath.Join(r.home.dir, "queries"))
		if err != nil {
			return err
		}
		own = append(own, got["cpu-ms/query"])
		if noPeer != "" {
			continue
		}
		var t struct {
			CPU float64 `json:"cpu_ms"`
		}
		if _, err := r.home.answer(ctx, &t, r.self, "fts5", "warm", r.tables(),
			filepath.Join(r.home.dir, "queries-fts5")); err != nil {
			return err
		}
		other = append(other, t.CPU)
	}
	r.set("warm", median(own), median(other), fmt.Sprintf("%d queries", len(r.typed)))
	return nil
}

// cold measures one process for each query.
func (r *indexRun) cold(ctx context.Context) error {
	if err := r.prepare(ctx); err != nil {
		return err
	}
	var own, other processes
	for range r.rounds {
		own.round()
		other.round()
		for i, q := range r.typed {
			s, err := r.home.run(ctx, r.gitmem, search(q)...)
			if err != nil {
				return err
			}
			own.add(s)
			if noPeer != "" {
				continue
			}
			if s, err = r.peer(ctx, "query", r.tables(), r.words[i]); err != nil {
				return err
			}
			other.add(s)
		}
	}
	note := fmt.Sprintf("%d processes; CPU p50 %.1f ms", len(own.cpu), percentile(own.cpu, 50))
	if noPeer == "" {
		note += fmt.Sprintf(" and %.1f ms", percentile(other.cpu, 50))
	}
	r.set("cold", own.median(), other.median(), note)
	r.set("cold p95", own.p95(), other.p95(), "")
	return nil
}

// processes are the costs of many processes, in milliseconds.
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

// median returns the median of the rounds' medians, or NaN without any process.
func (p *processes) median() float64 {
	var of []float64
	for _, round := range p.rounds {
		if len(round) > 0 {
			of = append(of, percentile(round, 50))
		}
	}
	return median(of)
}

// p95 returns the 95th percentile of all processes.
func (p *processes) p95() float64 {
	if len(p.wall) == 0 {
		return math.NaN()
	}
	return percentile(p.wall, 95)
}

// newMessages is how many new messages a refresh finds.
const newMessages = 200

// refresh measures the process that indexes 200 new messages.
func (r *indexRun) refresh(ctx context.Context) error {
	if err := r.prepare(ctx); err != nil {
		return err
	}
	var own, cpu, other []float64
	for i := range r.rounds {
		h, err := r.more(ctx, i, newMessages)
		if err != nil {
			return err
		}
		if err := r.grow(h, i); err != nil {
			return err
		}
		s, err := r.indexNow(ctx, newMessages)
		if err != nil {
			return err
		}
		own, cpu = append(own, milliseconds(s.wall)), append(cpu, milliseconds(s.cpu))
		if noPeer != "" {
			continue
		}
		if s, err = r.peer(ctx, "append", r.tables(), filepath.Join(h.dir, "documents")); err != nil {
			return err
		}
		other = append(other, milliseconds(s.wall))
	}
	r.ready = false // the tables contain more than the corpus now
	r.set("refresh", median(own), median(other), fmt.Sprintf("CPU %.0f ms; FTS5 reads parsed texts", median(cpu)))
	return r.takeBack()
}

// indexNow brings the index up to date and checks that it has this many more documents.
func (r *indexRun) indexNow(ctx context.Context, more int) (spent, error) {
	before, err := r.indexed(ctx)
	if err != nil {
		return spent{}, err
	}
	s, err := r.index(ctx)
	if err != nil {
		return s, err
	}
	after, err := r.indexed(ctx)
	if err == nil && after-before != more {
		err = fmt.Errorf("the index holds %d documents after %d: expected %d more", after, before, more)
	}
	return s, err
}

// deletes measures the process that finds a deleted transcript, as after the client's retention period of
// some weeks.
func (r *indexRun) deletes(ctx context.Context) error {
	files, err := transcripts(r.home)
	if err != nil {
		return err
	}
	var own, cpu, other, counts []float64
	for i := range r.rounds {
		if err := r.prepare(ctx); err != nil {
			return err
		}
		name := files[i*7919%len(files)]
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		n := strings.Count(string(b), `"message":{`)
		if err := os.Remove(name); err != nil {
			return err
		}
		s, err := r.indexNow(ctx, -n)
		if err := errors.Join(err, os.WriteFile(name, b, 0o600)); err != nil {
			return err
		}
		own, cpu, counts = append(own, milliseconds(s.wall)), append(cpu, milliseconds(s.cpu)), append(counts, float64(n))
		if noPeer != "" {
			continue
		}
		if s, err = r.peer(ctx, "delete", r.tables(), strings.TrimSuffix(filepath.Base(name), ".jsonl")); err != nil {
			return err
		}
		r.ready = false
		other = append(other, milliseconds(s.wall))
	}
	r.set("deletes", median(own), median(other), fmt.Sprintf("of %.0f messages; CPU %.0f ms", median(counts), median(cpu)))
	return nil
}
