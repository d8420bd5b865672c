package transcript

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// folder is an open folder, through which its files are looked at: a short way for
// the system, and there are thousands.
type folder struct {
	path string
	fd   int
}

func openFolder(path string) (*folder, error) {
	fd, err := openDir(path)
	if err != nil {
		return nil, err
	}
	return &folder{path: path, fd: fd}, nil
}

func (d *folder) close() { _ = unix.Close(d.fd) } // read-only: nothing can be lost

// listBytes is how much of a folder is read at once: some hundred names.
const listBytes = 16 << 10

// entries lists the folder, in no order. It takes the records of the system as they
// are, see getdents(2): a file of its own for each folder and an object for each of
// thousands of names would take longer than the system does.
func (d *folder) entries() ([]entry, error) {
	var out []entry
	buf := make([]byte, listBytes)
	for {
		n, err := unix.ReadDirent(d.fd, buf)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return out, &fs.PathError{Op: "list", Path: d.path, Err: err}
		case n == 0:
			return out, nil
		}
		out = d.parse(buf[:n], out)
	}
}

// parse appends the names of some records: inode and offset of 8 bytes each, the
// record's length of 2, the kind of 1, and the name with a 0 behind it.
func (d *folder) parse(b []byte, out []entry) []entry {
	const lengthAt, kindAt, nameAt = 16, 18, 19
	if out == nil {
		out = make([]entry, 0, len(b)/40) // of short names and of long ones
	}
	text := string(b) // once for all names
	for len(b) > nameAt {
		size := int(binary.NativeEndian.Uint16(b[lengthAt:]))
		if size <= nameAt || size > len(b) {
			break
		}
		end := nameAt + max(0, bytes.IndexByte(b[nameAt:size], 0))
		if name := text[nameAt:end]; name != "." && name != ".." {
			out = append(out, entry{name, d.isDir(name, b[kindAt])})
		}
		b, text = b[size:], text[size:]
	}
	return out
}

// isDir tells folders. Some file systems don't say what a name is of.
func (d *folder) isDir(name string, kind byte) bool {
	if kind != unix.DT_UNKNOWN {
		return kind == unix.DT_DIR
	}
	var s unix.Stat_t
	err := unix.Fstatat(d.fd, name, &s, unix.AT_SYMLINK_NOFOLLOW)
	return err == nil && s.Mode&unix.S_IFMT == unix.S_IFDIR
}
