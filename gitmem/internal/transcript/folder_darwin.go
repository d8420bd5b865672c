package transcript

import "os"

// folder is an open folder, through which its files are looked at: a short way for
// the system, and there are thousands.
type folder struct {
	path string
	f    *os.File
	fd   int
}

func openFolder(path string) (*folder, error) {
	fd, err := openDir(path)
	if err != nil {
		return nil, err
	}
	return &folder{path: path, f: os.NewFile(uintptr(fd), path), fd: fd}, nil
}

func (d *folder) close() { _ = d.f.Close() } // read-only: nothing can be lost

// entries lists the folder, in no order.
func (d *folder) entries() ([]entry, error) {
	list, err := d.f.ReadDir(-1)
	return entriesOf(list), err
}
