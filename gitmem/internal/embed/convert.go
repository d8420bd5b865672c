package embed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/embed/bert"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/mmap"
)

// The files of an encoder in addition to those of a static model, and the file it is converted to.
const (
	vocabularyFile = "vocab.txt"
	poolingFile    = "1_Pooling/config.json"
	readingFile    = "sentence_bert_config.json"
	modulesFile    = "modules.json"
	casingFile     = "tokenizer_config.json"
	encoderFile    = "encoder.gmbert"
)

// maxPositions limits the pieces of a text that are used, since the work grows quadratically.
const maxPositions = 256

// encoderConfig contains the relevant fields of an encoder's config.json, as in the transformers library; PiecesRead
// limits the pieces of a text further.
type encoderConfig struct {
	Type       string  `json:"model_type"`
	Heads      int     `json:"num_attention_heads"`
	Activation string  `json:"hidden_act"`
	Epsilon    float64 `json:"layer_norm_eps"`
	Embedding  string  `json:"position_embedding_type"`
	PiecesRead int     `json:"max_seq_length"`
}

// ConvertEncoder returns the file of the BERT encoder in a folder with the sentence-transformers layout:
// model.safetensors, config.json, and tokenizer.json or vocab.txt. It returns an error for unsupported models.
func ConvertEncoder(ctx context.Context, dir string) ([]byte, error) {
	var c encoderConfig
	for _, file := range []string{readingFile, configFile} {
		if err := readJSON(filepath.Join(dir, file), &c); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, damaged(dir, file, err)
		}
	}
	if err := c.validate(); err != nil {
		return nil, damaged(dir, configFile, err)
	}
	if err := checkPooling(dir); err != nil {
		return nil, damaged(dir, poolingFile, err)
	}
	if err := checkModules(dir); err != nil {
		return nil, damaged(dir, modulesFile, err)
	}
	src, release, err := mmap.Open(filepath.Join(dir, tensorsFile), maxModelBytes, false)
	if err != nil {
		return nil, missing(err)
	}
	defer release()
	all, err := parseTensors(src)
	if err != nil {
		return nil, damaged(dir, tensorsFile, err)
	}
	vocab, err := readVocabulary(dir)
	if err != nil {
		return nil, err
	}
	t, err := trained(all, vocab, c)
	if err != nil {
		return nil, damaged(dir, tensorsFile, err)
	}
	return t.Build(ctx, samplePieces(t))
}

// isEncoder reports whether the tensors in a folder are those of an encoder.
func isEncoder(dir string) bool {
	src, release, err := mmap.Open(filepath.Join(dir, tensorsFile), maxModelBytes, false)
	if err != nil {
		return false
	}
	defer release()
	all, err := parseTensors(src)
	if err != nil {
		return false
	}
	for name := range all {
		if layerName().MatchString(name) {
			return true
		}
	}
	return false
}

func readJSON(path string, to any) error {
	b, err := readFile(path, maxTokenizerBytes)
	if err == nil {
		err = json.Unmarshal(b, to)
	}
	return err
}

func (c encoderConfig) validate() error {
	switch {
	case c.Type != "" && c.Type != "bert":
		return fmt.Errorf("its type is %q: only bert can be read", c.Type)
	case !slices.Contains([]string{"", "gelu", "gelu (erf)"}, c.Activation):
		return fmt.Errorf("its activation is %q: only gelu can be read", c.Activation)
	case c.Heads < 1:
		return errors.New("num_attention_heads is missing")
	case c.PiecesRead < 0 || c.PiecesRead == 1:
		return fmt.Errorf("it reads %d pieces of a text", c.PiecesRead)
	case c.Epsilon != 0 && math.Abs(c.Epsilon-1e-12) > 1e-5:
		return fmt.Errorf("its layer_norm_eps is %g: only 1e-12 can be read", c.Epsilon)
	case !slices.Contains([]string{"", "absolute"}, c.Embedding):
		return fmt.Errorf("its position_embedding_type is %q: only absolute can be read", c.Embedding)
	}
	return nil
}

// checkPooling returns an error if a model's vectors are not the means of its pieces.
func checkPooling(dir string) error {
	pooling := map[string]any{}
	err := readJSON(filepath.Join(dir, poolingFile), &pooling)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for key, value := range pooling {
		if on, _ := value.(bool); on && strings.HasPrefix(key, "pooling_mode_") && key != "pooling_mode_mean_tokens" {
			return fmt.Errorf("it has %s: only the mean of the pieces can be read", key)
		}
	}
	return err
}

