package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/providers/git"
)

var (
	// ErrNoStore means that there is no memory at the root, or that it lacks a repository that is needed.
	ErrNoStore = errors.New("no store")
	// ErrNotFound means that a path does not exist in the requested revision, or that the revision does not exist.
	ErrNotFound = errors.New("not found")
	// ErrLocked means that a lock stayed busy until the deadline. The text is in its file; a later commit includes it.
	ErrLocked = errors.New("locked")
	// ErrNotAllowed means that a path is not in the allow-list, or that a link is at the path of a plain file or folder.
	ErrNotAllowed = errors.New("path not allowed")
	// ErrConflict means that a file kept changing during a rewrite, or that a manual merge of it is unfinished.
	ErrConflict = errors.New("conflict")
	// ErrUnsupported means that the repository has a format that can't be written here, such as SHA-256 ids.
	ErrUnsupported = errors.New("repository format not supported")
	// ErrHeld means that a named file was not committed because it seems to contain a secret, or has another hard link
	// elsewhere. The file on disk is unchanged.
	ErrHeld = errors.New("held back from history")
)

const (
	ourDir      = "gitmem"
	clientDir   = "projects"
	indexDir    = "gitmem/.index"
	lockFile    = "gitmem/.index/lock"
	recordsDir  = "gitmem/.index/locks"
	rootGitDir  = ".git"
	innerGitDir = "gitmem/.git"
	ignoreFile  = ".gitignore"
	configFile  = "gitmem/config.yaml"
	localFile   = "gitmem/local.yaml" // of one machine: git ignores it

	filePerm = fs.FileMode(0o600)
	dirPerm  = fs.FileMode(0o700)
)

// The lists of names and of synonyms, which only people write.
const (
	EntitiesFile = "gitmem/entities.md"
	SynonymsFile = "gitmem/synonyms.md"
)

// UserFiles returns the files that a person writes for all projects. They are also read through links.
func UserFiles() []string { return []string{configFile, EntitiesFile, SynonymsFile} }

// Signature is the author of a commit.
type Signature struct{ Name, Email string }

// Options configure a store. Root and Now are required.
type Options struct {
	Root     string           // absolute path of the root, see FindRoot
	Now      func() time.Time // the clock
	Author   Signature        // author and committer; a neutral one if empty
	Machine  string           // host name, for project folders and lock holders
	Warn     func(string)     // takes one-line warnings; may be nil
	LockWait time.Duration    // how long to wait for a busy lock; 0 means 5 s
	Program  string           // program that git calls to merge; "" means gitmem, found in PATH
	Redactor *redact.Redactor // redacts the text that the store itself composes; nil means redact.New()
}

func (o Options) check() (Options, error) {
	if !filepath.IsAbs(o.Root) {
		return o, fmt.Errorf("store root %q is not an absolute path", o.Root)
	}
	if o.Now == nil {
		return o, errors.New("store options: Now is missing")
	}
	if o.LockWait <= 0 {
		o.LockWait = 5 * time.Second
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.Redactor == nil {
		o.Redactor = redact.New()
	}
	o.Root = filepath.Clean(o.Root)
	return o, nil
}

// Store is one memory root. It is safe for concurrent use. The caller must close it.
type Store struct {
	o       Options
	disk    *disk
	gitDir  string // slash path relative to the root; "" without a repository
	problem string // why the repository can't be used, or ""
	objects *objects
	checkoutIndex
}

// FindRoot returns the root of memory: $GITMEM_HOME, else $CLAUDE_CONFIG_DIR,
// else .claude in home. A leading ~/ means home, since settings files pass
// environment values without a shell.
func FindRoot(getenv func(string) string, home string) string {
	for _, name := range []string{"GITMEM_HOME", "CLAUDE_CONFIG_DIR"} {
		dir := getenv(name)
		if dir == "~" {
			return home
		}
		if rest, ok := strings.CutPrefix(dir, "~/"); ok {
			return filepath.Join(home, filepath.FromSlash(rest))
		}
		if dir != "" {
			return filepath.Clean(dir)
		}
	}
	return filepath.Join(home, ".claude")
}

// Open opens the memory at the root without changing anything. It returns ErrNoStore if there is neither a gitmem
// folder nor a repository of ours. A store without a repository can append and read files but not commit.
func Open(o Options) (*Store, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(o.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w at %s", ErrNoStore, o.Root)
	}
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	s := newStore(o, root)
	if s.gitDir == "" {
		if fi, err := root.Lstat(ourDir); err != nil || !fi.IsDir() {
			root.Close()
			if err := plainFolder(filepath.Join(o.Root, ourDir)); err != nil {
				return nil, fmt.Errorf("%w at %s: %w", ErrNoStore, o.Root, err)
			}
			return nil, fmt.Errorf("%w at %s", ErrNoStore, o.Root)
		}
	}
	return s, nil
}

func newStore(o Options, root *os.Root) *Store {
	s := &Store{o: o, disk: &disk{root: root}}
	s.machine, s.redactor, s.all = o.Machine, o.Redactor, s
	s.findRepository()
	return s
}

// findRepository sets gitDir to the repository that has our mark.
func (s *Store) findRepository() {
	for _, dir := range []string{innerGitDir, rootGitDir} {
		if s.markedOurs(dir) {
			s.use(dir)
			return
		}
	}
	s.use("")
}

// use sets gitDir to a repository, "" for none.
func (s *Store) use(dir string) {
	s.gitDir, s.problem = dir, ""
	if b, err := s.disk.readFile(dir + "/config"); dir != "" && err == nil {
		conf := git.Settings(b)
		if f := strings.ToLower(conf["extensions.objectformat"]); f != "" && f != "sha1" {
			s.problem = "object ids are " + f
		}
		if f := strings.ToLower(conf["extensions.refstorage"]); f != "" && f != "files" {
			s.problem = "references are stored as " + f
		}
	}
	s.objects = newObjects(s.disk, s.gitDir, filepath.Join(s.o.Root, filepath.FromSlash(s.gitDir)))
}

// Close releases the resources of the store.
func (s *Store) Close() error {
	s.objects.close()
	return s.disk.root.Close()
}

// Root returns the absolute path of the root.
func (s *Store) Root() string { return s.o.Root }

// HasRepository reports whether there is a repository of ours to commit to.
func (s *Store) HasRepository() bool { return s.gitDir != "" }

// GitDir returns the absolute path of our git directory, "" if there is none.
func (s *Store) GitDir() string {
	if s.gitDir == "" {
		return ""
	}
	return filepath.Join(s.o.Root, filepath.FromSlash(s.gitDir))
}

// IndexDir returns the absolute path of the cache. It need not exist.
func (s *Store) IndexDir() string {
	return filepath.Join(s.o.Root, filepath.FromSlash(indexDir))
}

// repository returns an error unless there is a usable repository.
func (s *Store) repository() error {
	if s.gitDir == "" {
		return fmt.Errorf("%w: %s has no repository of gitmem's", ErrNoStore, s.o.Root)
	}
	if s.problem != "" {
		return fmt.Errorf("%w: %s: %s", ErrUnsupported, s.GitDir(), s.problem)
	}
	return nil
}

// allowed is Allowed for this store: a .gitignore at the root is ours only if the repository at the root is.
func (s *Store) allowed(rel string) bool { return s.allowedTop(rel) && Allowed(rel) }

func (s *Store) allowedTop(rel string) bool { return rel != ignoreFile || s.gitDir == rootGitDir }

// deadline limits ctx to the maximum wait for a busy lock.
func (s *Store) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.o.LockWait)
}
