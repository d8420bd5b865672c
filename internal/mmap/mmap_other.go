//go:build !unix

package mmap

import (
	"errors"
	"os"
)

// File maps nothing: a file that is mapped can't be removed or replaced here.
func File(*os.File, int64, bool) (data []byte, release func(), err error) {
	return nil, nil, errors.ErrUnsupported
}

// Release does nothing.
func Release([]byte) {}
