// Package mmap maps files into memory. It knows which systems keep others from replacing a
// mapped file, and nothing of what the files hold.
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

// Open maps a file of at most so many bytes, and reads it where files are not mapped. If it is
// private, what is written to the bytes stays in this process; else nothing may be.
func Open(path string, most int64, private bool) (data []byte, release func(), err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe may never end
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
