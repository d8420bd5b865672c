package dialect

import (
	"io"
	"io/fs"
	"os"
)

// Open opens a regular file. It rejects pipes, which could block forever.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return os.Open(name)
}

// Contents reads a regular file.
func Contents(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
