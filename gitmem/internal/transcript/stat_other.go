//go:build !linux && !darwin

package transcript

import (
	"os"
	"path/filepath"
)

// folder is a folder whose files are looked at by their paths. Change times and
// inodes are not known on this system.
type folder struct{ path string }

func openFolder(path string) (*folder, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return &folder{path}, nil
}

func (d *folder) close() {}

func (d *folder) entries() ([]entry, error) {
	list, err := os.ReadDir(d.path)
	return entriesOf(list), err
}

func (d *folder) stat(name string) (st Stat, regular bool, err error) {
	info, err := os.Stat(filepath.Join(d.path, name))
	if err != nil {
		return Stat{}, false, err
	}
	return Stat{Size: info.Size(), MtimeNs: info.ModTime().UnixNano()}, info.Mode().IsRegular(), nil
}
