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

// looseNames returns the files of the loose objects whose hex id begins with prefix, two digits or more.
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
		names, _ := looseNames(dir, prefix) // a missing folder has none
		for _, name := range names {
			if id := prefix[:2] + name; len(id) == 2*o.stores.idSize && isHex(id) {
				yield(plumbing.NewHash(id))
			}
		}
	}
}

// loose reads an object from a file in an object folder: one stream of "type size\0" and the content. The
// error is fs.ErrNotExist if the file does not exist.
func (o *objects) loose(dir, hex string, limit int64) (typ plumbing.ObjectType, b []byte, err error) {
	path := filepath.Join(dir, hex[:2], hex[2:])
	if o.stores.idSize != idSHA1 { // the file name is longer than the truncated id
		names, _ := looseNames(dir, hex)
		if len(names) == 0 {
			return 0, nil, fs.ErrNotExist
		}
		path = filepath.Join(dir, hex[:2], names[0])
	}
	f, info, err := openRegular(path)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	// Not mapped: most are smaller than a page and are read once.
	if typ, b, err = o.looseStream(&file{f: f, size: info.Size()}, limit); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return typ, b, err
}

func (o *objects) looseStream(f *file, limit int64) (typ plumbing.ObjectType, b []byte, err error) {
	if f.size == 0 {
		return 0, nil, errors.New("it is empty")
	}
	if err := o.z.start(f, 0); err != nil {
		return 0, nil, err
	}
	var buf [maxLooseHead]byte
	n, err := io.ReadFull(o.z.r, buf[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, nil, err
	}
	typ, size, rest, err := parseLooseHead(buf[:n])
	switch {
	case err != nil:
		return 0, nil, err
	case size > limit:
		return typ, nil, tooLarge(size)
	case size > maxExpansion*f.size:
		return 0, nil, errors.New("its size is larger than its file can hold")
	case int64(len(rest)) > size:
		return 0, nil, errors.New("it is longer than its head says")
	}
	b = make([]byte, size)
	if err = o.z.fill(b[copy(b, rest):]); err == nil {
		err = o.z.finish()
	}
	return typ, b, err
}

// parseLooseHead parses "type size\0"; rest is content that was read with it.
func parseLooseHead(b []byte) (typ plumbing.ObjectType, size int64, rest []byte, err error) {
	head, rest, ok := bytes.Cut(b, []byte{0})
	kind, digits, _ := strings.Cut(string(head), " ")
	n, sizeErr := strconv.ParseUint(digits, 10, 62)
	if typ, err = plumbing.ParseObjectType(kind); !ok || err != nil || sizeErr != nil || typ == offsetDelta ||
		typ == refDelta {
		return 0, 0, nil, errors.New("it does not begin as an object does")
	}
	return typ, int64(n), rest, nil
}

// shortenIDs truncates the ids in a tree to 20 bytes.
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
