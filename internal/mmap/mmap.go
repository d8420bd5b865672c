// Package mmap maps files into memory. It knows which systems prevent others from replacing a mapped file. It
// must not know the content of the files.
package mmap

import (
	"errors"
	"fmt"
	"io"
	"os"
)

func notAFile(path string, most int64) error {
	return fmt.Errorf("%s: not a file of 1 to %d bytes", path, most)
}

// Open maps a file of at most most bytes, or reads it on systems where files are not mapped. If private is
// set, the caller may write to the bytes, which only changes them in this process; otherwise it must not.
func Open(path string, most int64, private bool) (data []byte, release func(), err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe may block for ever
		return nil, nil, notAFile(path, most)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > most {
		return nil, nil, notAFile(path, most)
	}
	data, release, err = File(f, info.Size(), private)
	if errors.Is(err, errors.ErrUnsupported) {
		data, err = io.ReadAll(f)
		return data, func() {}, err
	}
	return data, release, err
}
