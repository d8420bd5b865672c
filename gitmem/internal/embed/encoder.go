package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"runtime"
	"sort"

	"github.com/gitmem/gitmem/gitmem/internal/embed/bert"
	"github.com/gitmem/gitmem/internal/mmap"
)

// Encoder converts texts to vectors with a BERT encoder. It is safe for concurrent use.
type Encoder struct {
	model     *bert.Model
	tokenizer *tokenizer
	begin     int32 // the pieces around each text
	end       int32
	print     Fingerprint
}

// LoadEncoder opens the encoder in the folder of an installed model. It returns nil if the model is of another kind.
func LoadEncoder(dir string) (*Encoder, error) {
	r, err := ReadRecord(dir)
	if err != nil || r.Files[0].Name != encoderFile {
		return nil, err
	}
	if _, err := checkRecord(dir, false); err != nil {
		return nil, err
	}
	data, release, err := mmap.Open(filepath.Join(dir, encoderFile), maxModelBytes, false)
	if err != nil {
		return nil, err
	}
	e, err := OpenEncoder(data)
	if err != nil {
		release()
		return nil, damaged(dir, encoderFile, err)
	}
	e.print = r.Fingerprint()
	runtime.AddCleanup(e.model, func(release func()) { release() }, release)
	return e, nil
}

// Settings for splitting texts into pieces, the bits of [bert.Shape.Reading].
const (
	readsLower   = 1 << iota // letters are lower-cased
	readsBare                // accents are stripped
	readsChinese             // ideographs are separate words
)

// The pieces of BERT around a text, the piece of an unknown word, and the prefix of inner pieces.
const (
	beginPiece   = "[CLS]"
	endPiece     = "[SEP]"
	unknownPiece = "[UNK]"
	innerPrefix  = "##"
)

// OpenEncoder opens a model's file, whose bytes must not change. Its large tables are not read yet.
func OpenEncoder(data []byte) (*Encoder, error) {
	m, err := bert.Open(data)
	if err != nil {
		return nil, err
	}
	bare := m.Reading&readsBare != 0
	t := &tokenizer{vocabulary: sorted{m.Vocabulary, m.Pieces}, keeps: true, maxRunes: 100}
	t.normal = normalizer{
		Clean: true, Chinese: m.Reading&readsChinese != 0, Strip: &bare, Lower: m.Reading&readsLower != 0,
	}
	for i := range m.Pieces {
		t.longest = max(t.longest, len(m.Vocabulary.At(i)))
	}
	e := &Encoder{model: m, tokenizer: t, print: encoderPrint(data)}
	for _, special := range [...]struct {
		piece string
		id    *int32
	}{{beginPiece, &e.begin}, {endPiece, &e.end}, {unknownPiece, &t.unknown}} {
		id, ok := t.find([]byte(special.piece), false)
		if !ok {
			return nil, fmt.Errorf("%w: the piece %s is missing", bert.ErrFormat, special.piece)
		}
		*special.id = id
	}
	return e, nil
}

// encoderVersion must change if the same file would give other vectors.
const encoderVersion = "bert 1"

// encoderPrint returns the fingerprint of a model from its header, which contains its checksum.
func encoderPrint(data []byte) Fingerprint {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d\n", encoderVersion, len(data))
	h.Write(data[:bert.HeaderBytes])
	return Fingerprint(h.Sum(nil))
}

// Using returns the encoder with one of [bert.Kernels], for tests and measurements.
func (e *Encoder) Using(kernel string) *Encoder {
	other := *e
	other.model = e.model.Using(kernel)
	return &other
}

// Size returns the number of dimensions of a vector, and of word pieces.
func (e *Encoder) Size() (dims, pieces int) { return e.model.Dims, e.model.Pieces }

// CheckEncoder verifies the checksum of a model's file.
func CheckEncoder(data []byte) error { return bert.Check(data) }

// Fingerprint identifies the model.
func (e *Encoder) Fingerprint() Fingerprint { return e.print }

// Embed returns a vector for each text. Questions and documents are embedded the same way.
func (e *Encoder) Embed(ctx context.Context, kind InputType, texts []string) ([][]float32, error) {
	most := e.model.Positions
	if kind == Prompt {
		most = min(most, promptPieces)
	}
	pieces := make([][]int32, len(texts))
	for i, text := range texts {
		pieces[i] = e.pieces(text, most)
	}
	return e.model.Encode(ctx, pieces)
}

// promptPieces is the number of pieces of a prompt that are read, since a hook waits for it.
const promptPieces = 32

// pieces returns the ids of a text, at most most of them.
func (e *Encoder) pieces(text string, most int) []int32 {
	ids := e.tokenizer.ids(text, most-2, []int32{})
	return append(append([]int32{e.begin}, ids...), e.end)
}

// sorted is a vocabulary in a sorted table.
type sorted struct {
	bert.Strings
	n int
}

func (s sorted) find(piece []byte, within bool) (id int32, ok bool) {
	var buf [256]byte
	if within {
		piece = append(append(buf[:0], innerPrefix...), piece...)
	}
	i := sort.Search(s.n, func(i int) bool { return bytes.Compare(s.At(i), piece) >= 0 })
	return int32(i), i < s.n && bytes.Equal(s.At(i), piece)
}
