package gitmem

import (
	"context"
	"io"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/bench"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// BenchCorpus describes a corpus of invented sessions; the same numbers give the
// same bytes.
type BenchCorpus = bench.Corpus

// BenchWritten says what a corpus came to.
type BenchWritten = bench.Written

// BenchStream says what a file of documents holds.
type BenchStream = bench.Stream

// BenchTimed is what answering queries within one process took.
type BenchTimed = bench.Timed

// BenchOptions say what is measured and with what.
type BenchOptions = bench.Options

// BenchReport is what was measured. The JSON form is a public contract.
type BenchReport = bench.Report

// BenchRow is one figure of a report.
type BenchRow = bench.Row

// WriteBenchCorpus writes a corpus below dir in the form of the client's
// transcripts: projects/<folder>/<session>.jsonl. Nothing else is touched.
func WriteBenchCorpus(ctx context.Context, dir string, c BenchCorpus) (BenchWritten, error) {
	return c.Write(ctx, dir)
}

// RunBench measures the search engine beside SQLite FTS5.
func RunBench(ctx context.Context, o BenchOptions) (BenchReport, error) { return bench.Run(ctx, o) }

// BenchHookOptions say how hooks are measured.
type BenchHookOptions = bench.HookOptions

// BenchHookReport is what hooks take. The JSON form is a public contract.
type BenchHookReport = bench.HookReport

// RunBenchHooks measures each hook as a process of its own, beside an empty program.
func RunBenchHooks(ctx context.Context, o BenchHookOptions) (BenchHookReport, error) {
	return bench.RunHooks(ctx, o)
}

// BenchHistoryOptions say whose history is measured.
type BenchHistoryOptions = bench.HistoryOptions

// BenchHistoryReport is what reading a history takes beside git, and whether both
// read the same. The JSON form is a public contract.
type BenchHistoryReport = bench.HistoryReport

// BenchHistoryReading says how a history is printed.
type BenchHistoryReading = bench.HistoryReading

// RunBenchHistory measures reading a repository's history beside git log.
func RunBenchHistory(ctx context.Context, o BenchHistoryOptions) (BenchHistoryReport, error) {
	return bench.RunHistory(ctx, o)
}

// BenchReadHistory prints the history behind HEAD of a repository.
func BenchReadHistory(ctx context.Context, o BenchHistoryReading, to io.Writer) error {
	return bench.ReadHistory(ctx, o, to)
}

// BenchTeamOptions say of whose history the index is measured.
type BenchTeamOptions = bench.TeamOptions

// BenchTeamReport is what the index of a history takes. The JSON form is a public contract.
type BenchTeamReport = bench.TeamReport

// RunBenchTeam measures the index of a repository's history.
func RunBenchTeam(ctx context.Context, o BenchTeamOptions) (BenchTeamReport, error) {
	return bench.RunTeam(ctx, o)
}

// BenchFigures are the names that a run can be narrowed to.
func BenchFigures() []string { return bench.Figures() }

// BenchBuild builds an index in dir from a file of documents.
func BenchBuild(ctx context.Context, dir, documents string) error {
	_, err := bench.Build(ctx, dir, documents)
	return err
}

// BenchDocuments writes the documents that the transcripts are searched as to a
// file, for both sides of the measurement.
func (m *Memory) BenchDocuments(ctx context.Context, file string) (BenchStream, error) {
	update, err := (&transcriptFeed{m: m}).plan(map[string]index.Mark{}, index.Missing)
	if err != nil {
		return BenchStream{}, err
	}
	docs := update.Docs
	if docs == nil {
		docs = func(func(index.Doc, error) bool) {}
	}
	return bench.WriteDocuments(file, docs)
}

// BenchWarm answers each query in rounds with all that ranks the hits of Search,
// without fetching their texts. The index is opened once, before.
func (m *Memory) BenchWarm(ctx context.Context, queries []string, rounds int) (BenchTimed, error) {
	f := Filter{Project: "all", Limit: 20}
	q, err := m.query(ctx, f)
	if err != nil {
		return BenchTimed{}, err
	}
	view, err := m.view(ctx, q.Projects)
	if err != nil {
		return BenchTimed{}, err
	}
	defer view.close()
	return bench.Warm(ctx, queries, rounds, func() time.Time { return m.o.Now() }, func(ctx context.Context, text string) (int, error) {
		q := q
		q.Text = text
		res, err := view.search(ctx, q)
		return len(res.Hits), err
	})
}

// BuildBenchPeer builds FTS5's side from a checkout of gitmem into dir. It returns
// the program, or why there is none.
func BuildBenchPeer(ctx context.Context, checkout, dir string, env []string) (program, missing string) {
	return bench.BuildPeer(ctx, checkout, dir, env)
}
