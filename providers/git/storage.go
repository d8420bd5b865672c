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

// maxObject bounds an object that is read through go-git's interface.
const maxObject = 1 << 30

// store is a repository as go-git's packages know one. It opens none of the
// configuration, unlike git.PlainOpen, which refuses work trees with settings of their
// own, partial clones and whatever else it does not know.
//
// go-git's storage reads the list of shallow commits. Objects come from this package's
// packs: go-git looks into every pack index of a borrowed store for every object, refuses
// indexes of version 1 and packs of other names, and takes more than twice the time. Refs
// come from this package's files: see [fileRefs].
//
// Commits, trees and tags are parsed here, for single ones as for walks: go-git takes four times as long for a commit,
// misreads an address with
// brackets and gives times that can't be written; in a tree it finds no name with a control
// character, alters modes, and ends a listing without an error where a folder is missing.
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

// OpenObjects opens the objects of a git directory whose ids are SHA-1, and asks nothing
// else of it. They may be read by several goroutines at once, until they are closed. An
// object that is not there, or of another type, is [plumbing.ErrObjectNotFound].
func OpenObjects(gitDir string) *Objects {
	o, _ := openObjects(gitDir, idSHA1)
	return &Objects{newStore(Location{GitDir: gitDir, CommonDir: gitDir}, nil, o), o}
}

// Objects are those of a git directory, see [OpenObjects].
type Objects struct {
	storer.EncodedObjectStorer
	opened *objects
}

// Close closes the packs.
func (o *Objects) Close() { o.opened.close() }

// reader is for one goroutine, which puts it back.
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

// encoded is get for go-git's parsers, with ids in their length. They get single objects
// from it and not from the [storer.EncodedObjectStorer], which has no limit and does not
// name what is missing.
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

// encodedObject knows its id, which does not follow from its bytes where ids are cut, and
// has no copy of them.
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

// orNoObject puts go-git's error in the place of ours, and of none.
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

// regularFiles keeps go-git from opening a pipe, which it would wait for.
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
