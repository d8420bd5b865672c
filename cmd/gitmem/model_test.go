package main

import (
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdModel writes a small static model in which the words on the same line of a file are similar, and those
// on different lines are not: model <folder> <file>.
func cmdModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: model <folder> <file of words>")
	}
	const dim = 64
	vocab := map[string]int{"[UNK]": 0}
	table := make([]byte, 4*dim)
	for text := range strings.Lines(ts.ReadFile(args[1])) {
		line := strings.Fields(text)
		for _, word := range line {
			if _, known := vocab[word]; known {
				ts.Fatalf("%s stands twice", word)
			}
			vocab[word] = len(vocab)
			table = append(table, rowLike(line[0], word, dim)...)
		}
	}
	header, err := json.Marshal(map[string]any{
		"embeddings": map[string]any{"dtype": "F32", "shape": []int{len(vocab), dim}, "data_offsets": []int{0, len(table)}},
	})
	ts.Check(err)
	tensors := append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), table...)
	tokenizer, err := json.Marshal(map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer"},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocab},
	})
	ts.Check(err)
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o700))
	for name, b := range map[string][]byte{"model.safetensors": tensors, "tokenizer.json": tokenizer,
		"config.json": []byte(`{"normalize": true}`)} {
		ts.Check(os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
}

// rowLike returns a row that is mostly that of the first word and a little the word's own.
func rowLike(first, word string, dim int) (b []byte) {
	common, own := wordRand(first), wordRand("own "+word)
	for range dim {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(common.NormFloat64()+0.2*own.NormFloat64())))
	}
	return b
}

func wordRand(word string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(word))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}
