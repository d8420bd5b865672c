package store

import (
	"context"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// isObjectTemp reports whether a name is that of a temporary object file of git or gitmem. For objects pushed to us it
// is a folder.
func isObjectTemp(name string) bool {
	return strings.HasPrefix(name, "tmp_") || strings.HasPrefix(name, ".tmp-")
}

// eachObjectFile calls f for each file below objects, and for temporary object files.
func (s *Store) eachObjectFile(f func(rel string, fi fs.FileInfo)) error {
	return s.walk(s.gitPath("objects"), func(rel string, d fs.DirEntry) error {
		temp := isObjectTemp(d.Name())
		if d.IsDir() && !temp {
			return nil
		}
		if fi, err := d.Info(); err == nil && (fi.Mode().IsRegular() || temp) {
			f(rel, fi)
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

// objectSizes returns the disk space of every object, reachable or not.
func (s *Store) objectSizes(ctx context.Context) (map[hash]int64, error) {
	out, err := s.ourGit(ctx, nil, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objectsize:disk)",
		"--unordered")
	all := map[hash]int64{}
	for line := range strings.Lines(string(out)) {
		name, size, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id, ok := parseHash(name); ok {
			all[id], _ = strconv.ParseInt(size, 10, 64) // git writes a valid number
		}
	}
	return all, err
}

// readWhole reads at most limit bytes of a file of ours that may be large or not a regular file.
func (s *Store) readWhole(rel string, limit int64) ([]byte, error) {
	f, err := os.Open(s.abs(rel))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
