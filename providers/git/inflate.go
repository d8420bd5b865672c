package git

import (
	"errors"
	"fmt"
	"hash"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/flate"
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
	if cmf&0x0f != 8 || cmf>>4 > 7 || flags&0x20 != 0 || (uint(cmf)<<8|uint(flags))%31 != 0 {
		return errors.New("no zlib stream begins here")
	}
	if z.fl == nil {
		z.fl, z.sum = flate.NewReader(z.src), adler32.New()
	} else if err := z.fl.(flate.Resetter).Reset(z.src, nil); err != nil {
		return err
	}
	z.sum.Reset()
	return nil
}

var errStreamEnds = errors.New("the file ends within it")

// fill reads the next len(b) bytes.
func (z *inflater) fill(b []byte) error {
	n, err := io.ReadFull(z.fl, b)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("%d bytes are missing", len(b)-n)
		}
		return err
	}
	_, _ = z.sum.Write(b) // a checksum takes everything
	return nil
}

// finish expects the end of the stream and its checksum.
func (z *inflater) finish() error {
	if n, err := z.fl.Read(z.end[:]); n > 0 {
		return errors.New("it is longer than its header says")
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
		return errors.New("its checksum is wrong")
	}
	return nil
}

// whole reads a stream of exactly len(b) bytes.
func (z *inflater) whole(f *file, off int64, b []byte) error {
	if err := z.start(f, off); err != nil {
		return err
	}
	if err := z.fill(b); err != nil {
		return err
	}
	return z.finish()
}
