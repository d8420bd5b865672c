package dialect

import (
	"io/fs"
	"os"
)

// Contents reads a regular file, as [os.ReadFile] does. Opening a pipe in its place might never end.
func Contents(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return os.ReadFile(name)
}
