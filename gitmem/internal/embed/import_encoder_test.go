package embed_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
)

// bertFolder writes a random encoder in the layout of sentence-transformers: one layer of 64 dimensions, with the given
// names of the parameters of normalisations.
func bertFolder(t *testing.T, gamma, beta, prefix, vocabulary string) string {
	t.Helper()
	const dims, inner, positions = 64, 128, 16
	pieces := strings.Fields("[PAD] [UNK] [CLS] [SEP] why did we drop the cache ##s ?")
	shapes := map[string][]int{
		"embeddings.word_embeddings.weight":       {len(pieces), dims},
		"embeddings.position_embeddings.weight":   {positions, dims},
		"embeddings.token_type_embeddings.weight": {2, dims},
		"embeddings.LayerNorm." + gamma:           {dims},
		"embeddings.LayerNorm." + beta:            {dims},
	}
	layer := "encoder.layer.0."
	for name, in := range map[string][2]int{
		"attention.self.query": {dims, dims}, "attention.self.key": {dims, dims}, "attention.self.value": {dims, dims},
		"attention.output.dense": {dims, dims}, "intermediate.dense": {inner, dims}, "output.dense": {dims, inner},
	} {
		shapes[layer+name+".weight"], shapes[layer+name+".bias"] = in[:], []int{in[0]}
	}
	for _, name := range []string{"attention.output.LayerNorm.", "output.LayerNorm."} {
		shapes[layer+name+gamma], shapes[layer+name+beta] = []int{dims}, []int{dims}
	}
	r := rand.New(rand.NewPCG(1, 1))
	header, data := map[string]any{}, []byte{}
	for name, shape := range shapes {
		n, start := 1, len(data)
		for _, d := range shape {
			n *= d
		}
		for range n {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(0.1*r.NormFloat64())))
		}
		header[prefix+name] = map[string]any{"dtype": "F32", "shape": shape, "data_offsets": []int{start, len(data)}}
	}
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("model.safetensors", string(binary.LittleEndian.AppendUint64(nil, uint64(len(head))))+string(head)+string(data))
	write("config.json", `{"model_type":"bert","hidden_act":"gelu","num_attention_heads":2}`)
	write("1_Pooling/config.json", `{"pooling_mode_cls_token":false,"pooling_mode_mean_tokens":true}`)
	write("sentence_bert_config.json", `{"max_seq_length":12}`)
	switch vocabulary {
	case "vocab.txt":
		write("vocab.txt", strings.Join(pieces, "\n")+"\n")
	case "tokenizer.json":
		ids := map[string]int{}
		for i, p := range pieces {
			ids[p] = i
		}
		vocab, err := json.Marshal(ids)
		if err != nil {
			t.Fatal(err)
		}
		write("tokenizer.json", fmt.Sprintf(`{
			"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "lowercase": true},
			"pre_tokenizer": {"type": "BertPreTokenizer"},
			"model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": %s}}`, vocab))
	}
	return dir
}

// TestImportEncoder imports an encoder with the parameter names of several versions of transformers and either
// vocabulary file, and opens the result.
func TestImportEncoder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ gamma, beta, prefix, vocabulary string }{
		{"weight", "bias", "", "tokenizer.json"}, {"gamma", "beta", "bert.", "vocab.txt"},
	} {
		models := t.TempDir()
		r, err := embed.Import(t.Context(), bertFolder(t, c.gamma, c.beta, c.prefix, c.vocabulary), models, "mine")
		if err != nil || r.Dim != 64 || r.Tokens != 12 {
			t.Fatalf("%+v: imported %+v, %v", c, r, err)
		}
		dir := filepath.Join(models, "mine")
		if err := embed.Verify(dir); err != nil {
			t.Error(err)
		}
		e, err := embed.LoadEncoder(dir)
		if err != nil {
			t.Fatal(err)
		}
		want := "[CLS] why did we drop the cache ##s [UNK] ? [UNK] [SEP]"
		got := strings.Join(embed.Pieces(e, "Why did WE drop the caches really? And why"), " ")
		if got != want {
			t.Errorf("pieces %q, want %q", got, want)
		}
		file := filepath.Join(dir, "encoder.gmbert")
		if err := os.Truncate(file, 5000); err != nil {
			t.Fatal(err)
		}
		if _, err := embed.LoadEncoder(dir); !errors.Is(err, embed.ErrDamaged) {
			t.Errorf("a cut file: %v", err)
		}
	}
	if _, err := embed.Import(t.Context(), bertFolder(t, "weight", "bias", "", ""), t.TempDir(), "mine"); err == nil ||
		!strings.Contains(err.Error(), "vocab.txt") {
		t.Errorf("without a vocabulary: %v", err)
	}
}
