package store

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"sync"
	"time"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// objects reads and writes the objects of one repository. Loose ones are read
// here; packs, which only git makes, through go-git.
type objects struct {
	disk    *disk
	gitDir  string // below the root
	abs     string
	now     func() time.Time
	writers sync.Pool // of *zlib.Writer
	readers sync.Pool // of io.ReadCloser with zlib.Resetter

	mu    sync.Mutex // go-git's storage is not safe for concurrent use
	packs *filesystem.Storage
}

func newObjects(d *disk, gitDir, abs string, now func() time.Time) *objects {
	return &objects{disk: d, gitDir: gitDir, abs: abs, now: now}
}

func (o *objects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.packs == nil {
		return nil
	}
	err := o.packs.Close()
	o.packs = nil
	return err
}

// get returns the body of an object of a kind. ErrNotFound says that it is not
// in the repository.
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
	kind, body, err = o.readLoose(h)
	if !errors.Is(err, fs.ErrNotExist) {
		return kind, body, err
	}
	return o.readPacked(h)
}

func (o *objects) readLoose(h hash) (string, []byte, error) {
	raw, err := o.disk.readFile(o.loosePath(h))
	if err != nil {
		return "", nil, err
	}
	all, err := o.inflate(raw)
	if err != nil {
		return "", nil, fmt.Errorf("object %s is damaged: %w", h, err)
	}
	head, body, ok := bytes.Cut(all, []byte{0})
	kind, size, ok2 := bytes.Cut(head, []byte{' '})
	if n, err := strconv.Atoi(string(size)); !ok || !ok2 || err != nil || n != len(body) {
		return "", nil, fmt.Errorf("object %s is damaged: bad header", h)
	}
	return string(kind), body, nil
}

func (o *objects) inflate(raw []byte) ([]byte, error) {
	src := bytes.NewReader(raw)
	z, ok := o.readers.Get().(io.ReadCloser)
	var err error
	if ok {
		err = z.(zlib.Resetter).Reset(src, nil)
	} else {
		z, err = zlib.NewReader(src)
	}
	if err != nil {
		return nil, err
	}
	defer o.readers.Put(z)
	return appendAll(make([]byte, 0, 4*len(raw)), z)
}

// readPacked reads through go-git. What it does not find it looks for once
// more with a fresh list of packs: a gc may have run since.
func (o *objects) readPacked(h hash) (string, []byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	fresh := o.packs == nil
	for {
		obj, err := o.storage().EncodedObject(plumbing.AnyObject, plumbing.Hash(h))
		if err == nil {
			return readEncoded(h, obj)
		}
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			return "", nil, fmt.Errorf("object %s: %w", h, err)
		}
		if fresh {
			return "", nil, fmt.Errorf("object %s: %w", h, ErrNotFound)
		}
		_ = o.packs.Close() // read-only
		o.packs, fresh = nil, true
	}
}

func (o *objects) storage() *filesystem.Storage {
	if o.packs == nil {
		o.packs = filesystem.NewStorageWithOptions(regularFiles{osfs.New(o.abs)}, cache.NewObjectLRU(16*cache.MiByte),
			filesystem.Options{KeepDescriptors: true, LargeObjectThreshold: 1 << 20, AlternatesFS: osfs.New("/")})
	}
	return o.packs
}

// regularFiles opens regular files only: a pipe would be waited for without end.
type regularFiles struct{ billy.Filesystem }

func (r regularFiles) Open(name string) (billy.File, error) {
	if info, err := r.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, errNotFile)
	}
	return r.Filesystem.Open(name)
}

func readEncoded(h hash, obj plumbing.EncodedObject) (string, []byte, error) {
	r, err := obj.Reader()
	if err != nil {
		return "", nil, fmt.Errorf("object %s: %w", h, err)
	}
	body, err := appendAll(make([]byte, 0, obj.Size()+1), r)
	if err := errors.Join(err, r.Close()); err != nil {
		return "", nil, fmt.Errorf("object %s: %w", h, err)
	}
	return obj.Type().String(), body, nil
}

// size returns the size of a blob.
func (o *objects) size(h hash) (int64, error) {
	body, err := o.get(h, "blob")
	return int64(len(body)), err
}
