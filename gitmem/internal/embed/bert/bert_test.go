package bert_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/embed/bert"
)

// trained returns a random encoder of a shape. Some channels are far larger than the others, as in trained encoders.
func trained(r *rand.Rand, s bert.Shape) *bert.Trained {
	numbers := func(n int, scale, mean float64) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(mean + scale*r.NormFloat64())
		}
		return out
	}
	linear := func(in, out int) bert.Linear {
		return bert.Linear{Weights: numbers(in*out, 1/math.Sqrt(float64(in)), 0), Bias: numbers(out, 0.1, 0)}
	}
	norm := func() bert.Norm {
		n := bert.Norm{Gamma: numbers(s.Dims, 0.1, 1), Beta: numbers(s.Dims, 0.1, 0)}
		n.Gamma[3], n.Beta[9] = 3, -2
		return n
	}
	t := &bert.Trained{
		Shape: s, WordRows: numbers(s.Pieces*s.Dims, 0.05, 0), PositionRows: numbers(s.Positions*s.Dims, 0.02, 0),
		First: norm(),
	}
	for i := range s.Pieces {
		t.Vocabulary = append(t.Vocabulary, fmt.Sprintf("%04d", i))
	}
	for range s.Layers {
		t.Stack = append(t.Stack, bert.Layer{
			Attention: linear(s.Dims, 3*s.Dims), Attended: linear(s.Dims, s.Dims), AttendedNorm: norm(),
			Up: linear(s.Dims, s.Inner), Down: linear(s.Inner, s.Dims), Norm: norm(),
		})
	}
	return t
}

// texts returns random texts of up to most pieces, one of them empty.
func texts(r *rand.Rand, n, pieces, most int) [][]int32 {
	out := [][]int32{{}}
	for range n {
		ids := make([]int32, 1+r.IntN(most))
		for i := range ids {
			ids[i] = int32(r.IntN(pieces))
		}
		out = append(out, ids)
	}
	return out
}

func cosine(a, b []float32) float64 {
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

// exact returns the vector of a text in float64.
func exact(t *bert.Trained, ids []int32) []float32 {
	out := make([]float32, t.Dims)
	for _, row := range exactRows(t, ids) {
		for i, v := range row {
			out[i] += float32(v)
		}
	}
	return out
}

// exactRows returns the last layer of a text in float64, by the formulas of BERT (Devlin et al., 2018).
func exactRows(t *bert.Trained, ids []int32) [][]float64 {
	d := t.Dims
	normalised := func(x []float64, n bert.Norm) {
		mean, variance := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(d)
		}
		for _, v := range x {
			variance += (v - mean) * (v - mean) / float64(d)
		}
		for i := range x {
			x[i] = (x[i]-mean)/math.Sqrt(variance+1e-12)*float64(n.Gamma[i]) + float64(n.Beta[i])
		}
	}
	times := func(x []float64, l bert.Linear) []float64 {
		out := make([]float64, len(l.Bias))
		for o := range out {
			out[o] = float64(l.Bias[o])
			for i, v := range x {
				out[o] += v * float64(l.Weights[o*len(x)+i])
			}
		}
		return out
	}
	rows := make([][]float64, len(ids))
	for p, id := range ids {
		rows[p] = make([]float64, d)
		for i := range d {
			rows[p][i] = float64(t.WordRows[int(id)*d+i]) + float64(t.PositionRows[p*d+i])
		}
		normalised(rows[p], t.First)
	}
	for _, l := range t.Stack {
		qkv := make([][]float64, len(rows))
		for p := range rows {
			qkv[p] = times(rows[p], l.Attention)
		}
		for p := range rows {
			context := make([]float64, d)
			for head := range t.Heads {
				size := d / t.Heads
				shares, sum := make([]float64, len(rows)), 0.0
				for k := range rows {
					for i := head * size; i < (head+1)*size; i++ {
						shares[k] += qkv[p][i] * qkv[k][d+i] / math.Sqrt(float64(size))
					}
					shares[k] = math.Exp(shares[k])
					sum += shares[k]
				}
				for k := range rows {
					for i := head * size; i < (head+1)*size; i++ {
						context[i] += shares[k] / sum * qkv[k][2*d+i]
					}
				}
			}
			for i, v := range times(context, l.Attended) {
				rows[p][i] += v
			}
			normalised(rows[p], l.AttendedNorm)
			inner := times(rows[p], l.Up)
			for i, v := range inner {
				inner[i] = v / 2 * (1 + math.Erf(v/math.Sqrt2))
			}
			for i, v := range times(inner, l.Down) {
				rows[p][i] += v
			}
			normalised(rows[p], l.Norm)
		}
	}
	return rows
}

