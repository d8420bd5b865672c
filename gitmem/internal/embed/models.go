package embed

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/internal/lazy"
)

// recordFile contains the record of an import.
const recordFile = "gitmem.json"

// poolingVersion must change if the same files would give other vectors, due to changes in tokenizing or pooling.
const poolingVersion = "static 1"

// FileRecord is one file of a model at the time of its import.
type FileRecord struct {
	Name    string `json:"name"`
	Size    int64  `json:"size"`
	MtimeNs int64  `json:"mtime_ns"`
	SHA256  string `json:"sha256"`
}

// Record is the record of an import: the checksums of the model's files, and its origin.
type Record struct {
	Format   int          `json:"format"`
	Source   string       `json:"source"`   // folder, or URL that an older version downloaded it from
	Revision string       `json:"revision"` // commit there, "" for a folder
	Dim      int          `json:"dim"`
	Tokens   int          `json:"tokens"`
	Files    []FileRecord `json:"files"`
}

// Fingerprint identifies the model's bytes.
func (r Record) Fingerprint() Fingerprint {
	h := sha256.New()
	version := poolingVersion
	if len(r.Files) > 0 && r.Files[0].Name == encoderFile {
		version = encoderVersion
	}
	fmt.Fprintf(h, "%s\n", version)
	for _, f := range r.Files {
		fmt.Fprintf(h, "%s %s\n", f.Name, f.SHA256)
	}
	return Fingerprint(h.Sum(nil))
}

// Bytes returns the size of the model's files.
func (r Record) Bytes() (n int64) {
	for _, f := range r.Files {
		n += f.Size
	}
	return n
}

// checkRecord compares a model's files with the record of its import. It compares the bytes if the times differ, as in
// a copied folder, or if all is set.
func checkRecord(dir string, all bool) (Fingerprint, error) {
	r, err := ReadRecord(dir)
	if err != nil {
		return Fingerprint{}, err
	}
	for _, f := range r.Files {
		info, err := os.Stat(filepath.Join(dir, f.Name))
		sum := f.SHA256
		if err == nil && info.Size() == f.Size && (all || info.ModTime().UnixNano() != f.MtimeNs) {
			sum, err = hashFile(filepath.Join(dir, f.Name))
		}
		switch {
		case err != nil:
			return Fingerprint{}, missing(err)
		case info.Size() != f.Size:
			return Fingerprint{},
				damaged(dir, f.Name, fmt.Errorf("it has %d bytes and had %d when it was imported", info.Size(), f.Size))
		case sum != f.SHA256:
			return Fingerprint{}, damaged(dir, f.Name, errors.New("its bytes are not those that were imported"))
		}
	}
	return r.Fingerprint(), nil
}

// Verify compares every byte of a model with the record of its import.
func Verify(dir string) error {
	_, err := checkRecord(dir, true)
	return err
}

