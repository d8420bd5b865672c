package embed

import (
	"context"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/gitmem/gitmem/gitmem/internal/embed/bert"
	"github.com/gitmem/gitmem/internal/slice"
)

// Classifier classifies sentences with the preceding sentence as context. It is safe for concurrent use.
type Classifier struct {
	encoder *Encoder
	model   *bert.Classifier
}

// OpenClassifier opens a classifier's file that was trained on top of the encoder. The bytes must not change.
func (e *Encoder) OpenClassifier(data []byte) (*Classifier, error) {
	m, err := e.model.OpenClassifier(data)
	return &Classifier{e, m}, err
}

// Passage is a text with its preceding text.
type Passage struct{ Before, Text string }

// The maximum numbers of pieces, as in training, of the preceding text and of the text.
const beforePieces, textPieces = 40, 84

// Classify returns for each passage the probability of each class of one of the classifier's heads. It uses a few
// processors in parallel.
func (c *Classifier) Classify(ctx context.Context, head int, list []Passage) ([][]float32, error) {
	const part, most = 64, 4
	out := make([][]float32, len(list))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(min(most, runtime.GOMAXPROCS(0)))
	for start := 0; start < len(list); start += part {
		g.Go(func() error {
			pairs := slice.Map(list[start:min(len(list), start+part)], c.encoder.pair)
			probable, err := c.model.Classify(ctx, head, pairs)
			copy(out[start:], probable)
			return err
		})
	}
	return out, g.Wait()
}

// pair returns the pieces of a passage.
func (e *Encoder) pair(p Passage) bert.Pair {
	first := e.pieces(strings.TrimSpace(p.Before), beforePieces+2)
	text := e.tokenizer.ids(p.Text, textPieces, []int32{})
	return bert.Pair{Pieces: append(append(first, text...), e.end), Second: len(first)}
}
