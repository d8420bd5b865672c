package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Options say what is measured and with what.
type Options struct {
	Dir     string // an empty folder, or one that an earlier run has left
	Corpus  Corpus
	Rounds  int           // of each figure, by turns with the other side
	Queries int           // at most
	Storm   time.Duration // how long readers and indexers run; 0: not at all
	Pace    time.Duration // a reader searches once in this time, an indexer in twice this time
	Only    []string      // names of figures; empty: all
	Self    string        // gitmem's own binary
	Peer    string        // FTS5's side, "" where there is none
	Missing string        // why there is none
	Env     []string
	Now     func() time.Time
	Tell    func(string) // hears what is being done
}

// errFigure says that a figure was asked for that there is none of.
var errFigure = errors.New("unknown figure")

// runner measures.
type runner struct {
	Options
	large, small home
	messages     string // file of the messages of large
	raw          Stream
	docs         string // file of what the product indexes of them
	stream       Stream
	queries      []Query
	rows         []Row
	built        map[string]bool // FTS5's tables that hold what the index holds
	oldest       []edit          // to be taken back
}

// Run measures the figures that are asked for. What it makes lies below o.Dir.
func Run(ctx context.Context, o Options) (Report, error) {
	for _, name := range o.Only {
		if !slices.Contains(Figures(), name) {
			return Report{}, fmt.Errorf("%w %q (%s)", errFigure, name, strings.Join(Figures(), ", "))
		}
	}
	r := &runner{Options: o, rows: plan(), built: map[string]bool{}}
	r.large = home{dir: filepath.Join(o.Dir, "large"), env: o.Env, now: o.Now}
	r.small = home{dir: filepath.Join(o.Dir, "small"), env: o.Env, now: o.Now}
	err := r.measure(ctx)
	rep := Report{
		Messages: o.Corpus.Messages, Sessions: o.Corpus.Sessions, Documents: r.stream.Documents, Text: r.raw.Bytes,
		Queries: len(r.queries), Rounds: o.Rounds, Rows: r.told(), Missing: o.Missing,
	}
	return rep, err
}

// told are the rows that were asked for, judged.
func (r *runner) told() []Row {
	var rows []Row
	for _, row := range r.rows {
		if r.wants(row.Name) {
			row.judge()
			rows = append(rows, row)
		}
	}
	return rows
}

func (r *runner) wants(names ...string) bool {
	return len(r.Only) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(r.Only, n) })
}

// set notes the values of a figure.
func (r *runner) set(name string, gitmem, fts5 *float64, note string) {
	for i := range r.rows {
		if r.rows[i].Name == name {
			r.rows[i].Gitmem, r.rows[i].FTS5, r.rows[i].Note = gitmem, fts5, note
		}
	}
}

func (r *runner) measure(ctx context.Context) error {
	if err := r.prepare(ctx); err != nil {
		return err
	}
	for _, f := range []struct {
		names []string
		do    func(context.Context) error
	}{
		{[]string{"build", "size", "memory"}, r.build},
		{[]string{"warm", "growth"}, r.warm},
		{[]string{"cold", "cold p95"}, r.cold},
		{[]string{"refresh"}, r.refresh},
		{[]string{"storm"}, r.crowd},
	} {
		if !r.wants(f.names...) {
			continue
		}
		r.Tell("measure " + strings.Join(f.names, ", "))
		if err := f.do(ctx); err != nil {
			return errors.Join(fmt.Errorf("measure %s: %w", f.names[0], err), r.takeBack())
		}
	}
	return r.takeBack()
}

// prepare makes the corpora, the documents that both sides read, and the queries.
func (r *runner) prepare(ctx context.Context) error {
	if err := r.corpus(ctx, r.large, r.Corpus); err != nil {
		return err
	}
	r.messages, r.docs = filepath.Join(r.Dir, "messages"), filepath.Join(r.Dir, "documents")
	r.Tell("read the messages")
	var err error
	if r.raw, err = WriteDocuments(r.messages, Messages(r.large.client())); err != nil {
		return err
	}
	if _, err := r.large.answer(ctx, &r.stream, r.Self, "bench", "child-documents", r.docs); err != nil {
		return err
	}
	if r.queries, err = DrawQueries(ReadDocuments(r.docs), r.Queries, r.Corpus.Seed); err != nil {
		return err
	}
	if len(r.queries) == 0 {
		return errors.New("the corpus holds no words to ask for")
	}
	return errors.Join(r.writeQueries("queries", func(q Query) string { return q.Typed }), r.writeQueries("queries-fts5", func(q Query) string { return q.Words }))
}

func (r *runner) writeQueries(name string, side func(Query) string) error {
	var b strings.Builder
	for _, q := range r.queries {
		b.WriteString(side(q) + "\n")
	}
	return os.WriteFile(filepath.Join(r.Dir, name), []byte(b.String()), 0o600)
}

// corpus writes a corpus unless an earlier run has left the same one. It is written
// by a process of its own, since children inherit the peak of their parent's memory.
func (r *runner) corpus(ctx context.Context, h home, c Corpus) error {
	mark := filepath.Join(h.dir, "corpus")
	name := fmt.Sprintf("%d messages, %d sessions, seed %d, form %d\n", c.Messages, c.Sessions, c.Seed, corpusForm)
	if b, err := os.ReadFile(mark); err == nil && string(b) == name {
		return nil
	}
	r.Tell("write " + strings.TrimSpace(name))
	if err := os.RemoveAll(h.dir); err != nil {
		return err
	}
	if err := h.make(); err != nil {
		return err
	}
	if _, err := h.run(ctx, r.Self, "bench", "corpus", h.client(), "--messages", strconv.Itoa(c.Messages),
		"--sessions", strconv.Itoa(c.Sessions), "--seed", strconv.FormatUint(c.Seed, 10)); err != nil {
		return err
	}
	return os.WriteFile(mark, []byte(name), 0o600)
}

// corpusForm changes with what a corpus of the same numbers holds.
const corpusForm = 1

// peer tells whether there is another side to measure.
func (r *runner) peer() bool { return r.Peer != "" }
