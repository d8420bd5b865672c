package store

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

// hash is a git object id. SHA-1 is git's choice; here it identifies content and has no security function.
type hash = plumbing.Hash

// parseHash parses 40 hex digits.
func parseHash(s string) (h hash, ok bool) {
	if len(s) != 2*len(h) || !plumbing.IsHash(s) {
		return h, false
	}
	return plumbing.NewHash(s), true
}

func hashObject(kind string, body []byte) (h hash) {
	sum := sha1.New()
	fmt.Fprintf(sum, "%s %d\x00", kind, len(body))
	sum.Write(body)
	sum.Sum(h[:0])
	return h
}

// batch collects new objects, so that they can be written, synced and renamed together: the syncs of one batch share a
// disk's journal commits.
type batch struct {
	objects *objects
	items   map[hash]batchItem
	order   []hash // in the order added: an object follows those it refers to
	beside  syncs  // synced together with the objects
}

type batchItem struct {
	kind string
	body []byte
}

func (o *objects) batch() *batch {
	return &batch{objects: o, items: map[hash]batchItem{}}
}

// add computes the id of an object. flush writes the object unless it exists already.
func (b *batch) add(kind string, body []byte) hash {
	h := hashObject(kind, body)
	if _, ok := b.items[h]; !ok {
		b.items[h] = batchItem{kind, body}
		b.order = append(b.order, h)
	}
	return h
}

// get reads an object of the batch or of the repository.
func (b *batch) get(h hash, kind string) ([]byte, error) {
	if it, ok := b.items[h]; ok && it.kind == kind {
		return it.body, nil
	}
	return b.objects.get(h, kind)
}

// flushChunk limits the number of files that are open at once.
const flushChunk = 64

// flush writes the objects in the order in which they were added, so that a crash never leaves an object without its
// parts. With sync their contents and the files in beside are durable when it returns; the folders returned still need
// a sync.
func (b *batch) flush(now time.Time, sync bool) (dirs []string, err error) {
	missing := slices.DeleteFunc(slices.Clone(b.order), func(h hash) bool { return b.objects.hasLoose(h, now) })
	for chunk := range slices.Chunk(missing, flushChunk) {
		if err := b.writeChunk(chunk, sync); err != nil {
			return nil, err
		}
	}
	if sync && len(missing) == 0 {
		if err := b.beside.do(b.objects.disk); err != nil {
			return nil, err
		}
	}
	if len(missing) > 0 {
		dirs = append(dirs, b.objects.gitDir+"/objects") // another process may have created a folder without a sync
	}
	for _, h := range missing {
		dirs = append(dirs, b.objects.looseDir(h))
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), nil
}

// tempObject is an object that has been written but not yet renamed.
type tempObject struct {
	h    hash
	f    *os.File
	name string
}

func (b *batch) writeChunk(chunk []hash, sync bool) (err error) {
	var temps []tempObject
	defer func() {
		for _, t := range temps { // objects that could not be placed
			_ = t.f.Close()
			_ = b.objects.disk.remove(t.name) // git prune removes the rest
		}
	}()
	wait := b.beside
	for _, h := range chunk {
		f, name, err := b.objects.writeTemp(b.items[h])
		if err != nil {
			return fmt.Errorf("write object %s: %w", h, err)
		}
		temps = append(temps, tempObject{h, f, name})
		if sync {
			startWriting(f)
			wait.files = append(wait.files, f)
		}
	}
	if sync {
		if err := wait.do(b.objects.disk); err != nil {
			return err
		}
		b.beside = syncs{} // synced with the first objects
	}
	for len(temps) > 0 {
		t := temps[0]
		err := t.f.Close() // before the rename, for Windows
		if err == nil {
			err = b.objects.place(t)
		}
		if err != nil {
			return fmt.Errorf("write object %s: %w", t.h, err)
		}
		temps = temps[1:]
	}
	return nil
}

// place moves a written object to its final path. A gc removes folders that are empty, also one that we have just
// created: then it is created again.
func (o *objects) place(t tempObject) error {
	for try := 0; ; try++ {
		err := o.disk.rename(t.name, o.loosePath(t.h))
		if !errors.Is(err, fs.ErrNotExist) || try == 8 {
			return err
		}
		if err := o.disk.mkdir(o.looseDir(t.h)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
}

func (o *objects) looseDir(h hash) string { return o.gitDir + "/objects/" + h.String()[:2] }

func (o *objects) loosePath(h hash) string {
	hex := h.String()
	return o.gitDir + "/objects/" + hex[:2] + "/" + hex[2:]
}

// pruneGuard is the age from which a gc may prune an unreferenced object at any moment. git waits two weeks by default.
const pruneGuard = time.Hour

// hasLoose reports whether the object exists as a file that will stay. An empty file is what a power loss leaves of an
// unsynced object; it is written again. An old file gets a new mtime, as in git, so that no gc prunes it before
// something refers to it.
func (o *objects) hasLoose(h hash, now time.Time) bool {
	name := o.loosePath(h)
	fi, err := o.disk.root.Lstat(name)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() == 0 {
		return false
	}
	return now.Sub(fi.ModTime()) < pruneGuard || o.disk.root.Chtimes(name, now, now) == nil
}

// objectPerm is read-only, as in git: an object never changes.
const objectPerm = fs.FileMode(0o400)

// writeTemp writes an object under a name that git may prune. All go into one folder, because creating files in 256
// folders is slower. The file stays open, to be synced together with others.
func (o *objects) writeTemp(it batchItem) (*os.File, string, error) {
	f, name, err := o.disk.create(o.gitDir+"/objects", "tmp_obj_", "", objectPerm)
	if err != nil {
		return nil, "", err
	}
	data, err := deflate(it)
	if err == nil {
		_, err = o.disk.write(f, data)
	}
	if err != nil {
		f.Close()
		_ = o.disk.remove(name)
		return nil, "", err
	}
	return f, name, nil
}

// deflate returns an object in the form in which its file stores it.
func deflate(it batchItem) ([]byte, error) {
	kind, err := plumbing.ParseObjectType(it.kind)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z := objfile.NewWriter(&out)
	err = z.WriteHeader(kind, int64(len(it.body)))
	if err == nil {
		_, err = z.Write(it.body)
	}
	err = errors.Join(err, z.Close()) // Close writes the rest
	return out.Bytes(), err
}
