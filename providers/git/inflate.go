package git

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/flate"

	"github.com/gitmem/gitmem/internal/inflate"
)

// maxExpansion is how many bytes one compressed byte can stand for: a header that
// promises more than the rest of its file can hold is a lie, and no memory is
// taken for it.
const maxExpansion = 1032

// inflater reads zlib streams (RFC 1950), one after the other.
type inflater struct {
	sources sources
	src     byteSource
	fl      io.ReadCloser
	sum     hash.Hash32
	end     [1]byte
	fast    inflate.Decoder // of what lies in memory
}

// head checks the two bytes that a stream begins with.
func head(cmf, flags byte) error {
	if cmf&0x0f != 8 || cmf>>4 > 7 || flags&0x20 != 0 || (uint(cmf)<<8|uint(flags))%31 != 0 {
		return errors.New("no zlib stream begins here")
	}
	return nil
}

// mapped is whole for what lies in memory.
func (z *inflater) mapped(src, b []byte) error {
	if len(src) < 2 {
		return errStreamEnds
	}
	if err := head(src[0], src[1]); err != nil {
		return err
	}
	n, err := z.fast.Decode(b, src[2:])
	if err != nil {
		return err
	}
	if src = src[2+n:]; len(src) < 4 {
		return errStreamEnds
	}
	if binary.BigEndian.Uint32(src) != adler32.Checksum(b) {
		return errChecksum
	}
	return nil
}

// start begins a stream at a place in a file.
func (z *inflater) start(f *file, off int64) error {
	z.src = z.sources.at(f, off)
	cmf, err := z.src.ReadByte()
	if err != nil {
		return errStreamEnds
	}
	flags, err := z.src.ReadByte()
	if err != nil {
		return errStreamEnds
	}
	if err := head(cmf, flags); err != nil {
		return err
	}
	if z.fl == nil {
		z.fl, z.sum = flate.NewReader(z.src), adler32.New()
	} else if err := z.fl.(flate.Resetter).Reset(z.src, nil); err != nil {
		return err
	}
	z.sum.Reset()
	return nil
}

var (
	errStreamEnds = inflate.ErrEnds
	errChecksum   = errors.New("its checksum is wrong")
)

// fill reads the next len(b) bytes.
func (z *inflater) fill(b []byte) error {
	if _, err := io.ReadFull(z.fl, b); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return inflate.ErrShort
		}
		return err
	}
	_, _ = z.sum.Write(b) // a checksum takes everything
	return nil
}

// finish expects the end of the stream and its checksum.
func (z *inflater) finish() error {
	if n, err := z.fl.Read(z.end[:]); n > 0 {
		return inflate.ErrLong
	} else if !errors.Is(err, io.EOF) {
		return fmt.Errorf("at its end: %w", err)
	}
	var want uint32
	for range 4 {
		c, err := z.src.ReadByte()
		if err != nil {
			return errStreamEnds
		}
		want = want<<8 | uint32(c)
	}
	if want != z.sum.Sum32() {
		return errChecksum
	}
	return nil
}

// whole reads a stream of exactly len(b) bytes.
func (z *inflater) whole(f *file, off int64, b []byte) error {
	if f.f == nil {
		return z.mapped(f.data[min(max(off, 0), f.size):], b)
	}
	if err := z.start(f, off); err != nil {
		return err
	}
	if err := z.fill(b); err != nil {
		return err
	}
	return z.finish()
}
