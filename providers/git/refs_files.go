package git

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/internal/mapfault"
)

// refReader reads refs in the format that a repository keeps them in.
type refReader interface {
	// read returns what stands in a ref: an id, or "ref: " and another name.
	// [ErrNotFound] where there is no such ref.
	read(name string) (string, error)
}

// openRefs chooses how the refs of a repository are read.
func openRefs(loc Location, f form) (refReader, error) {
	if f.refs == "files" {
		return fileRefs{loc}, nil
	}
	return openProgramRefs(loc, f.refs)
}

// maxRefFile bounds what is read of a ref: a name that somebody asks for may be
// that of any file.
const maxRefFile = 4096

// fileRefs reads refs from files of their own and from packed-refs.
type fileRefs struct{ loc Location }

func (r fileRefs) read(name string) (string, error) {
	if !isRefName(name) {
		return "", ErrNotFound
	}
	value, err := readRefFile(filepath.Join(r.dir(name), filepath.FromSlash(name)))
	if !errors.Is(err, ErrNotFound) || !strings.HasPrefix(name, "refs/") {
		return value, err
	}
	return readPackedRef(filepath.Join(r.loc.CommonDir, "packed-refs"), name)
}

// dir returns the folder of a ref: each work tree has a HEAD and a few others of
// its own.
func (r fileRefs) dir(name string) string {
	if !strings.HasPrefix(name, "refs/") {
		return r.loc.GitDir
	}
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return r.loc.GitDir
		}
	}
	return r.loc.CommonDir
}

// isRefName refuses names that lead out of the repository or mean nothing there.
func isRefName(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") || strings.Contains(part, "..") {
			return false
		}
	}
	return !strings.ContainsAny(name, "\\:?*[~^\x00\x7f \n") && filepath.IsLocal(filepath.FromSlash(name))
}

func readRefFile(path string) (string, error) {
	// A symbolic link is how refs stood for refs once.
	if target, err := os.Readlink(path); err == nil && strings.HasPrefix(filepath.ToSlash(target), "refs/") {
		return "ref: " + filepath.ToSlash(target), nil
	}
	f, info, err := openRegular(path)
	if info != nil && info.IsDir() {
		return "", ErrNotFound
	}
	if err != nil {
		return "", notThere(err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxRefFile))
	if err != nil {
		return "", err
	}
	value := strings.TrimSpace(string(b))
	if strings.HasPrefix(value, "ref:") {
		return value, nil
	}
	value, _, _ = strings.Cut(value, "\n") // FETCH_HEAD has more
	value, _, _ = strings.Cut(value, "\t")
	return value, nil
}

// notThere tells a file that is missing, also for want of its folder, from one that
// can't be read.
func notThere(err error) error {
	var path *fs.PathError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &path) && isNotDir(path.Err) {
		return ErrNotFound
	}
	return err
}

// readPackedRef looks a ref up in the list of packed refs, without reading all of
// it where it is sorted.
func readPackedRef(path, name string) (value string, err error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() == 0 {
		return "", ErrNotFound
	}
	f, err := openFile(path)
	if err != nil {
		return "", err
	}
	defer f.close()
	err = mapfault.Guard(func() error {
		b, err := f.all()
		if err != nil {
			return err
		}
		var ok bool
		if value, ok = findPacked(b, name); !ok {
			return ErrNotFound
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrNotFound) {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return value, err
}

// findPacked reads lines of "id name"; those that begin with ^ are about the line
// before them.
func findPacked(b []byte, name string) (id string, ok bool) {
	sorted := false
	for len(b) > 0 && b[0] == '#' {
		line, rest := cutLine(b)
		sorted = sorted || bytes.Contains(line, []byte(" sorted"))
		b = rest
	}
	for sorted && len(b) > 1<<12 {
		mid := lineStart(b, len(b)/2)
		line, rest := cutLine(b[mid:])
		switch _, at, _ := bytes.Cut(line, []byte{' '}); {
		case mid == 0:
			sorted = false
		case string(at) > name:
			b = b[:mid]
		case string(at) < name:
			b = rest
		default:
			b = b[mid:]
			sorted = false
		}
	}
	for len(b) > 0 {
		var line []byte
		line, b = cutLine(b)
		value, at, _ := bytes.Cut(line, []byte{' '})
		if string(at) == name {
			return string(value), true
		}
	}
	return "", false
}

// cutLine returns the first line without its end, and what follows.
func cutLine(b []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(b, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// lineStart returns where the line around at begins, or an earlier one if that is
// about the one before it.
func lineStart(b []byte, at int) int {
	for {
		at = bytes.LastIndexByte(b[:at], '\n') + 1
		if at == 0 || b[at] != '^' {
			return at
		}
		at--
	}
}
