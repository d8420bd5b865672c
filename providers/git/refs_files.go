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

// refReader reads refs in the format that a repository keeps them in.
type refReader interface {
	// read returns the content of a ref: an id or another name.
	// [plumbing.ErrReferenceNotFound] where there is no such ref.
	read(name string) (*plumbing.Reference, error)
	// below returns the refs whose names begin with prefix, which ends with a slash, by
	// name, and those that hold no id.
	below(prefix string) (refs []*plumbing.Reference, bad []Skip, err error)
}

// openRefs chooses how the refs of a repository are read.
func openRefs(loc Location, f form) (refReader, error) {
	if f.refs == "files" {
		return fileRefs{loc}, nil
	}
	return openProgramRefs(loc, f.refs)
}

// What is read of a ref, whose name may be that of any file, and of packed-refs.
const (
	maxRefFile = 4096
	maxPacked  = 1 << 30
)

// fileRefs reads refs from files of their own and from packed-refs. go-git reads them
// too, but takes a branch whose file is empty or can't be read, as after a loss of
// power, for the older one in packed-refs; one such file, or a long line in packed-refs,
// keeps it from listing any; refs/worktree and its like it looks up in the main work
// tree; and a name costs it a parse of all packed-refs, 40 ms of 60,000 refs.
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

// ReadRef returns the content of a ref of a git directory that keeps its refs in files: an
// id or another name. [plumbing.ErrReferenceNotFound] where there is no such ref.
func ReadRef(gitDir, name string) (*plumbing.Reference, error) {
	return fileRefs{Location{GitDir: gitDir, CommonDir: gitDir}}.read(name)
}

// ReadRefs returns the refs of such a directory whose names begin with prefix, which ends
// with a slash, by name, and those that can't be read.
func ReadRefs(gitDir, prefix string) (refs []*plumbing.Reference, bad []Skip, err error) {
	return fileRefs{Location{GitDir: gitDir, CommonDir: gitDir}}.below(prefix)
}

// parseRef reads an id, or "ref:" and another name.
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

// dir returns the folder of a ref: each work tree has a HEAD and a few others of
// its own.
func (r fileRefs) dir(name string) string {
	within := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	if !within("refs/") || slices.ContainsFunc([]string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"}, within) {
		return r.loc.GitDir
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
	value, _, _ = strings.Cut(value, "\n") // FETCH_HEAD has more
	value, _, _ = strings.Cut(value, "\t")
	return value, nil
}

// packedRefs returns the lines "id name" of packed refs; those that begin with ^ are
// about the line before them.
func (r fileRefs) packedRefs() ([]byte, error) {
	b, err := ReadFile(filepath.Join(r.loc.CommonDir, "packed-refs"), maxPacked)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// findPacked looks a ref up in the list of packed refs.
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

// below implements refReader. A loose ref wins over a packed one.
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
			return nil // removed meanwhile, or none at all
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
