package git

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
)

// maxExpansion is how many bytes one compressed byte can expand to: no memory is allocated for a header that
// claims more than the rest of its file can contain.
const maxExpansion = 1032

// inflater decompresses zlib streams, one after another.
type inflater struct {
	sources sources
	r       io.ReadCloser
	end     [1]byte
}

// start begins a stream at an offset of a file.
func (z *inflater) start(f *file, off int64) (err error) {
	src := z.sources.at(f, off)
	if z.r == nil {
		z.r, err = zlib.NewReader(src)
		return err
	}
	return z.r.(zlib.Resetter).Reset(src, nil)
}

// fill reads the next len(b) bytes.
func (z *inflater) fill(b []byte) error {
	n, err := io.ReadFull(z.r, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%d bytes are missing", len(b)-n)
	}
	return err
}

// finish checks that the stream ends here, with a valid checksum.
func (z *inflater) finish() error {
	if n, err := z.r.Read(z.end[:]); n > 0 {
		return errors.New("it is longer than its header says")
	} else if !errors.Is(err, io.EOF) {
		return fmt.Errorf("at its end: %w", err)
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
