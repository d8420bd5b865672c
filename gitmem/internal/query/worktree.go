package query

import (
	"io"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// OnDisk reads a regular file of the work tree, unless the request is about another state of the repository.
func (rd *Reader) OnDisk(p *workspace.Place, rel string) ([]byte, bool) {
	if p.Loc.WorkTree == "" || !rd.ws.AtHead() {
		return nil, false
	}
	root, err := os.OpenRoot(p.Loc.WorkTree)
	if err != nil {
		return nil, false
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(rel))
	if err != nil || !info.Mode().IsRegular() || info.Size() > LargestFile {
		return nil, false
	}
	f, err := root.Open(filepath.FromSlash(rel))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, LargestFile+1))
	return b, err == nil && len(b) <= LargestFile
}

// LargestFile is the largest file on disk that is compared, in bytes.
const LargestFile = 16 << 20
