//go:build !unix

package index

import "os"

// mapFile reads the file: a mapped one could not be removed.
func mapFile(path string) (data []byte, release func(), err error) {
	data, err = os.ReadFile(path)
	return data, func() {}, err
}

// releasePages does nothing: files are not mapped here.
func releasePages([]byte) {}
