//go:build !unix

package embed

// mapFile reads the file: a mapped one could not be replaced.
func mapFile(path string, most int64) (data []byte, release func(), err error) {
	data, err = readFile(path, most)
	return data, func() {}, err
}
