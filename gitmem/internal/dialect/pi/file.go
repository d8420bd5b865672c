package pi

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// header is the first line of a file.
type header struct {
	Type          string `json:"type"`
	ID            string `json:"id"`
	Timestamp     string `json:"timestamp"`
	Cwd           string `json:"cwd"`
	ParentSession string `json:"parentSession"`
	BranchedFrom  string `json:"branchedFrom"` // as ParentSession, in version 1
}

// decode reads one JSON object. A field of an unexpected type is left at its zero value.
func decode(line []byte, into any) bool {
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	err := json.Unmarshal(line, into)
	mismatch := (*json.UnmarshalTypeError)(nil)
	return err == nil || errors.As(err, &mismatch)
}

// parseHeader reads the first line of a file.
func parseHeader(line []byte, file string) (header, error) {
	var h header
	if !decode(line, &h) || h.Type != "session" || h.ID == "" {
		return header{}, fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
	}
	return h, nil
}

// readHeader reads the header of a file.
func readHeader(file string) (header, error) {
	f, err := os.Open(file)
	if err != nil {
		return header{}, err
	}
	defer f.Close()
	for line, err := range dialect.Lines(f) {
		if err != nil {
			return header{}, fmt.Errorf("%s: %w", file, err)
		}
		return parseHeader(line, file)
	}
	return header{}, fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
}

// lineID is the id of an entry without one, the same for a copy of it.
func lineID(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:8])
}

// copied returns the ids of the entries that a fork in the given file shares with the session that it was
// made from. There are none if that session's file is gone, or not older than the fork.
func (h header) copied(file string) map[string]bool {
	parent := cmp.Or(h.ParentSession, h.BranchedFrom)
	if !filepath.IsAbs(parent) || filepath.Ext(parent) != ".jsonl" {
		return nil
	}
	if !isFile(parent) { // the whole store may have been moved
		parent = filepath.Join(filepath.Dir(filepath.Dir(file)), filepath.Base(filepath.Dir(parent)), filepath.Base(parent))
	}
	if !isFile(parent) {
		return nil
	}
	if of, err := readHeader(parent); err != nil || of.Timestamp >= h.Timestamp {
		return nil
	}
	return entryIDs(parent)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// entryIDs returns the ids of a file's entries, as far as it can be read.
func entryIDs(file string) map[string]bool {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	ids := map[string]bool{}
	for line, err := range dialect.Lines(f) {
		if err != nil {
			break
		}
		var e struct {
			ID string `json:"id"`
		}
		if !decode(line, &e) {
			continue
		}
		if e.ID == "" {
			e.ID = lineID(line)
		}
		ids[e.ID] = true
	}
	return ids
}
