//go:build !unix

package mmap

import (
	"errors"
	"os"
)

// File maps nothing: on this system, a mapped file can't be removed or replaced.
func File(*os.File, int64, bool) (data []byte, release func(), err error) {
	return nil, nil, errors.ErrUnsupported
}

// Release does nothing.
func Release([]byte) {}
