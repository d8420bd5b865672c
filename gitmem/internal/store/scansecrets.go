package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// Secret is the location of a text that the redactor takes for a secret, without the text itself.
type Secret struct {
	Kind   string // as named by the redactor; "private" for a private block
	Where  string // file, name, history, message, author, repository, cache or unreachable
	Path   string // redacted; of a file, or of the source of the text
	Line   int    // 1-based, 0 for a name
	Commit string // the first commit with it, "" outside history
}

// Scanned is the result of a search for secrets, with counts of what was read.
type Scanned struct {
	Found                   []Secret
	Files, Objects, Commits int
	Bytes                   int64
	Unread                  []Trouble // could not be read, and so was not searched
}

// Secrets searches everything in the store: all files in our folders, their names, every object of the repository,
// reachable or not, messages and authors, references, reflogs and the configuration, and the small files of the cache.
// Each object is read once; the same secret in further versions of a file is reported once, with the first commit that
// has it. The shards of the search index are not searched. progress, if not nil, is called now and then with the number
// of objects read.
func (s *Store) Secrets(ctx context.Context, progress func(n int)) (Scanned, error) {
	w := newSecretScan(s)
	if err := w.files(ctx); err != nil {
		return w.out, err
	}
	if s.repository() != nil {
		return w.out, nil
	}
	if err := w.gitFiles(ctx); err != nil {
		return w.out, err
	}
	told := 0
	return w.out, w.history(ctx, func() {
		if n := w.out.Objects; progress != nil && n%256 == 0 && n > told {
			told = n
			progress(n)
		}
	})
}

type secretScan struct {
	store    *Store
	redactor *redact.Redactor
	known    map[[sha256.Size]byte]bool // hashes of location and secret
	names    map[string]bool
	seen     map[hash]bool
	out      Scanned
}

func newSecretScan(s *Store) *secretScan {
	return &secretScan{
		store: s, redactor: s.o.Redactor,
		known: map[[sha256.Size]byte]bool{}, names: map[string]bool{}, seen: map[hash]bool{},
	}
}

// text searches a text. at is its location; Kind and Line are filled in.
func (w *secretScan) text(text string, at Secret) {
	w.out.Bytes += int64(len(text))
	_, found := w.redactor.Text(text)
	line, from := 1, 0
	for _, f := range found {
		line += strings.Count(text[from:f.Start], "\n")
		from = f.Start
		at.Line, at.Kind = line, f.Kind
		w.report(at, text[f.Start:f.End])
	}
}

// report adds a finding, unless the same one was reported for this location.
func (w *secretScan) report(at Secret, secret string) {
	key := sha256.Sum256([]byte(at.Where + "\x00" + at.Path + "\x00" + at.Kind + "\x00" + secret))
	if w.known[key] {
		return
	}
	w.known[key] = true
	at.Path = w.redactor.Clean(at.Path).String()
	w.out.Found = append(w.out.Found, at)
}

// name searches a path or the name of a reference.
func (w *secretScan) name(name string, at Secret) {
	if w.names[name] {
		return
	}
	w.names[name] = true
	at.Where, at.Path = "name", name
	if _, found := w.redactor.Text(name); len(found) > 0 {
		at.Kind = found[0].Kind
		w.report(at, name[found[0].Start:found[0].End])
	}
}

func (w *secretScan) unread(t Trouble) {
	t.Level = Warn
	w.out.Unread = append(w.out.Unread, t)
}

// maxScanned is the size up to which a file is searched: a file has to be read whole, and larger ones are not a
// person's notes.
const maxScanned = 256 << 20

// files searches all files in our folders, whatever their names, and the cache except for the shards.
func (w *secretScan) files(ctx context.Context) error {
	s := w.store
	err := s.eachEntry(func(rel string, d fs.DirEntry) error {
		w.name(rel, Secret{})
		if d.Type().IsRegular() {
			w.file(rel, "file")
		}
		return ctx.Err()
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		w.unread(Trouble{Detail: "some folders could not be read: " + err.Error()})
	}
	return s.walk(indexDir, func(rel string, d fs.DirEntry) error {
		switch {
		case rel == indexDir+"/shards": // of the search index
			return fs.SkipDir
		case d.Type().IsRegular():
			w.file(rel, "cache")
		}
		return ctx.Err()
	})
}

func (w *secretScan) file(rel, where string) {
	b, err := w.store.readWhole(rel, maxScanned)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		w.unread(Trouble{Path: rel, Detail: "could not be read"})
		return
	}
	if len(b) == maxScanned {
		w.unread(Trouble{Path: rel, Detail: "only its first 256 MiB were searched"})
	}
	w.out.Files++
	w.text(string(b), Secret{Where: where, Path: rel})
}

