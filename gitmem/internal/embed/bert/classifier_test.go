package bert_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/embed/bert"
)

// classifier returns a random encoder and a random classifier on one of its layers.
func classifier(t *testing.T, r *rand.Rand) (*bert.Trained, *bert.Model, *bert.TrainedClassifier) {
	t.Helper()
	s := bert.Shape{Dims: 64, Layers: 2, Heads: 4, Inner: 128, Positions: 30, Pieces: 50}
	encoder := trained(r, s)
	data, err := encoder.Build(t.Context(), texts(r, 5, s.Pieces, s.Positions))
	if err != nil {
		t.Fatal(err)
	}
	m, err := bert.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	own := &bert.TrainedClassifier{Shared: 1, Stack: trained(r, s).Stack[:1]}
	for _, classes := range []int{3, 5} {
		h := bert.Linear{Weights: make([]float32, classes*3*s.Dims), Bias: make([]float32, classes)}
		for i := range h.Weights {
			h.Weights[i] = float32(r.NormFloat64() / 8)
		}
		h.Bias[1] = 0.5
		own.Heads = append(own.Heads, h)
	}
	return encoder, m, own
}

// exactly returns the probabilities of a pair's classes in float64.
func exactly(t *bert.Trained, c *bert.TrainedClassifier, head int, p bert.Pair) []float64 {
	both := *t
	both.Stack = append(slices.Clone(t.Stack[:c.Shared]), c.Stack...)
	rows := exactRows(&both, p.Pieces)
	known := slices.Clone(rows[0])
	for _, part := range [][][]float64{rows[:p.Second], rows[p.Second:]} {
		for d := range t.Dims {
			mean := 0.0
			for _, row := range part {
				mean += row[d] / float64(len(part))
			}
			known = append(known, mean)
		}
	}
	out, sum := []float64{}, 0.0
	for class, score := range c.Heads[head].Bias {
		total := float64(score)
		for i, x := range known {
			total += x * float64(c.Heads[head].Weights[class*len(known)+i])
		}
		out = append(out, math.Exp(total))
		sum += math.Exp(total)
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// TestClassify compares a random classifier with the formulas, and each kernel with plain Go.
func TestClassify(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 8))
	encoder, m, own := classifier(t, r)
	data, err := own.Build(t.Context(), m, texts(r, 5, m.Pieces, m.Positions))
	if err != nil {
		t.Fatal(err)
	}
	var pairs []bert.Pair
	for _, ids := range texts(r, 20, m.Pieces, m.Positions)[1:] {
		if len(ids) > 2 {
			pairs = append(pairs, bert.Pair{Pieces: ids, Second: 1 + r.IntN(len(ids)-2)})
		}
	}
	for head := range own.Heads {
		var plain [][]float32
		apart, n := 0.0, 0
		for _, k := range append([]string{"plain Go"}, bert.Kernels()...) {
			c, err := m.Using(k).OpenClassifier(data)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Classify(t.Context(), head, pairs)
			if err != nil {
				t.Fatal(err)
			}
			if plain == nil {
				plain = got
			}
			for i := range pairs {
				if !slices.Equal(got[i], plain[i]) {
					t.Fatalf("%s, pair %d: other numbers than plain Go's", k, i)
				}
			}
		}
		for i, p := range pairs {
			for class, want := range exactly(encoder, own, head, p) {
				apart, n = apart+math.Abs(float64(plain[i][class])-want), n+1
			}
		}
		if apart /= float64(n); apart > 0.03 {
			t.Errorf("head %d: probabilities are %.3f from those of the formulas", head, apart)
		}
	}
}

func TestOpenClassifierDamaged(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 9))
	_, m, own := classifier(t, r)
	data, err := own.Build(t.Context(), m, texts(r, 3, m.Pieces, m.Positions))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(data) {
		if n > 64 && n%997 != 0 {
			continue
		}
		if _, err := m.OpenClassifier(data[:n]); !errors.Is(err, bert.ErrFormat) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
		bad := slices.Clone(data)
		bad[n] ^= 0x55
		if _, err := m.OpenClassifier(bad); !errors.Is(err, bert.ErrFormat) {
			t.Fatalf("byte %d is changed: %v", n, err)
		}
	}
	if _, other, _ := classifier(t, r); other != nil {
		if _, err := other.OpenClassifier(data); !errors.Is(err, bert.ErrFormat) {
			t.Errorf("a classifier of another encoder: %v", err)
		}
	}
}