// checkModules returns an error if a model has a stage that changes its vectors further.
func checkModules(dir string) error {
	var stages []struct {
		Type string `json:"type"`
	}
	err := readJSON(filepath.Join(dir, modulesFile), &stages)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, s := range stages {
		kind := s.Type[strings.LastIndexByte(s.Type, '.')+1:]
		if !slices.Contains([]string{"Transformer", "Pooling", "Normalize"}, kind) {
			return fmt.Errorf("it has a stage %s: only Transformer, Pooling and Normalize can be read", s.Type)
		}
	}
	return err
}

// pieceList is a vocabulary by id, with the settings for reading texts.
type pieceList struct {
	pieces  []string
	reading uint32
}

// readVocabulary reads the vocabulary of an encoder.
func readVocabulary(dir string) (pieceList, error) {
	src, err := readFile(filepath.Join(dir, tokenizerName), maxTokenizerBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return readVocabText(dir)
	}
	if err != nil {
		return pieceList{}, err
	}
	t, err := parseTokenizer(src)
	if err != nil {
		return pieceList{}, damaged(dir, tokenizerName, err)
	}
	all, _ := t.vocabulary.(maps)
	out := pieceList{pieces: make([]string, t.tokens), reading: t.normal.reading()}
	for piece, id := range all.words {
		out.pieces[id] = piece
	}
	return out, nil
}

// readVocabText reads a vocabulary with one piece per line.
func readVocabText(dir string) (pieceList, error) {
	src, err := readFile(filepath.Join(dir, vocabularyFile), maxTokenizerBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return pieceList{}, fmt.Errorf("%w: an encoder has %s or %s", err, tokenizerName, vocabularyFile)
	}
	if err != nil {
		return pieceList{}, err
	}
	casing := struct {
		Lower *bool `json:"do_lower_case"`
	}{}
	if err := readJSON(filepath.Join(dir, casingFile), &casing); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return pieceList{}, damaged(dir, casingFile, err)
	}
	n := normalizer{Chinese: true, Lower: casing.Lower == nil || *casing.Lower}
	lines := bytes.Split(bytes.TrimSuffix(src, []byte("\n")), []byte("\n"))
	out := pieceList{reading: n.reading()}
	for _, line := range lines {
		out.pieces = append(out.pieces, string(bytes.TrimSuffix(line, []byte("\r"))))
	}
	return out, nil
}

// reading returns the settings of the normalizer as a model's file stores them.
func (n normalizer) reading() (out uint32) {
	if n.Lower {
		out |= readsLower
	}
	if n.strips() {
		out |= readsBare
	}
	if n.Chinese {
		out |= readsChinese
	}
	return out
}

// tensorReader reads the tensors of an encoder and records the first missing one.
type tensorReader struct {
	all    map[string]tensor
	prefix string
	err    error
}

// layerName matches the names of an encoder's tensors after a prefix such as "bert.".
var layerName = lazy.Pattern(`^(.*)encoder\.layer\.(\d+)\.`)

// trained collects the weights of an encoder.
func trained(all map[string]tensor, vocab pieceList, c encoderConfig) (*bert.Trained, error) {
	r := &tensorReader{all: all}
	layers := 0
	for name := range all {
		if m := layerName().FindStringSubmatch(name); m != nil {
			n, err := strconv.Atoi(m[2])
			if err != nil || n >= bert.MaxLayers {
				return nil, fmt.Errorf("the tensor %.80s is of a layer beyond %d", name, bert.MaxLayers)
			}
			if layers > 0 && m[1] != r.prefix {
				return nil, fmt.Errorf("tensors of two encoders are in it, %q and %q", r.prefix, m[1])
			}
			r.prefix, layers = m[1], max(layers, n+1)
		}
	}
	words := r.shape("embeddings.word_embeddings.weight")
	if layers == 0 || r.err != nil {
		return nil, errors.New("neither a static model's embeddings nor the layers of a BERT encoder are in it")
	}
	if words[0] < len(vocab.pieces) {
		return nil, fmt.Errorf("there are %d rows, and the vocabulary has %d pieces: they belong to different models",
			words[0], len(vocab.pieces))
	}
	positions := min(r.shape("embeddings.position_embeddings.weight")[0], cmp.Or(c.PiecesRead, maxPositions), maxPositions)
	t := &bert.Trained{Shape: bert.Shape{
		Dims: words[1], Layers: layers, Heads: c.Heads, Inner: r.shape("encoder.layer.0.intermediate.dense.weight")[0],
		Positions: positions, Pieces: len(vocab.pieces), Reading: vocab.reading,
	}}
	if r.err != nil {
		return nil, r.err
	}
	r.embeddings(t, vocab.pieces)
	for i := range layers {
		t.Stack = append(t.Stack, r.layer(fmt.Sprintf("encoder.layer.%d.", i)))
	}
	return t, r.err
}