// gitFiles searches the files of our git directory other than objects: the configuration with its remotes, references
// and their names, reflogs, drafts of messages.
func (w *secretScan) gitFiles(ctx context.Context) error {
	s := w.store
	return s.eachGitFile(func(rel string, d fs.DirEntry) error {
		below := strings.TrimPrefix(rel, s.gitDir+"/")
		switch {
		case strings.HasPrefix(below, "objects/"), below == "index", !d.Type().IsRegular():
			return ctx.Err()
		case strings.HasPrefix(below, "refs/"):
			w.name(below, Secret{})
		}
		w.file(rel, "repository")
		return ctx.Err()
	})
}

// history searches the objects: those reachable from references and reflogs, oldest commit first, so that a finding
// names the first commit that has it; then unreachable ones. Git lists them. read is called after each.
func (w *secretScan) history(ctx context.Context, read func()) error {
	s := w.store
	if ix, err := s.readIndex(); err == nil { // otherwise there is none yet, or IndexState reports it
		for _, e := range ix.entries { // the blobs are among the objects
			w.name(string(e.name), Secret{})
		}
	}
	out, err := s.ourGit(ctx, nil, "rev-list", "--objects", "--in-commit-order", "--topo-order", "--reverse",
		"--missing=allow-any", "--all", "--reflog")
	if err != nil {
		w.unread(Trouble{Path: s.gitPath("HEAD"), Detail: "not every commit was searched: " + err.Error()})
	}
	if err := w.listed(ctx, out, read); err != nil {
		return err
	}
	all, err := s.objectSizes(ctx)
	if err != nil {
		w.unread(Trouble{Path: s.gitPath("objects"), Detail: "what nothing reaches was not searched: " + err.Error()})
	}
	for id := range all {
		w.object(id, "", Secret{Where: "unreachable"})
		if read(); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// listed searches the objects that git rev-list --objects has listed.
func (w *secretScan) listed(ctx context.Context, list []byte, read func()) error {
	commit := ""
	for line := range strings.Lines(string(list)) {
		name, at, isFile := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !isFile {
			commit = name
		}
		id, _ := parseHash(name)
		w.object(id, at, Secret{Where: "history", Commit: commit})
		if read(); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// object searches an object that was not read before: the text of a commit, the names in a tree, the content of
// anything else. path is its path, "" if unknown.
func (w *secretScan) object(id hash, path string, at Secret) {
	kind, body, ok := w.read(id)
	if !ok {
		return
	}
	short := id.String()[:12]
	switch {
	case kind == "commit":
		w.commit(id, body, at)
		return
	case kind == "tree":
		w.entries(body, path, at)
		return
	case kind == "tag":
		at.Path, at.Commit = "tag "+short, ""
	default:
		at.Path = cmp.Or(path, "object "+short)
	}
	w.text(string(body), at)
}

// read reads an object once; ok is false if it was read before or can't be read.
func (w *secretScan) read(id hash) (kind string, body []byte, ok bool) {
	if w.seen[id] {
		return "", nil, false
	}
	w.seen[id] = true
	kind, body, err := w.store.objects.read(id)
	if err != nil {
		w.unread(Trouble{Path: w.store.gitPath("objects"), Detail: "object " + id.String()[:12] + " could not be read"})
		return "", nil, false
	}
	w.out.Objects++
	return kind, body, true
}

// commit searches the author lines and the message of a commit.
func (w *secretScan) commit(id hash, body []byte, at Secret) {
	w.out.Commits++
	head, message, _ := strings.Cut(string(body), "\n\n")
	at.Commit, at.Path = id.String(), "commit "+id.String()[:12]
	for _, part := range [...]struct{ place, text string }{{"author", head}, {"message", message}} {
		if at.Where != "unreachable" {
			at.Where = part.place
		}
		w.text(part.text, at)
	}
}

// entries searches the names in a tree.
func (w *secretScan) entries(body []byte, dir string, at Secret) {
	list, err := parseTree(body)
	if err != nil {
		w.unread(Trouble{Path: dir, Detail: "a damaged tree could not be searched"})
	}
	for _, e := range list {
		w.name(path.Join(dir, string(e.Name)), at)
	}
}
