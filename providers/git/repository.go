package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Repository is an open repository. It is NOT safe for concurrent use.
type Repository struct {
	loc     Location
	objects *objects
	trees   *treeCache
	shallow map[plumbing.Hash]bool
	zones   map[int]*time.Location
	past    *Past // set by Freeze

	mailmap       *Mailmap
	mailmapSource string

	skipped   []Skip
	skippedAt map[string]bool
}

// Skip is something that could not be read and was left out.
type Skip struct {
	// Object is the id of a commit, tree or blob, or the path of a file.
	Object string
	// Reason says in words why.
	Reason string
}

// Open opens the repository at a location that [Discover] found.
//
// A damaged configuration is no obstacle. Repositories with SHA-256 object
// names or with refs in the reftable format give [ErrUnsupported].
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
	if err := checkFormat(loc); err != nil {
		return nil, err
	}
	r := &Repository{
		loc:       loc,
		trees:     newTreeCache(),
		zones:     map[int]*time.Location{},
		skippedAt: map[string]bool{},
	}
	if err := r.loadShallow(); err != nil {
		return nil, err
	}
	var problems []Skip
	r.objects, problems = openObjects(loc.GitDir, loc.CommonDir)
	for _, p := range problems {
		r.skip(p.Object, p.Reason)
	}
	return r, nil
}

// Close closes the files that the repository keeps open.
func (r *Repository) Close() error {
	if err := r.objects.close(); err != nil {
		return fmt.Errorf("close %s: %w", r.loc.GitDir, err)
	}
	return nil
}

// Location returns what the repository was opened with.
func (r *Repository) Location() Location { return r.loc }

// Skipped returns everything that could not be read since the repository was
// opened, each thing once, in the order in which it was met.
func (r *Repository) Skipped() []Skip { return append([]Skip(nil), r.skipped...) }

func (r *Repository) skip(object, reason string) {
	if !r.skippedAt[object] {
		r.skippedAt[object] = true
		r.skipped = append(r.skipped, Skip{Object: object, Reason: reason})
	}
}

// checkFormat refuses the two forms whose objects or refs look absent here.
func checkFormat(loc Location) error {
	// What stands before the damage in a damaged configuration still counts.
	cfg, _ := readConfig(loc.GitDir, loc.CommonDir)
	if v, ok := cfg.get("extensions", "objectformat"); ok && !strings.EqualFold(v, "sha1") {
		return fmt.Errorf("%s: %w: its objects are named by %s (extensions.objectFormat) and only SHA-1 can be read; "+
			"convert a copy with: git fast-export --all | git -C <new SHA-1 repository> fast-import", loc.GitDir, ErrUnsupported, v)
	}
	if v, ok := cfg.get("extensions", "refstorage"); ok && !strings.EqualFold(v, "files") || isDir(filepath.Join(loc.CommonDir, "reftable")) {
		if v == "" {
			v = "reftable"
		}
		return fmt.Errorf("%s: %w: its refs are stored as %s (extensions.refStorage) and only files can be read; "+
			"convert it with: git refs migrate --ref-format=files", loc.GitDir, ErrUnsupported, v)
	}
	return nil
}

// loadShallow reads the ids of the commits whose parents were not fetched.
func (r *Repository) loadShallow() error {
	b, err := os.ReadFile(filepath.Join(r.loc.CommonDir, "shallow"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the list of shallow commits: %w", err)
	}
	r.shallow = map[plumbing.Hash]bool{}
	for line := range strings.Lines(string(b)) {
		if id := strings.TrimSpace(line); len(id) == 40 && isHex(id) {
			r.shallow[plumbing.NewHash(id)] = true
		}
	}
	return nil
}
