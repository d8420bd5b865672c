package git

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/markdown/linediff"
)

// Repository is an open repository. It is NOT safe for concurrent use.
type Repository struct {
	loc     Location
	objects *objects
	trees   *trees
	store   *store
	shallow map[plumbing.Hash]bool
	known   map[plumbing.Hash]*metadata // of visited commits
	same    unchanged

	compared map[comparison][]linediff.Hunk // contents, for blames and traces

	frozen *Frozen // set by Freeze

	keepNames bool // renames are not detected

	contents *contents           // created when diff terms are first requested
	hide     func(string) string // hides secrets in contents

	tags    []Tag // for the refs in tagRefs
	tagRefs []*plumbing.Reference
	blames  map[string]keptBlame
	keeps   *Kept // cache beyond Close, or nil

	mailmap       *Mailmap
	mailmapSource string

	skipped   []Skip
	skippedAt map[string]bool

	lostParents int // how often an unreadable parent was skipped
}

// Skip is an object that was left out because it could not be read or was too large to compare.
type Skip struct {
	// Object is the id of a commit, tree or blob, the path of a file, or "renames of"
	// a commit or tree.
	Object string
	// Reason is why, for people.
	Reason string
}

// Open opens the repository at a location that [Discover] found.
//
// A damaged configuration is not an error. In a repository with SHA-256, ids are truncated to 40 of their 64
// digits, which git accepts as abbreviated ids. Refs in another format than files are read with the git
// program, once; if it is missing, or too old for the format, the error is [ErrUnsupported].
func Open(loc Location) (*Repository, error) {
	if loc.GitDir == "" {
		return nil, fmt.Errorf("open: %w (empty location)", ErrNotRepository)
	}
	if loc.CommonDir == "" {
		loc.CommonDir = loc.GitDir
	}
	if !isGitDir(loc.GitDir, loc.CommonDir) {
		return nil, fmt.Errorf("open %s: %w", loc.GitDir, ErrNotRepository)
	}
	form, err := readForm(loc)
	if err != nil {
		return nil, err
	}
	r := &Repository{
		loc:       loc,
		skippedAt: map[string]bool{},
	}
	refs, err := openRefs(loc, form)
	if err != nil {
		return nil, err
	}
	var problems []Skip
	r.objects, problems = openObjects(loc.CommonDir, form.idSize)
	r.store = newStore(loc, refs, r.objects)
	if err := r.loadShallow(); err != nil {
		return nil, err
	}
	r.same.r = r
	r.trees = newTrees(r.objects, treeCacheSize)
	for _, p := range problems {
		r.skip(p.Object, p.Reason)
	}
	return r, nil
}

// Close closes the files of the repository. It can't be read afterwards.
func (r *Repository) Close() error {
	if r.keeps != nil {
		r.keeps.keep(r)
		r.keeps = nil
	}
	r.objects.close()
	return nil
}

// Location returns the location that the repository was opened with.
func (r *Repository) Location() Location { return r.loc }

// Skipped returns everything that could not be read since the repository was opened, without duplicates, in
// the order of occurrence.
func (r *Repository) Skipped() []Skip { return append([]Skip(nil), r.skipped...) }

// IsShallowEnd reports whether a shallow clone ends at a commit, 40 hex digits, so that its parents were not
// fetched.
func (r *Repository) IsShallowEnd(commit string) bool { return r.shallow[plumbing.NewHash(commit)] }

func (r *Repository) skip(object, reason string) {
	if !r.skippedAt[object] {
		r.skippedAt[object] = true
		r.skipped = append(r.skipped, Skip{Object: object, Reason: reason})
	}
}

// form is the formats in which a repository stores its objects and refs.
type form struct {
	idSize int    // bytes of an object id
	refs   string // storage format of refs: files, or one that only git reads
}

// readForm reads the form. In a damaged configuration, the entries before the damage count.
func readForm(loc Location) (form, error) {
	cfg, err := readConfig(loc.GitDir, loc.CommonDir)
	f := form{idSize: idSHA1, refs: "files"}
	if errors.Is(err, errNotRegular) { // git itself would block on it
		return f, err
	}
	switch v, _ := cfg.get("extensions", "objectformat"); strings.ToLower(v) {
	case "", "sha1":
	case "sha256":
		f.idSize = idSHA256
	default:
		return f, fmt.Errorf("%s: %w: its objects are named by %s (extensions.objectFormat), and only SHA-1 and SHA-256 "+
			"can be read", loc.GitDir, ErrUnsupported, v)
	}
	if v, _ := cfg.get("extensions", "refstorage"); v != "" {
		f.refs = strings.ToLower(v)
	} else if isDir(filepath.Join(loc.CommonDir, "reftable")) {
		f.refs = "reftable"
	}
	return f, nil
}

// loadShallow reads the ids of the commits whose parents were not fetched.
func (r *Repository) loadShallow() error {
	ids, err := r.store.Shallow()
	if err != nil {
		return fmt.Errorf("read the list of shallow commits: %w", err)
	}
	r.shallow = map[plumbing.Hash]bool{}
	for _, id := range ids {
		r.shallow[id] = true
	}
	return nil
}
