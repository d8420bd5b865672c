package git

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxLooseHead is the longest "type size\0" at the start of a loose object.
const maxLooseHead = 32

// tryLoose calls f with the file of a loose object in a folder of objects, or
// returns an error that is fs.ErrNotExist.
func (o *objects) tryLoose(dir, hex string, f func(path string) error) error {
	path := filepath.Join(dir, hex[:2], hex[2:])
	if o.stores.idSize != idSHA1 { // its name is longer than what is known of it
		names, _ := looseNames(dir, hex)
		if len(names) == 0 {
			return fs.ErrNotExist
		}
		path = filepath.Join(dir, hex[:2], names[0])
	}
	return f(path)
}

// looseNames lists the files of the loose objects whose hex id begins with prefix,
// two digits or more.
func looseNames(dir, prefix string) (names []string, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, prefix[:2]))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix[2:]) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// looseWithPrefix calls yield for the loose objects whose hex id begins with prefix.
func (o *objects) looseWithPrefix(prefix string, yield func(plumbing.Hash)) {
	for _, dir := range o.stores.dirs {
		names, _ := looseNames(dir, prefix) // a folder that is not there has none
		for _, name := range names {
			if id := prefix[:2] + name; len(id) == 2*o.stores.idSize && isHex(id) {
				yield(plumbing.NewHash(id))
			}
		}
	}
}

// loose reads a loose object: one stream of "type size\0" and the content.
func (o *objects) loose(path string, limit int64) (typ plumbing.ObjectType, b []byte, err error) {
	err = o.openLoose(path, func(f *file, h looseHead) error {
		typ = h.typ
		switch {
		case h.size > limit:
			return tooLarge(h.size)
		case h.size > maxExpansion*f.size:
			return fmt.Errorf("%s: its size is larger than its file can hold", path)
		case int64(len(h.rest)) > h.size:
			return fmt.Errorf("%s: it is longer than its head says", path)
		}
		b = make([]byte, h.size)
		n := copy(b, h.rest)
		if err := o.z.fill(b[n:]); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := o.z.finish(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	return typ, b, err
}

// statLoose reads the head of a loose object.
func (o *objects) statLoose(path string) (typ plumbing.ObjectType, size int64, err error) {
	err = o.openLoose(path, func(_ *file, h looseHead) error {
		typ, size = h.typ, h.size
		return nil
	})
	return typ, size, err
}

type looseHead struct {
	typ  plumbing.ObjectType
	size int64
	rest []byte // content that was read with the head
}

// openLoose calls read with the stream behind the head.
func (o *objects) openLoose(path string, read func(*file, looseHead) error) error {
	f, info, err := openRegular(path)
	if err != nil {
		return err
	}
	defer f.Close()
	// Not mapped: most are smaller than a page, and read once.
	lf := &file{f: f, size: info.Size()}
	if lf.size == 0 {
		return fmt.Errorf("%s is empty", path)
	}
	if err := o.z.start(lf, 0); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var buf [maxLooseHead]byte
	n, err := io.ReadFull(o.z.r, buf[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: %w", path, err)
	}
	h, err := parseLooseHead(buf[:n])
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return read(lf, h)
}

// parseLooseHead reads "type size\0".
func parseLooseHead(b []byte) (h looseHead, err error) {
	nul := bytes.IndexByte(b, 0)
	if nul < 0 {
		return h, errors.New("no head of an object begins there")
	}
	kind, size, _ := strings.Cut(string(b[:nul]), " ")
	if h.typ, err = plumbing.ParseObjectType(kind); err != nil || h.typ == plumbing.OFSDeltaObject || h.typ == plumbing.REFDeltaObject {
		return h, fmt.Errorf("an object of type %q", kind)
	}
	n, err := strconv.ParseUint(size, 10, 62)
	if err != nil {
		return h, fmt.Errorf("an object of size %q", size)
	}
	h.size, h.rest = int64(n), b[nul+1:]
	return h, nil
}

// shortenIDs cuts the ids in a tree to 20 bytes.
func shortenIDs(b []byte, idSize int) ([]byte, error) {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		nul := bytes.IndexByte(b, 0)
		if nul < 0 || nul+1+idSize > len(b) {
			return nil, fmt.Errorf("a tree entry that does not end: %w", errCorrupt)
		}
		out = append(out, b[:nul+1+idSHA1]...)
		b = b[nul+1+idSize:]
	}
	return out, nil
}
