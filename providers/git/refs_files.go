package git

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/internal/slice"
)

// refReader reads refs in the format of a repository.
type refReader interface {
	// read returns the content of a ref: an id or another name, or [plumbing.ErrReferenceNotFound].
	read(name string) (*plumbing.Reference, error)
	// below returns the refs whose names begin with prefix, which ends with a slash, by name, and those without
	// a valid id.
	below(prefix string) (refs []*plumbing.Reference, bad []Skip, err error)
}

// openRefs returns a reader for the refs of a repository.
func openRefs(loc Location, f form) (refReader, error) {
	if f.refs == "files" {
		return fileRefs{loc}, nil
	}
	return openProgramRefs(loc, f.refs)
}

// Limits for a ref, whose name may be that of any file, and for packed-refs.
const (
	maxRefFile = 4096
	maxPacked  = 1 << 30
)

// fileRefs reads refs from their files and from packed-refs. go-git reads them too, but it has four defects:
// if the file of a branch is empty or can't be read, as after a loss of power, it uses the older value in
// packed-refs; one such file, or a long line in packed-refs, prevents it from listing any refs; it looks up
// refs/worktree and the like in the main work tree; and each lookup parses all of packed-refs, 40 ms for
// 60,000 refs.
type fileRefs struct{ loc Location }

func (r fileRefs) read(name string) (*plumbing.Reference, error) {
	if !isRefName(name) {
		return nil, plumbing.ErrReferenceNotFound
	}
	value, err := readRefFile(filepath.Join(r.dir(name), filepath.FromSlash(name)))
	if errors.Is(err, plumbing.ErrReferenceNotFound) && strings.HasPrefix(name, "refs/") {
		return r.packed(name)
	}
	if err != nil {
		return nil, err
	}
	return parseRef(name, value)
}

func (r fileRefs) packed(name string) (*plumbing.Reference, error) {
	b, err := r.packedRefs()
	if err != nil {
		return nil, err
	}
	value, ok := findPacked(b, name)
	if !ok {
		return nil, plumbing.ErrReferenceNotFound
	}
	ref, err := parseRef(name, value)
	if err != nil {
		err = fmt.Errorf("%s is damaged in packed-refs: %w", name, errCorrupt)
	}
	return ref, err
}

// ReadRef returns the content of a ref of a git directory that stores its refs as files: an id or another
// name, or [plumbing.ErrReferenceNotFound].
func ReadRef(gitDir, name string) (*plumbing.Reference, error) {
	return fileRefs{Location{GitDir: gitDir, CommonDir: gitDir}}.read(name)
}

// ReadRefs returns the refs of such a directory whose names begin with prefix, which ends
// with a slash, by name, and those that can't be read.
func ReadRefs(gitDir, prefix string) (refs []*plumbing.Reference, bad []Skip, err error) {
	return fileRefs{Location{GitDir: gitDir, CommonDir: gitDir}}.below(prefix)
}

// parseRef parses an id, or "ref:" and another name.
func parseRef(name, value string) (*plumbing.Reference, error) {
	if target, ok := strings.CutPrefix(value, "ref:"); ok {
		return plumbing.NewSymbolicReference(plumbing.ReferenceName(name), plumbing.ReferenceName(strings.TrimSpace(target))),
			nil
	}
	id, err := parseID(value)
	if err != nil || id.IsZero() {
		return nil, fmt.Errorf("%s: %w (its file does not hold an id)", name, errCorrupt)
	}
	return plumbing.NewHashReference(plumbing.ReferenceName(name), id), nil
}

// dir returns the folder of a ref: each work tree has its own HEAD and a few other refs.
func (r fileRefs) dir(name string) string {
	within := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	if !within("refs/") || slices.ContainsFunc([]string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"}, within) {
		return r.loc.GitDir
	}
	return r.loc.CommonDir
}

// isRefName reports whether a name is valid and stays inside the repository.
func isRefName(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") || strings.Contains(part, "..") {
			return false
		}
	}
	return !strings.ContainsAny(name, "\\:?*[~^\x00\x7f \n") && filepath.IsLocal(filepath.FromSlash(name))
}

func readRefFile(path string) (string, error) {
	// Old versions of git wrote symbolic refs as symbolic links.
	if target, err := os.Readlink(path); err == nil && strings.HasPrefix(filepath.ToSlash(target), "refs/") {
		return "ref: " + filepath.ToSlash(target), nil
	}
	f, info, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || info != nil && info.IsDir() {
		return "", plumbing.ErrReferenceNotFound
	}
	if err != nil {
		return "", err
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
	value, _, _ = strings.Cut(value, "\n") // FETCH_HEAD has more lines
	value, _, _ = strings.Cut(value, "\t")
	return value, nil
}

// packedRefs returns the lines "id name" of packed refs; a line that begins with ^ belongs to the line before
// it.
func (r fileRefs) packedRefs() ([]byte, error) {
	b, err := ReadFile(filepath.Join(r.loc.CommonDir, "packed-refs"), maxPacked)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// findPacked looks up a ref in the list of packed refs.
func findPacked(b []byte, name string) (id string, ok bool) {
	for key := []byte(" " + name); ; {
		i := bytes.Index(b, key)
		if i < 0 {
			return "", false
		}
		value, rest := b[bytes.LastIndexByte(b[:i], '\n')+1:i], b[i+len(key):]
		if !bytes.ContainsAny(value, "# ") && (len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r') {
			return string(value), true
		}
		b = rest
	}
}

// below implements refReader. A loose ref takes precedence over a packed one.
func (r fileRefs) below(prefix string) (refs []*plumbing.Reference, bad []Skip, err error) {
	found := map[string]*plumbing.Reference{}
	b, err := r.packedRefs()
	if err != nil {
		return nil, nil, err
	}
	for line := range bytes.Lines(b) {
		value, name, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), " ")
		if ref, err := parseRef(name, value); err == nil && strings.HasPrefix(name, prefix) {
			found[name] = ref
		}
	}
	root := filepath.Join(r.loc.CommonDir, filepath.FromSlash(prefix))
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		name = path.Join(prefix, name)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && (d.IsDir() || strings.HasSuffix(name, ".lock")):
			return nil // removed meanwhile, or never existed
		case err == nil:
			var ref *plumbing.Reference
			if ref, err = r.read(name); err == nil {
				found[name] = ref
			}
		}
		if err != nil && !errors.Is(err, plumbing.ErrReferenceNotFound) {
			bad = append(bad, Skip{Object: name, Reason: err.Error()})
		}
		return nil
	})
	refs = slice.Map(slices.Sorted(maps.Keys(found)), func(name string) *plumbing.Reference { return found[name] })
	return refs, bad, err
}
