package embed

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gitmem/gitmem/internal/mmap"
)

// The files of a static model.
const (
	tensorsFile   = "model.safetensors"
	tokenizerName = "tokenizer.json"
	configFile    = "config.json"
)

// maxPieces limits the pieces of a text, as in model2vec.
const maxPieces = 512

// ErrDamaged means that a model's file differs from the imported one, or is not a model file.
var ErrDamaged = errors.New("damaged model")

// Static is a loaded static model. It is safe for concurrent use and need not be closed: its mappings are released when
// it becomes unreachable.
type Static struct {
	table     *table
	tokenizer *tokenizer
	normalize bool
	print     Fingerprint
}

// LoadStatic loads the static model in a folder, whose files must match the record of its import. Errors name the file
// and the problem.
func LoadStatic(dir string) (*Static, error) {
	print, err := checkRecord(dir, false)
	if err != nil {
		return nil, err
	}
	return loadStatic(dir, print)
}

func loadStatic(dir string, print Fingerprint) (*Static, error) {
	s := &Static{print: print}
	src, err := readFile(filepath.Join(dir, tokenizerName), maxTokenizerBytes)
	if err != nil {
		return nil, missing(err)
	}
	if s.tokenizer, err = parseTokenizer(src); err != nil {
		return nil, damaged(dir, tokenizerName, err)
	}
	if s.normalize, err = readConfig(dir); err != nil {
		return nil, damaged(dir, configFile, err)
	}
	file := filepath.Join(dir, tensorsFile)
	data, release, err := mmap.Open(file, maxModelBytes, false)
	if err != nil {
		return nil, missing(err)
	}
	s.table, err = parseTable(data)
	if err == nil {
		err = s.table.fits(s.tokenizer.tokens)
	}
	if err != nil {
		release()
		return nil, damaged(dir, tensorsFile, err)
	}
	runtime.AddCleanup(s.table, func(release func()) { release() }, release)
	return s, nil
}

func damaged(dir, file string, err error) error {
	return fmt.Errorf("%w: %s: %w", ErrDamaged, filepath.Join(dir, file), err)
}

// missing adds the list of a model's files to an error about a missing one.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: a model has %s, %s and mostly %s", err, tensorsFile, tokenizerName, configFile)
	}
	return err
}

// readFile reads a file of at most most bytes.
func readFile(path string, most int64) ([]byte, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // opening a pipe may block forever
		return nil, cmp.Or(err, fmt.Errorf("%s is no regular file", path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s: larger than %d bytes", path, most)
	}
	return b, err
}

// readConfig reads whether vectors are normalised; the default is false.
func readConfig(dir string) (normalize bool, err error) {
	src, err := readFile(filepath.Join(dir, configFile), 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var c struct {
		Normalize bool `json:"normalize"`
	}
	if err := json.Unmarshal(src, &c); err != nil {
		return false, fmt.Errorf("it can't be read: %w", err)
	}
	return c.Normalize, nil
}

// Fingerprint identifies the model's bytes and how they are used.
func (s *Static) Fingerprint() Fingerprint { return s.print }

// Embed returns a vector for each text, nil for one without a known word. Queries and documents are embedded the same
// way.
func (s *Static) Embed(ctx context.Context, _ InputType, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	ids := make([]int32, 0, maxPieces)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ids = s.tokenizer.ids(text, maxPieces, ids)
		out[i] = s.mean(ids)
	}
	return out, nil
}

// mean returns the mean of the tokens' rows, or nil if there are none or the model's numbers are not finite.
func (s *Static) mean(ids []int32) []float32 {
	if len(ids) == 0 {
		return nil
	}
	sum := make([]float32, s.table.dim)
	for _, id := range ids {
		s.table.add(id, sum)
	}
	runtime.KeepAlive(s)
	length := 0.0
	for i := range sum {
		sum[i] /= float32(len(ids))
		length += float64(sum[i]) * float64(sum[i])
	}
	length = math.Sqrt(length)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return nil
	}
	if s.normalize {
		for i := range sum {
			sum[i] = float32(float64(sum[i]) / length)
		}
	}
	return sum
}
