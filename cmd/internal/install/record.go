package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Record is the state of a file before it is changed, for restoring it. It is stored in gitmem's own folder,
// together with a backup; without both, only white space in formerly empty text is lost.
type Record struct {
	File    string `json:"file"`
	Existed bool   `json:"existed"`
	After   string `json:"after"` // SHA-256 of the written text
	// Folders were created for the file. They are removed with it if they are empty then.
	Folders []string `json:"folders,omitempty"`

	Before []byte `json:"-"` // the backup, or an outline of it
}

// Records are the records in one folder.
type Records struct{ Dir string }

func (r Records) names(file string) (record, backup string) {
	id := sum([]byte(filepath.Clean(file)))[:12]
	return filepath.Join(r.Dir, id+".json"), filepath.Join(r.Dir, id+"-"+filepath.Base(file))
}

// Backup returns the path of the backup of a file.
func (r Records) Backup(file string) string {
	_, backup := r.names(file)
	return backup
}

// Load reads the record of a file.
func (r Records) Load(file string) (rec Record, ok bool) {
	name, backup := r.names(file)
	b, err := os.ReadFile(name)
	if err != nil || json.Unmarshal(b, &rec) != nil {
		return Record{}, false
	}
	if rec.Before, err = os.ReadFile(backup); err != nil {
		return Record{}, false
	}
	return rec, true
}

// Save writes a record, before the file is written.
func (r Records) Save(rec Record) error {
	name, backup := r.names(rec.File)
	b, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	for path, content := range map[string][]byte{backup: rec.Before, name: append(b, '\n')} {
		f, err := Read(path)
		if err == nil {
			err = f.Write(content)
		}
		if err != nil {
			return fmt.Errorf("back up %s: %w", rec.File, err)
		}
	}
	return nil
}

// Drop removes the record of a file and its backup.
func (r Records) Drop(file string) error {
	name, backup := r.names(file)
	var errs []error
	for _, path := range []string{name, backup} {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Wrote reports whether b is the text that was written last.
func (rec Record) Wrote(b []byte) bool { return rec.After == sum(b) }

// WithAfter returns the record after b was written.
func (rec Record) WithAfter(b []byte) Record {
	rec.After = sum(b)
	return rec
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
