package gitmem

import (
	"context"

	"github.com/gitmem/gitmem/gitmem/internal/bench"
)

// BenchCorpus describes a corpus of invented sessions; the same numbers give the
// same bytes.
type BenchCorpus = bench.Corpus

// BenchWritten says what a corpus came to.
type BenchWritten = bench.Written

// WriteBenchCorpus writes a corpus below dir in the form of the client's
// transcripts: projects/<folder>/<session>.jsonl. Nothing else is touched.
func WriteBenchCorpus(ctx context.Context, dir string, c BenchCorpus) (BenchWritten, error) {
	return c.Write(ctx, dir)
}
