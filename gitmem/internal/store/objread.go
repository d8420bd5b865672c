package store

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/providers/git"
)

// objects reads and writes the objects of one repository.
type objects struct {
	disk   *disk
	gitDir string // relative to the root
	abs    string

	mu     sync.RWMutex // held for writing by close
	stored *git.Objects
}

func newObjects(d *disk, gitDir, abs string) *objects {
	return &objects{disk: d, gitDir: gitDir, abs: abs, stored: git.OpenObjects(abs)}
}

// close closes the packs. The next read opens the packs that exist then.
func (o *objects) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stored.Close()
	o.stored = git.OpenObjects(o.abs)
}

// get returns the body of an object of a kind, or ErrNotFound if the object is not in the repository.
func (o *objects) get(h hash, kind string) ([]byte, error) {
	k, body, err := o.read(h)
	if err != nil {
		return nil, err
	}
	if k != kind {
		return nil, fmt.Errorf("object %s is a %s, not a %s", h, k, kind)
	}
	return body, nil
}

func (o *objects) read(h hash) (kind string, body []byte, err error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	obj, err := o.stored.EncodedObject(plumbing.AnyObject, h)
	if err != nil {
		return "", nil, orNotFound(h, err)
	}
	r, err := obj.Reader()
	if err != nil {
		return "", nil, orNotFound(h, err)
	}
	body, err = io.ReadAll(r)
	return obj.Type().String(), body, errors.Join(err, r.Close())
}

func orNotFound(h hash, err error) error {
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return fmt.Errorf("object %s: %w", h, ErrNotFound)
	}
	return err
}