// embeddings reads the rows of the pieces, sorted by piece, and of the positions.
func (r *tensorReader) embeddings(t *bert.Trained, pieces []string) {
	rows := r.floats("embeddings.word_embeddings.weight")
	ids := make([]int, len(pieces))
	for i := range ids {
		ids[i] = i
	}
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(pieces[a], pieces[b]) })
	for _, id := range ids {
		if len(pieces[id]) > 255 {
			r.err = cmp.Or(r.err, fmt.Errorf("the piece %.40q… is too long", pieces[id]))
			return
		}
		t.Vocabulary = append(t.Vocabulary, pieces[id])
		if at := id * t.Dims; at+t.Dims <= len(rows) {
			t.WordRows = append(t.WordRows, rows[at:at+t.Dims]...)
		}
	}
	types := r.floats("embeddings.token_type_embeddings.weight")
	t.PositionRows = r.floats("embeddings.position_embeddings.weight")
	t.PositionRows = t.PositionRows[:min(len(t.PositionRows), t.Positions*t.Dims)]
	for i := range t.PositionRows {
		if len(types) >= t.Dims {
			t.PositionRows[i] += types[i%t.Dims]
		}
	}
	t.First = r.norm("embeddings.LayerNorm")
}

func (r *tensorReader) layer(name string) bert.Layer {
	var attention bert.Linear
	for _, part := range []string{"query", "key", "value"} {
		l := r.linear(name + "attention.self." + part)
		attention.Weights = append(attention.Weights, l.Weights...)
		attention.Bias = append(attention.Bias, l.Bias...)
	}
	return bert.Layer{
		Attention: attention,
		Attended:  r.linear(name + "attention.output.dense"), AttendedNorm: r.norm(name + "attention.output.LayerNorm"),
		Up: r.linear(name + "intermediate.dense"), Down: r.linear(name + "output.dense"),
		Norm: r.norm(name + "output.LayerNorm"),
	}
}

func (r *tensorReader) linear(name string) bert.Linear {
	return bert.Linear{Weights: r.floats(name + ".weight"), Bias: r.floats(name + ".bias")}
}

// norm reads a normalisation under either of its two naming schemes.
func (r *tensorReader) norm(name string) bert.Norm {
	if _, ok := r.all[r.prefix+name+".gamma"]; ok {
		return bert.Norm{Gamma: r.floats(name + ".gamma"), Beta: r.floats(name + ".beta")}
	}
	return bert.Norm{Gamma: r.floats(name + ".weight"), Beta: r.floats(name + ".bias")}
}

// shape returns the shape of a two-dimensional tensor, or zeros if it is missing.
func (r *tensorReader) shape(name string) [2]int {
	t, ok := r.all[r.prefix+name]
	if !ok || len(t.shape) != 2 {
		r.fail(name)
		return [2]int{}
	}
	return [2]int(t.shape)
}

func (r *tensorReader) floats(name string) []float32 {
	t, ok := r.all[r.prefix+name]
	if !ok || !slices.Contains([]string{"F32", "F16", "BF16"}, t.dtype) {
		r.fail(name)
		return nil
	}
	out := make([]float32, len(t.data)/widthOf(t.dtype))
	for i := range out {
		out[i] = t.float(i)
		if x := float64(out[i]); r.err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
			r.err = fmt.Errorf("the tensor %s has numbers that are none", r.prefix+name)
		}
	}
	return out
}

func (r *tensorReader) fail(name string) {
	if r.err == nil {
		r.err = fmt.Errorf("the tensor %s is missing, or is of no type that can be read", r.prefix+name)
	}
}

// samplePieces returns sample texts in the pieces of a model, to determine which channels are large: they are the same
// in any text.
func samplePieces(t *bert.Trained) (out [][]int32) {
	id := func(piece string) int32 {
		i, _ := slices.BinarySearch(t.Vocabulary, piece)
		return int32(min(i, t.Pieces-1))
	}
	for _, text := range []string{
		"", "why did we drop the cache ?", "when did the command start to refuse its own folder",
		"fix : panic on an empty line", "use the new client",
	} {
		ids := []int32{id(beginPiece)}
		for _, word := range strings.Fields(text) {
			ids = append(ids, id(word))
		}
		out = append(out, append(ids, id(endPiece)))
	}
	return out
}
