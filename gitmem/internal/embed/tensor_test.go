package embed_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/embed/embedtest"
)

// safetensors returns a safetensors file with the given header.
func safetensors(header string, data int) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(out, header...), make([]byte, data)...)
}

func TestTensorsRefuse(t *testing.T) {
	t.Parallel()
	table := func(dtype, shape, offsets string) string {
		return `{"embeddings":{"dtype":"` + dtype + `","shape":` + shape + `,"data_offsets":` + offsets + `}}`
	}
	beside := func(more string) string {
		return `{"embeddings":{"dtype":"I8","shape":[2,2],"data_offsets":[0,4]},` + more + `}`
	}
	tests := []struct {
		name, want string
		src        []byte
	}{
		{"empty", "0 bytes are no safetensors file", nil},
		{"a header longer than the file", "the header is said to have", safetensors(table("F32", "[2,2]", "[0,16]"), 0)[:20]},
		{"a huge header", "the header is said to have 18446744073709551615 bytes",
			[]byte("\xff\xff\xff\xff\xff\xff\xff\xff{}")},
		{"no JSON", "the header is no JSON object", safetensors("hello", 16)},
		{"cut off", "lie outside the file", safetensors(table("F32", "[2,2]", "[0,16]"), 15)},
		{"offsets backwards", "lie outside the file", safetensors(table("F32", "[2,2]", "[16,0]"), 16)},
		{"one offset", "lie outside the file", safetensors(table("F32", "[2,2]", "[0]"), 16)},
		{"a negative offset", `tensor "embeddings"`, safetensors(table("F32", "[2,2]", "[-4,12]"), 16)},
		{"another size", "wants 16 bytes, 12 are there", safetensors(table("F32", "[2,2]", "[0,12]"), 16)},
		{"a shape that overflows", "is too large", safetensors(table("F32", "[4294967296,4294967296]", "[0,0]"), 16)},
		{"a negative shape", "is too large", safetensors(table("F32", "[-1,2]", "[0,16]"), 16)},
		{"no dimensions", "the embeddings have the shape [4 0]", safetensors(table("F32", "[4,0]", "[0,0]"), 16)},
		{"one dimension", "the embeddings have the shape [4]", safetensors(table("F32", "[4]", "[0,16]"), 16)},
		{"brain floats", "the embeddings are BF16: F32, F16 and I8", safetensors(table("BF16", "[2,2]", "[0,8]"), 16)},
		{"another tensor", `neither "embeddings" nor "embedding.weight"`,
			safetensors(`{"wte":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 16)},
		{"a mapping past the end", "the mapping sends token 0 to row 2 of 2",
			safetensors(beside(`"mapping":{"dtype":"I32","shape":[1],"data_offsets":[4,8]}`), 4)},
		{"a mapping of fractions", "the mapping are F32",
			safetensors(beside(`"mapping":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`), 4)},
		{"a table of weights", "the weights have the shape [1 1]",
			safetensors(beside(`"weights":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}`), 4)},
		{"whole weights", "the weights are I8",
			safetensors(beside(`"weights":{"dtype":"I8","shape":[4],"data_offsets":[0,4]}`), 4)},
	}
	for i := range tests {
		if tests[i].name == "a mapping past the end" {
			tests[i].src = append(tests[i].src, 2, 0, 0, 0)
		}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, _, err := embed.ParseTensors(tt.src); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func FuzzTensors(f *testing.F) {
	for _, dtype := range []string{"F32", "F16", "I8"} {
		m := vocabulary()
		m.DType, m.Weights, m.Mapping = dtype, make([]float64, len(m.Pieces())), make([]int, len(m.Pieces()))
		f.Add(m.Tensors())
	}
	f.Add(safetensors(`{"embeddings":{"dtype":"F32","shape":[0,9223372036854775807],"data_offsets":[0,0]}}`, 0))
	f.Fuzz(func(t *testing.T, src []byte) {
		rows, dim, err := embed.ParseTensors(src)
		if err == nil && (rows < 1 || dim < 1 || rows*dim > len(src)) {
			t.Fatalf("%d × %d out of %d bytes", rows, dim, len(src))
		}
	})
}

// For each kind of damage to an installed model the error names the file and the cause.
func TestDamagedModels(t *testing.T) {
	t.Parallel()
	cut := func(b []byte) []byte { return b[:len(b)-5] }
	flip := func(b []byte) []byte { b[len(b)/2] ^= 0x40; return b }
	tests := []struct {
		name, file, want string
		damage           func([]byte) []byte // nil deletes the file
		is               error
	}{
		{"shorter tensors", "model.safetensors", "when it was imported", cut, embed.ErrDamaged},
		{"other tensors", "model.safetensors", "not those that were imported", flip, embed.ErrDamaged},
		{"other tokenizer", "tokenizer.json", "not those that were imported", flip, embed.ErrDamaged},
		{"no tokenizer", "tokenizer.json", "a model has", nil, os.ErrNotExist},
		{"no record", "gitmem.json", "no model is in", nil, os.ErrNotExist},
		{"half a record", "gitmem.json", "gitmem.json", cut, embed.ErrDamaged},
		{"another file in the record", "gitmem.json", "is no file of a model", func(b []byte) []byte {
			return []byte(strings.Replace(string(b), "config.json", "../config.", 1))
		}, embed.ErrDamaged},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			models := install(t, embedtest.Model{Vocab: []string{"a", "b"}, Dim: 3})
			file := filepath.Join(models, "tiny", tt.file)
			if tt.damage == nil {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			} else {
				b, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, tt.damage(b), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := embed.LoadStatic(filepath.Join(models, "tiny"))
			if err == nil || !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) ||
				!strings.Contains(err.Error(), "tiny") {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			list, err := embed.List(models)
			if err != nil || len(list) != 1 || list[0].Err == nil {
				t.Errorf("List = %+v, %v", list, err)
			}
			if err := embed.Verify(filepath.Join(models, "tiny")); err == nil {
				t.Error("Verify sees nothing")
			}
		})
	}
}

// install imports a model and returns the folder of models.
func install(t *testing.T, m embedtest.Model) string {
	t.Helper()
	dir, models := filepath.Join(t.TempDir(), "made"), filepath.Join(t.TempDir(), "models")
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := embed.Import(t.Context(), dir, models, "tiny"); err != nil {
		t.Fatal(err)
	}
	return models
}

func TestImport(t *testing.T) {
	t.Parallel()
	m := embedtest.Model{Vocab: []string{"a", "b"}, Dim: 3, Seed: 1}
	models := install(t, m)
	before, err := embed.ReadRecord(filepath.Join(models, "tiny"))
	if err != nil || before.Dim != 3 || before.Tokens != 3 || len(before.Files) != 3 || before.Bytes() == 0 {
		t.Fatalf("record %+v, %v", before, err)
	}
	refused := func(name string, change func(dir string) error) {
		dir := filepath.Join(t.TempDir(), "made")
		if err := errors.Join(m.Write(dir), change(dir)); err != nil {
			t.Fatal(err)
		}
		if _, err := embed.Import(t.Context(), dir, models, "tiny"); err == nil {
			t.Errorf("%s was imported", name)
		}
		if after, err := embed.ReadRecord(filepath.Join(models, "tiny")); err != nil ||
			after.Fingerprint() != before.Fingerprint() {
			t.Errorf("%s: the model that was there is now %+v, %v", name, after, err)
		}
	}
	other := embedtest.Model{Vocab: []string{"a", "b", "c", "d"}, Dim: 3}
	zero := embedtest.Model{Vocab: []string{"a", "b"}, Dim: 1, Rows: [][]float64{{0}, {0}, {0}}}
	strange := embedtest.Model{Vocab: []string{"ß", "ß"}, Dim: 3}
	refused("no tensors", func(dir string) error { return os.Remove(filepath.Join(dir, "model.safetensors")) })
	refused("a tokenizer of another model", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "tokenizer.json"), other.Tokenizer(), 0o600)
	})
	refused("rows of zeros", func(dir string) error { return zero.Write(dir) })
	refused("words that nobody writes", func(dir string) error { return strange.Write(dir) })
	refused("a broken configuration", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "config.json"), []byte("{"), 0o600)
	})
	if list, err := embed.List(models); err != nil || len(list) != 1 || list[0].Err != nil {
		t.Errorf("List = %+v, %v", list, err)
	}
	for _, name := range []string{"", "..", ".x", "a/b", "x.part", strings.Repeat("x", 200)} {
		if _, err := embed.Import(t.Context(), filepath.Join(models, "tiny"), models, name); err == nil {
			t.Errorf("a model was called %q", name)
		}
	}
	if err := embed.Remove(models, "tiny"); err != nil {
		t.Fatal(err)
	}
	if err := embed.Remove(models, "tiny"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("removed twice: %v", err)
	}
}

// sentence-transformers stores a static model in a separate folder.
func TestImportOtherLayout(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := embedtest.Model{Vocab: []string{"a", "b"}, Dim: 3, Layout: "embedding.weight"}
	if err := m.Write(filepath.Join(dir, "0_StaticEmbedding")); err != nil {
		t.Fatal(err)
	}
	if r, err := embed.Import(t.Context(), dir, t.TempDir(), "st"); err != nil || r.Dim != 3 {
		t.Errorf("Import = %+v, %v", r, err)
	}
}
