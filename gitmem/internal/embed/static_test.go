package embed_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/embed/embedtest"
)

// load writes a model, imports it and loads the result.
func load(t *testing.T, m embedtest.Model) *embed.Static {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "made")
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	models := t.TempDir()
	if _, err := embed.Import(t.Context(), dir, models, "tiny"); err != nil {
		t.Fatal(err)
	}
	s, err := embed.LoadStatic(filepath.Join(models, "tiny"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func embedOne(t *testing.T, s *embed.Static, text string) []float32 {
	t.Helper()
	got, err := s.Embed(t.Context(), embed.Document, []string{text})
	if err != nil || len(got) != 1 {
		t.Fatalf("Embed = %d vectors, %v", len(got), err)
	}
	return got[0]
}

func TestMeansByHand(t *testing.T) {
	t.Parallel()
	// The letter a is in the vocabulary since an import encodes a sentence of letters.
	rows := [][]float64{{100, 100}, {1, 0}, {0, 2}, {-3, 4}, {8, 8}}
	plain := embedtest.Model{Vocab: []string{"red", "green", "a", "##er"}, Rows: rows}
	with := func(change func(*embedtest.Model)) embedtest.Model {
		m := plain
		change(&m)
		return m
	}
	tests := []struct {
		name, text string
		model      embedtest.Model
		want       []float32
	}{
		{"one", "red", plain, []float32{1, 0}},
		{"three", "red GREEN a", plain, []float32{-2. / 3, 2}},
		{"unknown ones are dropped", "red [UNK] zzz green", plain, []float32{0.5, 1}},
		{"pieces", "reder", plain, []float32{4.5, 4}},
		{"a word with an unknown part is dropped whole", "red redx", plain, []float32{1, 0}},
		{"nothing", "", plain, nil},
		{"blanks", " \t\n", plain, nil},
		{"only unknown", "zzz ???", plain, nil},
		{"of length zero", "red red a a a a a a", with(func(m *embedtest.Model) {
			m.Rows = [][]float64{{9, 9}, {3, 0}, {1, 1}, {-1, 0}, {1, 1}}
		}), nil},
		{"length one", "a", with(func(m *embedtest.Model) { m.Normalize = true }), []float32{-0.6, 0.8}},
		{"weights by token", "red green", with(func(m *embedtest.Model) {
			m.Weights = []float64{1, 0.5, 3, 1, 1}
		}), []float32{0.25, 3}},
		{"mapping to rows", "red green", with(func(m *embedtest.Model) {
			m.Mapping = []int{0, 3, 3, 1, 0}
		}), []float32{-3, 4}},
		{"weights by token before the mapping", "red green", with(func(m *embedtest.Model) {
			m.Mapping, m.Weights = []int{0, 3, 3, 1, 0}, []float64{1, 0, 1, 1, 1}
		}), []float32{-1.5, 2}},
		{"half floats", "red green a", with(func(m *embedtest.Model) { m.DType = "F16" }), []float32{-2. / 3, 2}},
		{"whole numbers", "red green a", with(func(m *embedtest.Model) { m.DType = "I8" }), []float32{-2. / 3, 2}},
		{"another layout", "red", with(func(m *embedtest.Model) { m.Layout = "embedding.weight" }), []float32{1, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, embedOne(t, load(t, tt.model), tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// reference embeds a text of plain lower-case words by the definition, in float64.
func reference(m embedtest.Model, text string) []float64 {
	table, sum, n := m.Table(), make([]float64, m.Dim), 0
	for _, word := range strings.Fields(text) {
		id := slices.Index(m.Vocab, word) + 1
		if id == 0 || n == 512 {
			continue
		}
		n++
		row, weight := id, 1.0
		if m.Mapping != nil {
			row = m.Mapping[id]
		}
		if m.Weights != nil {
			weight = m.Weights[id]
		}
		for d := range sum {
			sum[d] += weight * table[row][d]
		}
	}
	if n == 0 {
		return nil
	}
	length := 0.0
	for d := range sum {
		sum[d] /= float64(n)
		length += sum[d] * sum[d]
	}
	if m.Normalize {
		for d := range sum {
			sum[d] /= math.Sqrt(length)
		}
	}
	return sum
}

func words(n int) []string {
	out := []string{"a"}
	for i := range n {
		out = append(out, fmt.Sprintf("w%s", strings.Repeat(string(rune('a'+i%26)), 1+i/26)))
	}
	return out
}

func TestAgainstTheDefinition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	for i, dtype := range []string{"F32", "F16", "I8", "F32", "F32", "F16"} {
		m := embedtest.Model{Vocab: words(60), Dim: 5 + 13*i, DType: dtype, Seed: uint64(i), Normalize: i%2 == 0}
		if i >= 3 {
			for range m.Pieces() {
				m.Weights = append(m.Weights, float64(float32(r.Float64()*2)))
			}
		}
		if i >= 4 {
			for range m.Pieces() {
				m.Mapping = append(m.Mapping, r.IntN(len(m.Pieces())))
			}
		}
		s := load(t, m)
		for range 100 {
			var text []string
			for range r.IntN(700) {
				text = append(text, append(m.Vocab, "zz", "unknown")[r.IntN(len(m.Vocab)+2)])
			}
			joined := strings.Join(text, " ")
			got, want := embedOne(t, s, joined), reference(m, joined)
			if len(got) != len(want) {
				t.Fatalf("%d dimensions, want %d", len(got), len(want))
			}
			for d := range got {
				if math.Abs(float64(got[d])-want[d]) > 1e-4*(1+math.Abs(want[d])) {
					t.Fatalf("model %d: dimension %d is %v, want %v", i, d, got[d], want[d])
				}
			}
		}
	}
}

// TestRealModel imports and uses the model in the folder that GITMEM_TEST_MODEL_DIR names.
func TestRealModel(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("GITMEM_TEST_MODEL_DIR")
	if dir == "" {
		t.Skip("GITMEM_TEST_MODEL_DIR names no folder with a model2vec model")
	}
	models := t.TempDir()
	if _, err := embed.Import(t.Context(), dir, models, "real"); err != nil {
		t.Fatal(err)
	}
	s, err := embed.LoadStatic(filepath.Join(models, "real"))
	if err != nil {
		t.Fatal(err)
	}
	ask := embedOne(t, s, "how do we sign in users")
	near, far := embedOne(t, s, "authentication of accounts by password"),
		embedOne(t, s, "the pump is mounted on a steel plate")
	if embed.Cosine(ask, near) <= embed.Cosine(ask, far) {
		t.Error("a paraphrase is not nearer than something else")
	}
}
