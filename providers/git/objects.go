package git

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

const (
	// objectCacheSize is enough for delta bases; commits are read once.
	objectCacheSize = 16 * cache.MiByte
	// largeObject is the size from which an object is streamed from disk
	// instead of being kept whole by the storage.
	largeObject = 1 << 20
	// maxAlternateDepth is git's own limit for chains of borrowed objects.
	maxAlternateDepth = 5
)

// objectStore is one folder of objects.
type objectStore struct {
	st    *filesystem.Storage
	packs string // folder of the pack files
	seen  string // names of the pack files at the last look
}

// objects reads raw objects from the repository's own store and from those it
// borrows from. Borrowed stores are opened once: the storage's own handling
// opens their pack indexes again for every object.
type objects struct {
	stores []*objectStore
	// fatal is set when the packs as a whole can't be used. It would be wrong to
	// go on, as most objects would look missing.
	fatal error
}

// openObjects opens the stores of a repository. problems lists borrowed stores
// that can't be used.
func openObjects(gitDir, commonDir string) (o *objects, problems []Skip) {
	var common billy.Filesystem
	if commonDir != gitDir {
		common = osfs.New(commonDir)
	}
	lru := cache.NewObjectLRU(objectCacheSize)
	o = &objects{stores: []*objectStore{
		newObjectStore(dotgit.NewRepositoryFilesystem(osfs.New(gitDir), common), commonDir, lru),
	}}
	dirs, problems := alternates(filepath.Join(commonDir, "objects"))
	for _, dir := range dirs {
		parent := filepath.Dir(dir)
		o.stores = append(o.stores, newObjectStore(osfs.New(parent), parent, lru))
	}
	return o, problems
}

func newObjectStore(f billy.Filesystem, dir string, lru cache.Object) *objectStore {
	s := &objectStore{
		st: filesystem.NewStorageWithOptions(withoutAlternates{f}, lru, filesystem.Options{
			KeepDescriptors:      true,
			LargeObjectThreshold: largeObject,
		}),
		packs: filepath.Join(dir, "objects", "pack"),
	}
	s.seen = s.packNames()
	return s
}

// packNames lists the packs, so that a repack by git can be noticed.
func (s *objectStore) packNames() string {
	entries, err := os.ReadDir(s.packs)
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".idx") {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, "/")
}

// refresh drops what is known of the packs if they are not the same any more.
func (s *objectStore) refresh() bool {
	now := s.packNames()
	if now == s.seen {
		return false
	}
	s.seen = now
	s.st.Reindex()
	return true
}

func (o *objects) close() error {
	var errs []error
	for _, s := range o.stores {
		errs = append(errs, s.st.Close())
	}
	return errors.Join(errs...)
}

// get returns an object of at most limit bytes: [ErrNotFound] where it is
// missing, [ErrTooLarge] where it is larger.
func (o *objects) get(id plumbing.Hash, limit int64) (plumbing.ObjectType, []byte, error) {
	obj, err := o.find(id)
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	if obj.Size() > limit {
		return obj.Type(), nil, fmt.Errorf("object %s has %d bytes: %w", id, obj.Size(), ErrTooLarge)
	}
	b, err := content(obj)
	if err != nil {
		return obj.Type(), nil, fmt.Errorf("object %s: %w: %w", id, errCorrupt, err)
	}
	return obj.Type(), b, nil
}

// content reads an object whole. A damaged pack must cost an object and not the
// process, and the decoder is not written for damage.
func content(obj plumbing.EncodedObject) (b []byte, err error) {
	defer recoverInto(&err)
	r, err := obj.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b = make([]byte, obj.Size())
	_, err = io.ReadFull(r, b)
	return b, err
}

func recoverInto(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the decoder gave up: %v", p)
	}
}

// find looks an object up in every store, and once more after a repack.
func (o *objects) find(id plumbing.Hash) (plumbing.EncodedObject, error) {
	obj, err := o.findOnce(id)
	if errors.Is(err, ErrNotFound) && o.refresh() {
		obj, err = o.findOnce(id)
	}
	return obj, err
}

func (o *objects) refresh() bool {
	changed := false
	for _, s := range o.stores {
		changed = s.refresh() || changed
	}
	return changed
}

func (o *objects) findOnce(id plumbing.Hash) (plumbing.EncodedObject, error) {
	if o.fatal != nil {
		return nil, o.fatal
	}
	for _, s := range o.stores {
		obj, err := s.object(id)
		switch {
		case err == nil:
			return obj, nil
		case errors.Is(err, idxfile.ErrMalformedIdxFile) || errors.Is(err, idxfile.ErrUnsupportedVersion):
			o.fatal = fmt.Errorf("%w: a pack index in %s can't be read (%v); rewrite the packs with: git repack -a -d", ErrUnsupported, s.packs, err)
			return nil, o.fatal
		case errors.Is(err, plumbing.ErrObjectNotFound) || errors.Is(err, fs.ErrNotExist):
		default:
			return nil, fmt.Errorf("object %s: %w: %w", id, errCorrupt, err)
		}
	}
	return nil, fmt.Errorf("object %s: %w", id, ErrNotFound)
}

func (s *objectStore) object(id plumbing.Hash) (obj plumbing.EncodedObject, err error) {
	defer recoverInto(&err)
	return s.st.EncodedObject(plumbing.AnyObject, id)
}

// withPrefix lists the ids that begin with the hex digits in prefix.
func (o *objects) withPrefix(prefix string) ([]plumbing.Hash, error) {
	whole := prefix[:len(prefix)&^1]
	raw := plumbing.NewHash(whole + strings.Repeat("0", 40-len(whole)))
	var out []plumbing.Hash
	for _, s := range o.stores {
		ids, err := s.st.HashesWithPrefix(raw[:len(whole)/2])
		if err != nil {
			return nil, fmt.Errorf("look for %s: %w", prefix, err)
		}
		for _, id := range ids {
			if strings.HasPrefix(id.String(), prefix) && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out, nil
}

// withoutAlternates hides the list of borrowed stores from the storage.
type withoutAlternates struct{ billy.Filesystem }

func (f withoutAlternates) Open(name string) (billy.File, error) {
	if filepath.ToSlash(filepath.Clean(name)) == "objects/info/alternates" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.Filesystem.Open(name)
}

// alternates lists the object folders that dir borrows from, directly and in
// turn, without doubles.
func alternates(dir string) (dirs []string, problems []Skip) {
	var visit func(dir string, depth int)
	visit = func(dir string, depth int) {
		b, err := os.ReadFile(filepath.Join(dir, "info", "alternates"))
		if err != nil {
			return
		}
		for line := range strings.Lines(string(b)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || line[0] == '#' {
				continue
			}
			other := absFrom(dir, filepath.FromSlash(line))
			if slices.Contains(dirs, other) {
				continue
			}
			if why := badAlternate(other, depth); why != "" {
				problems = append(problems, Skip{Object: other, Reason: why})
				continue
			}
			dirs = append(dirs, other)
			visit(other, depth+1)
		}
	}
	visit(dir, 1)
	return dirs, problems
}

// badAlternate says why a borrowed store can't be used, or "".
func badAlternate(dir string, depth int) string {
	switch {
	case depth > maxAlternateDepth:
		return "objects are borrowed over too many steps"
	case !isDir(dir):
		return "objects are borrowed from a folder that is not there"
	case filepath.Base(dir) != "objects":
		return "objects are borrowed from a folder that is not named objects"
	}
	return ""
}
