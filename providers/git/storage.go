package git

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/gitmem/gitmem/internal/freelist"
	"github.com/gitmem/gitmem/internal/lazy"
)

// maxObject limits an object that is read through go-git's interface.
const maxObject = 1 << 30

// store is the implementation of go-git's storage for a repository. It does not validate the configuration,
// unlike git.PlainOpen, which refuses work trees with their own settings, partial clones and unknown
// extensions.
//
// go-git's storage reads the list of shallow commits. Objects come from this package's packs: for every
// object, go-git searches every pack index of an alternate; it refuses indexes of version 1 and packs with
// other names, and takes more than twice the time. Refs come from this package's files: see [fileRefs].
//
// Commits, trees and tags are parsed by this package, for single ones as for walks. go-git takes four times
// as long for a commit, misreads an address with brackets and returns times that can't be formatted; in a
// tree it does not find names with control characters, changes modes, and ends a listing without an error if
// a folder is missing.
type store struct {
	storage.Storer
	refs    refReader
	objects *objects
	unused  freelist.List[*objects] // readers
}

func newStore(loc Location, refs refReader, o *objects) *store {
	files := dotgit.NewRepositoryFilesystem(regularFiles{osfs.New(loc.GitDir)}, regularFiles{osfs.New(loc.CommonDir)})
	return &store{Storer: filesystem.NewStorage(files, cache.NewObjectLRU(0)), refs: refs, objects: o}
}

// OpenObjects opens the objects of a git directory with SHA-1 ids, and reads nothing else of it. Several
// goroutines may read them at once, until they are closed. For a missing object, or one of another type, the
// error is [plumbing.ErrObjectNotFound].
func OpenObjects(gitDir string) *Objects {
	o, _ := openObjects(gitDir, idSHA1)
	return &Objects{newStore(Location{GitDir: gitDir, CommonDir: gitDir}, nil, o), o}
}

// Objects are the objects of a git directory, see [OpenObjects].
type Objects struct {
	storer.EncodedObjectStorer
	opened *objects
}

// Close closes the packs.
func (o *Objects) Close() { o.opened.close() }

// reader returns a reader for one goroutine, which must put it back.
func (s *store) reader() *objects {
	if o, ok := s.unused.Get(); ok {
		return o
	}
	return s.objects.fork(baseCacheSize)
}

// EncodedObject implements [storer.EncodedObjectStorer].
func (s *store) EncodedObject(typ plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	o := s.reader()
	defer s.unused.Put(o)
	e, err := o.encoded(id, maxObject)
	if err != nil || typ != plumbing.AnyObject && typ != e.Type() {
		return nil, orNoObject(err)
	}
	return e, nil
}

var longID = lazy.Pattern(`(?m)^((?:tree|parent|object) [0-9a-f]{40})[0-9a-f]{24}$`)

// encoded is get for go-git's parsers, with ids in full length. For single objects they use it instead of the
// [storer.EncodedObjectStorer], which has no limit and does not report which object is missing.
func (o *objects) encoded(id plumbing.Hash, limit int64) (plumbing.EncodedObject, error) {
	typ, b, err := o.get(id, limit)
	if err != nil {
		return nil, err
	}
	if o.stores.idSize != idSHA1 && (typ == plumbing.CommitObject || typ == plumbing.TagObject) {
		head, _, _ := bytes.Cut(b, []byte("\n\n"))
		long := longID()
		b = slices.Concat(long.ReplaceAll(head, []byte("$1")), b[len(head):])
	}
	e := &encodedObject{id: id, b: b}
	e.SetType(typ)
	e.SetSize(int64(len(b)))
	return e, nil
}

// encodedObject stores its id, because the hash of its bytes differs from it if ids are truncated. It does
// not copy the bytes.
type encodedObject struct {
	plumbing.MemoryObject
	id plumbing.Hash
	b  []byte
}

// Hash implements [plumbing.EncodedObject].
func (e *encodedObject) Hash() plumbing.Hash { return e.id }

// Reader implements [plumbing.EncodedObject].
func (e *encodedObject) Reader() (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(e.b)), nil
}

// orNoObject replaces our error for a missing object, and nil, with go-git's.
func orNoObject(err error) error {
	if err == nil || errors.Is(err, ErrNotFound) {
		return plumbing.ErrObjectNotFound
	}
	return err
}

// EncodedObjectSize implements [storer.EncodedObjectStorer].
func (s *store) EncodedObjectSize(id plumbing.Hash) (int64, error) {
	o, err := s.EncodedObject(plumbing.AnyObject, id)
	if err != nil {
		return 0, err
	}
	return o.Size(), nil
}

// Reference implements [storer.ReferenceStorer].
func (s *store) Reference(name plumbing.ReferenceName) (*plumbing.Reference, error) {
	return s.refs.read(name.String())
}

// regularFiles prevents go-git from opening a pipe, which would block.
type regularFiles struct{ billy.Filesystem }

func (f regularFiles) Open(name string) (billy.File, error) {
	info, err := f.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return f.Filesystem.Open(name)
}

func (f regularFiles) Chroot(dir string) (billy.Filesystem, error) {
	below, err := f.Filesystem.Chroot(dir)
	return regularFiles{below}, err
}
