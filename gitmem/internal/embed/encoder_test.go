package embed_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/embed/bert"
)

// builtin opens the built-in encoder.
func builtin(t testing.TB) *embed.Encoder {
	t.Helper()
	data, err := os.ReadFile("../../../templates/meaning/encoder.gmbert")
	if err != nil {
		t.Fatal(err)
	}
	if err := bert.Check(data); err != nil {
		t.Fatal(err)
	}
	e, err := embed.OpenEncoder(data)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestReference compares the built-in encoder, with every kernel, with the pieces and vectors of the same weights in
// the transformers library (5.3.0, float32).
func TestReference(t *testing.T) {
	t.Parallel()
	e := builtin(t)
	src, err := os.ReadFile("testdata/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(src)); lines.Scan(); {
		var want struct {
			Text   string
			Pieces []string
			Vector []float64
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Pieces, embed.Pieces(e, want.Text)); diff != "" {
			t.Errorf("%.40q: pieces (-want +got):\n%s", want.Text, diff)
		}
		for _, kernel := range bert.Kernels() {
			got, err := e.Using(kernel).Embed(t.Context(), embed.Document, []string{want.Text})
			if err != nil {
				t.Fatal(err)
			}
			if c := cosineOf(want.Vector, got[0]); c < 0.995 {
				t.Errorf("%s, %.40q: cosine %.4f", kernel, want.Text, c)
			}
		}
	}
}

func cosineOf(a []float64, b []float32) float64 {
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		x, y := a[i], float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

func TestConvertRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ config, pooling, want string }{
		"another type":       {`{"model_type":"roberta","num_attention_heads":2}`, "", `its type is "roberta"`},
		"another activation": {`{"num_attention_heads":2,"hidden_act":"relu"}`, "", `its activation is "relu"`},
		"no heads":           {`{}`, "", "num_attention_heads is missing"},
		"another pooling": {`{"num_attention_heads":2}`, `{"pooling_mode_cls_token":true}`,
			"it has pooling_mode_cls_token"},
		"no tensors": {`{"num_attention_heads":2}`, "", "model.safetensors"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files := map[string]string{"config.json": c.config, "1_Pooling/config.json": c.pooling}
			for file, text := range files {
				if text == "" {
					continue
				}
				path := filepath.Join(dir, file)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := embed.ConvertEncoder(t.Context(), dir); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestRandomStrings compares the vectors of random strings by each kernel with those of plain Go, which is the last
// kernel.
func TestRandomStrings(t *testing.T) {
	t.Parallel()
	n := 12
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		n = 10_000
	}
	e, r := builtin(t), rand.New(rand.NewPCG(6, 6))
	alphabet := []rune("aeiounrst aeioust bcdfghjklmpqvwxyz 0123456789 .,:;/()#_-ÄéßñçœЖя日本語漢字🙂\n\t\x00\u200b")
	for range n {
		text := make([]rune, r.IntN(24))
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		want, err := e.Using("plain Go").Embed(t.Context(), embed.Document, []string{string(text)})
		if err != nil {
			t.Fatal(err)
		}
		for _, kernel := range bert.Kernels()[:len(bert.Kernels())-1] {
			got, err := e.Using(kernel).Embed(t.Context(), embed.Document, []string{string(text)})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got[0], want[0]) {
				t.Errorf("%s, %q: other numbers than plain Go's", kernel, string(text))
			}
		}
	}
}