// TestEncode compares the vectors of random encoders with the formulas, and each kernel with plain Go.
func TestEncode(t *testing.T) {
	t.Parallel()
	shapes := []bert.Shape{
		{Dims: 64, Layers: 1, Heads: 4, Inner: 64, Positions: 7, Pieces: 5},
		{Dims: 128, Layers: 2, Heads: 4, Inner: 256, Positions: 30, Pieces: 300},
		{Dims: 192, Layers: 1, Heads: 6, Inner: 384, Positions: 20, Pieces: 100},
	}
	for seed, s := range shapes {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		model := trained(r, s)
		data, err := model.Build(t.Context(), texts(r, 5, s.Pieces, s.Positions))
		if err != nil {
			t.Fatal(err)
		}
		if err := bert.Check(data); err != nil {
			t.Fatal(err)
		}
		m, err := bert.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		all := texts(r, 20, s.Pieces, s.Positions+3)
		plain, err := m.Using("plain Go").Encode(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		for i, ids := range all {
			ids = ids[:min(len(ids), s.Positions)]
			if len(ids) == 0 {
				if plain[i] != nil {
					t.Errorf("shape %d: the empty text has a vector", seed)
				}
				continue
			}
			if c := cosine(plain[i], exact(model, ids)); c < 0.9 {
				t.Errorf("shape %d, text %d: cosine %.4f with the formulas", seed, i, c)
			}
		}
		for _, k := range bert.Kernels() {
			got, err := m.Using(k).Encode(t.Context(), all)
			if err != nil {
				t.Fatal(err)
			}
			for i := range all {
				if !slices.Equal(got[i], plain[i]) {
					t.Fatalf("shape %d, %s, text %d: other numbers than plain Go's", seed, k, i)
				}
			}
		}
	}
}

// TestTogether: the vector of a text does not depend on the other texts of the batch.
func TestTogether(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 3))
	s := bert.Shape{Dims: 64, Layers: 2, Heads: 2, Inner: 128, Positions: 60, Pieces: 50}
	data, err := trained(r, s).Build(t.Context(), texts(r, 3, s.Pieces, s.Positions))
	if err != nil {
		t.Fatal(err)
	}
	m, err := bert.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	all := texts(r, 40, s.Pieces, s.Positions)
	together, err := m.Encode(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		alone, err := m.Encode(t.Context(), all[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(alone[0], together[i]) {
			t.Errorf("text %d has another vector alone", i)
		}
	}
}

func TestOpenDamaged(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 4))
	s := bert.Shape{Dims: 64, Layers: 1, Heads: 1, Inner: 64, Positions: 4, Pieces: 9}
	data, err := trained(r, s).Build(t.Context(), texts(r, 3, s.Pieces, s.Positions))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(data) {
		if n%97 != 0 && n > 64 {
			continue
		}
		if _, err := bert.Open(data[:n]); !errors.Is(err, bert.ErrFormat) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
	for i := range bert.HeaderBytes - 8 {
		bad := slices.Clone(data)
		bad[i] ^= 0x55
		_, _ = bert.Open(bad) // must not panic or use unbounded memory
	}
	bad := slices.Clone(data)
	bad[len(bad)-1]++
	if err := bert.Check(bad); !errors.Is(err, bert.ErrFormat) {
		t.Errorf("a changed weight: %v", err)
	}
}

func TestArithmetic(t *testing.T) {
	t.Parallel()
	for x := float32(-90); x <= 0; x += 0.0137 {
		want := math.Exp(float64(x))
		if got := float64(bert.Exp(x)); math.Abs(got-want) > 1e-3*want+1e-37 {
			t.Fatalf("e^%g = %g, want %g", x, got, want)
		}
	}
	for x := float32(-9); x < 9; x += 0.00313 {
		v := []float32{x}
		bert.Gelu(v)
		if want := float64(x) / 2 * (1 + math.Erf(float64(x)/math.Sqrt2)); math.Abs(float64(v[0])-want) > 0.0012 {
			t.Fatalf("gelu(%g) = %g, want %g", x, v[0], want)
		}
	}
}

// TestTiles compares the integer sums of each kernel with those of plain Go, also for the largest and smallest values
// and weights.
func TestTiles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	for _, in := range []int{64, 128, 384, 1536, 4096} {
		for _, kind := range []string{"random", "largest", "least"} {
			values, weights := make([]byte, bert.TileRows*in), make([]byte, bert.TileColumns*in)
			fill := func(b []byte, largest, least byte) {
				for i := range b {
					switch b[i] = byte(r.Uint32()); kind {
					case "largest":
						b[i] = largest
					case "least":
						b[i] = least
					}
				}
			}
			fill(values, 255, 0)
			fill(weights, 127, 0x80)
			want := bert.Tile("plain Go", values, weights, in)
			for _, k := range bert.Kernels() {
				if got := bert.Tile(k, values, weights, in); got != want {
					t.Errorf("%s, %s, %d inputs: other sums", k, kind, in)
				}
			}
		}
	}
}

// FuzzOpen opens files with a valid beginning followed by any bytes, and computes with those that can be opened.
func FuzzOpen(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 7))
	s := bert.Shape{Dims: 64, Layers: 1, Heads: 1, Inner: 64, Positions: 4, Pieces: 9}
	data, err := trained(r, s).Build(f.Context(), texts(r, 3, s.Pieces, s.Positions))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint16(12), byte(1))
	f.Fuzz(func(t *testing.T, at uint16, flip byte) {
		bad := slices.Clone(data)
		bad[int(at)%len(bad)] ^= flip
		m, err := bert.Open(bad)
		if err != nil {
			return
		}
		if _, err := m.Encode(t.Context(), [][]int32{{0, int32(m.Pieces - 1)}}); err != nil {
			t.Fatal(err)
		}
	})
}