func hashFile(path string) (sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// ReadRecord reads the record of an import.
func ReadRecord(dir string) (Record, error) {
	var r Record
	b, err := readFile(filepath.Join(dir, recordFile), 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("no model is in %s: %w", dir, err)
	}
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(b, &r); err != nil || r.Format != 1 || len(r.Files) == 0 {
		return r, damaged(dir, recordFile, cmp.Or(err, errors.New("it is no record of an import")))
	}
	for _, f := range r.Files {
		if !slices.Contains(modelFiles(), f.Name) {
			return r, damaged(dir, recordFile, fmt.Errorf("%q is no file of a model", f.Name))
		}
	}
	return r, nil
}

func staticFiles() []string { return []string{tensorsFile, tokenizerName, configFile} }

func modelFiles() []string { return append(staticFiles(), encoderFile) }

var (
	nameForm   = lazy.Pattern(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	deviceName = lazy.Pattern(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
)

// ValidName reports whether a name is valid for a model. It must be a valid folder name on any system.
func ValidName(name string) bool {
	return nameForm().MatchString(name) && !strings.HasSuffix(name, partSuffix) &&
		!strings.HasSuffix(name, ".") && !deviceName().MatchString(name)
}

// partSuffix is the suffix of a model's folder during its import.
const partSuffix = ".part"

// Import copies the static model in dir, or converts the encoder there, to models/name and returns its record. It first
// loads the model and embeds test sentences. It replaces an existing model of that name completely or not at all.
func Import(ctx context.Context, dir, models, name string) (r Record, err error) {
	if !ValidName(name) {
		return r, fmt.Errorf("%q can't be a model's name: letters, digits, dots, dashes and underscores can", name)
	}
	from, err := modelFolder(dir)
	if err != nil {
		return r, err
	}
	if err := os.MkdirAll(models, 0o700); err != nil {
		return r, err
	}
	part := filepath.Join(models, name+partSuffix)
	if err := os.RemoveAll(part); err != nil { // of an interrupted import
		return r, err
	}
	if err := os.Mkdir(part, 0o700); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(part)) }()
	r = Record{Format: 1, Source: dir}
	if isEncoder(from) {
		err = r.importEncoder(ctx, from, part)
	} else {
		err = r.importStatic(ctx, from, part)
	}
	if err != nil {
		return r, err
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return r, err
	}
	if err := osfile.WriteFile(filepath.Join(part, recordFile), osfile.Bytes(append(b, '\n'))); err != nil {
		return r, err
	}
	return r, replaceDir(part, filepath.Join(models, name))
}

// importStatic copies a static model.
func (r *Record) importStatic(ctx context.Context, from, part string) error {
	for _, file := range staticFiles() {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := copyFile(from, part, file)
		switch {
		case err == nil:
			r.Files = append(r.Files, f)
		case file != configFile || !errors.Is(err, fs.ErrNotExist):
			return missing(err)
		}
	}
	s, err := loadStatic(part, r.Fingerprint())
	if err != nil {
		return err
	}
	if err := selfTest(ctx, s); err != nil {
		return damaged(part, tensorsFile, err)
	}
	r.Dim, r.Tokens = s.table.dim, s.tokenizer.tokens
	return nil
}

// importEncoder converts an encoder.
func (r *Record) importEncoder(ctx context.Context, from, part string) error {
	data, err := ConvertEncoder(ctx, from)
	if err != nil {
		return err
	}
	e, err := OpenEncoder(data)
	if err == nil {
		err = selfTest(ctx, e)
	}
	if err != nil {
		return damaged(from, tensorsFile, err)
	}
	file := filepath.Join(part, encoderFile)
	if err := osfile.WriteFile(file, osfile.Bytes(data)); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	r.Files = []FileRecord{{
		Name: encoderFile, Size: info.Size(), MtimeNs: info.ModTime().UnixNano(), SHA256: hex.EncodeToString(sum[:]),
	}}
	r.Dim, r.Tokens = e.model.Dims, e.model.Pieces
	return nil
}

// modelFolder returns the folder at or below dir with the files: sentence-transformers puts those of a static model
// into a subfolder.
func modelFolder(dir string) (string, error) {
	for _, sub := range []string{"", "0_StaticEmbedding"} {
		if _, err := os.Stat(filepath.Join(dir, sub, tensorsFile)); err == nil {
			return filepath.Join(dir, sub), nil
		}
	}
	_, err := os.Stat(filepath.Join(dir, tensorsFile))
	return "", missing(err)
}

// copyFile copies a file of a model and returns its record.
func copyFile(from, to, name string) (FileRecord, error) {
	src, dst := filepath.Join(from, name), filepath.Join(to, name)
	info, err := os.Stat(src)
	if err != nil {
		return FileRecord{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxModelBytes { // reading a pipe or a device may never end
		return FileRecord{}, fmt.Errorf("%s is no regular file of at most %d bytes", src, int64(maxModelBytes))
	}
	in, err := os.Open(src)
	if err != nil {
		return FileRecord{}, err
	}
	defer in.Close()
	h := sha256.New()
	err = osfile.WriteFile(dst, func(w io.Writer) error { _, err := io.Copy(io.MultiWriter(w, h), in); return err })
	if err != nil {
		return FileRecord{}, err
	}
	info, err = os.Stat(dst)
	if err != nil {
		return FileRecord{}, err
	}
	return FileRecord{Name: name, Size: info.Size(), MtimeNs: info.ModTime().UnixNano(),
		SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

// selfTest embeds sentences with words that are in any vocabulary.
func selfTest(ctx context.Context, s interface {
	Embed(ctx context.Context, kind InputType, texts []string) ([][]float32, error)
}) error {
	texts := []string{"the quick brown fox", "a b c d e f g h i j k l m n o p q r s t u v w x y z", "0 1 2 3 4 5 6 7 8 9"}
	got, err := s.Embed(ctx, Document, texts)
	if err != nil {
		return err
	}
	known := slices.DeleteFunc(got, func(v []float32) bool { return v == nil })
	for _, v := range known {
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return errors.New("test sentences get vectors that are no numbers")
			}
		}
	}
	switch {
	case len(known) == 0:
		return errors.New("no test sentence gets a vector: not one of its words is known, or all rows are zero")
	case len(known) > 1 && slices.Equal(known[0], known[1]):
		return errors.New("test sentences that have nothing in common get the same vector")
	}
	return nil
}

// replaceDir moves a folder to a place and replaces an existing one.
func replaceDir(dir, place string) error {
	old := place + ".old" + partSuffix
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(place, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(dir, place); err != nil {
		_ = os.Rename(old, place) // the old folder stays in use
		return err
	}
	return os.RemoveAll(old)
}

// Installed is one model in the folder of models.
type Installed struct {
	Name   string
	Record Record
	Err    error // why it cannot be used
}

// List lists the models in a folder by name; none if the folder is missing.
func List(models string) ([]Installed, error) {
	entries, err := os.ReadDir(models)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Installed
	for _, e := range entries {
		if !e.IsDir() || !ValidName(e.Name()) {
			continue
		}
		m := Installed{Name: e.Name()}
		dir := filepath.Join(models, e.Name())
		if m.Record, m.Err = ReadRecord(dir); m.Err == nil {
			_, m.Err = checkRecord(dir, false)
		}
		out = append(out, m)
	}
	return out, nil
}

// Remove deletes a model. The error is fs.ErrNotExist if there is none.
func Remove(models, name string) error {
	if !ValidName(name) {
		return fmt.Errorf("%q can't be a model's name", name)
	}
	dir := filepath.Join(models, name)
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}
