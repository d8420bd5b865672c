package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers"
)

const (
	// embedBatch is the number of texts that are embedded at a time.
	embedBatch = 64
	// maxQueued is the number of bytes of texts that are queued for a server during a question; the rest is embedded on
	// request.
	maxQueued = 1 << 20
	// drainTime is how long a question waits for a server to embed new texts.
	drainTime = 2 * time.Second
	// CatchUpTime limits the time in which a question embeds texts that were indexed before there was a model, and
	// CatchUpRows the number of rows in such an index.
	CatchUpTime = 2 * time.Second
	CatchUpRows = 20_000
)

// meaningOf returns the text of a document that is embedded, the same that its hash covers.
func meaningOf(d *index.Doc) string {
	if d.Title == "" {
		return d.Text
	}
	return d.Title + "\n" + d.Text
}

// embedding wraps a shard's plan so that new documents are embedded, or queued for a server. Texts with a vector only
// need a lookup, so a rebuild embeds nothing again.
func (src *Sources) embedding(sh Shard) Planner {
	s := src.Semantic()
	if src.ws.ReadOnly {
		return sh.bare
	}
	return func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		u, err := sh.bare(marks, st)
		docs := u.Docs
		switch {
		case s == nil && u.Rebuild: // see keepOnly
			return u, errors.Join(err, src.dropVectors(sh))
		case s == nil || docs == nil:
			return u, err
		}
		set := src.VectorSet(sh)
		u.Docs = func(yield func(index.Doc, error) bool) {
			in := s.newTexts(set)
			var all []uint64
			whole := u.Rebuild
			for d, err := range docs {
				if err == nil {
					in.take(&d)
				}
				if u.Rebuild {
					all = append(all, d.Hash())
				}
				if !yield(d, err) || err != nil {
					whole = false
					break
				}
			}
			in.close()
			if whole {
				src.keepOnly(s, set, all)
			}
		}
		return u, err
	}
}

// keepOnly drops the vectors of all texts except those with the given keys. When an index is rebuilt because something
// is now excluded, no vector of it may remain, since a vector reveals the subject of its text.
func (src *Sources) keepOnly(s *Semantic, set string, keys []uint64) {
	err := src.dropOthers(set, s.File(set))
	switch readErr := s.Ready(); {
	case readErr != nil:
	case s.Deep && !ofTeamSet(set): // its keys are not those of the documents
		err = errors.Join(err, osfile.Remove(s.File(set)+embed.FileSuffix))
	default:
		// Without a context: excluded content must be removed.
		to, appendErr := s.appendTo(context.Background(), set)
		err = errors.Join(err, appendErr)
		if to != nil {
			err = errors.Join(err, to.Compact(keys))
		}
	}
	if err != nil {
		s.Note("semantic: vectors of what is excluded could not be dropped: %v", err)
	}
}

// ofTeamSet reports whether a set of vectors belongs to the history, to documents or to a forge.
func ofTeamSet(set string) bool {
	name, _, _ := strings.Cut(filepath.Base(set), "-")
	return name != "memory" && name != "transcripts" && name != "rules"
}

// dropVectors deletes the vectors of a shard by all models.
func (src *Sources) dropVectors(sh Shard) error {
	return src.dropOthers(filepath.Join(src.VectorsDir(), filepath.Base(sh.Index.Dir())), "")
}

// newTexts embeds the documents of one refresh.
type newTexts struct {
	s     *Semantic
	set   string
	known *embed.Vectors // for a server
	to    *batch         // for a static model
	off   bool           // accept no more texts
}

func (s *Semantic) newTexts(set string) *newTexts {
	in := &newTexts{s: s, set: set}
	if s.Ready() != nil || s.Deep { // the search reports errors, and an encoder reads later
		in.off = true
		return in
	}
	if !s.Inline() {
		in.known = embed.OpenVectors(s.File(set), s.Print)
		return in
	}
	to, err := embed.Append(s.File(set), s.Print)
	if in.off = to == nil; !in.off {
		in.to = &batch{s: s, to: to}
	}
	in.check(err)
	return in
}

func (in *newTexts) take(d *index.Doc) {
	t := text{d.Hash(), meaningOf(d)}
	switch {
	case in.off:
	case in.to != nil:
		// Without a context: a static model is fast, and a cancelled refresh passes no further documents.
		_, err := in.to.add(context.Background(), t)
		in.check(err)
	case !in.known.Has(t.key):
		in.off = !in.s.wait(in.set, t)
	}
}

// check records an error, after which no more texts are accepted.
func (in *newTexts) check(err error) {
	if err != nil {
		in.off = true
		in.s.Note("semantic: vectors can't be kept: %v", err)
	}
}

func (in *newTexts) close() {
	if in.to != nil {
		in.check(errors.Join(in.to.flush(context.Background()), in.to.to.Close())) // as in take
	}
}

// batch embeds texts in batches and stores their vectors.
type batch struct {
	s     *Semantic
	to    *embed.Appender
	texts []text
}

// add adds a text without a vector, and reports whether the batch was embedded.
func (b *batch) add(ctx context.Context, t text) (full bool, err error) {
	if b.to.Has(t.key) {
		return false, nil
	}
	if b.texts = append(b.texts, t); len(b.texts) < embedBatch {
		return false, nil
	}
	return true, b.flush(ctx)
}

// flush embeds the batch. It skips texts that fail.
func (b *batch) flush(ctx context.Context) error {
	if len(b.texts) == 0 {
		return nil
	}
	waiting, texts := b.texts, make([]string, len(b.texts))
	for i, t := range waiting {
		texts[i] = t.text
	}
	b.texts = nil
	vectors, err := b.s.model.Embed(ctx, embed.Document, texts)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		if err := b.to.Add(waiting[i].key, v); err != nil {
			return err
		}
	}
	return b.to.Flush()
}

// wait queues a text for a server; false if the queue is full.
func (s *Semantic) wait(set string, t text) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.queued+len(t.text) > maxQueued {
		return false
	}
	s.queued += len(t.text)
	s.waiting[set] = append(s.waiting[set], t)
	return true
}

// drain sends the queued texts to the server, for a limited time. The others count as not yet embedded.
func (s *Semantic) drain(ctx context.Context) {
	s.mu.Lock()
	waiting := s.waiting
	s.waiting, s.queued = map[string][]text{}, 0
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, drainTime)
	defer cancel()
	for set, texts := range waiting {
		if err := s.send(ctx, set, texts); err != nil && ctx.Err() == nil {
			s.Note("semantic: new texts could not be embedded: %v", err)
			return
		}
	}
}

func (s *Semantic) send(ctx context.Context, set string, texts []text) (err error) {
	to, err := embed.Append(s.File(set), s.Print)
	if to == nil || err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	s.reportSending(to)
	b := batch{s: s, to: to}
	for _, t := range texts {
		if _, err := b.add(ctx, t); err != nil {
			return err
		}
	}
	return b.flush(ctx)
}

// reportSending adds a note before the first texts leave this machine.
func (s *Semantic) reportSending(to *embed.Appender) {
	if host := leavesFor(s.Conf.Endpoint); host != "" && to.Known() == 0 {
		s.Note("semantic: texts of memory and questions, without the secrets that were found in them, "+
			"are sent to %s to be embedded, as embed: in local.yaml says.", host)
	}
}

// leavesFor returns the host that receives the texts, or "" if they stay on this machine.
func leavesFor(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || providers.IsLoopback(u.Hostname()) {
		return ""
	}
	return u.Host
}

// EmbedShard embeds every text of a shard's sources that has no vector, while more returns true for the number of
// embedded texts. It returns that number.
func (src *Sources) EmbedShard(ctx context.Context, s *Semantic, sh Shard, set string,
	more func(done int) bool) (n int, err error) {
	u, err := sh.whole(ctx)(map[string]index.Mark{}, index.Missing)
	if err != nil || u.Docs == nil {
		return 0, err
	}
	to, err := embed.Append(s.File(set), s.Print)
	if err != nil {
		return 0, err
	}
	if to == nil {
		return 0, fmt.Errorf("the texts of %s are being embedded by another process: %w", sh.Name, store.ErrLocked)
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	s.reportSending(to)
	b := batch{s: s, to: to}
	for d, err := range u.Docs {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return to.Added(), err
		}
		full, err := b.add(ctx, text{d.Hash(), meaningOf(&d)})
		if err != nil || full && !more(to.Added()) {
			return to.Added(), err
		}
	}
	err = b.flush(ctx)
	return to.Added(), err
}

// Embedded is the embedding progress of one index. The JSON form is a public contract.
type Embedded struct {
	Name     string `json:"name"`
	Texts    int    `json:"texts"`    // distinct texts
	Embedded int    `json:"embedded"` // those with a vector
	Added    int    `json:"added"`    // embedded just now
}

// Embed refreshes the indexes of this workspace and embeds every text that is not embedded yet. An encoder stops after
// the given time; 0 means no limit. Without a configured model it does nothing.
func (src *Sources) Embed(ctx context.Context, most time.Duration) ([]Embedded, error) {
	s := src.Semantic()
	if s == nil {
		return []Embedded{}, src.ws.Policy().Err
	}
	if err := s.Ready(); err != nil {
		return nil, err
	}
	p, err := src.ws.Place(ctx)
	if err != nil {
		return nil, err
	}
	o, err := src.openShards(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	defer CloseAll(o.Snaps)
	if s.Deep {
		return src.ReadForMeaning(ctx, s, p, o, most)
	}
	out := []Embedded{}
	for i, sh := range o.Shards {
		if o.Snaps[i] == nil {
			continue
		}
		e, err := src.embedWhole(ctx, s, sh, o.Snaps[i])
		if err != nil {
			return out, fmt.Errorf("embed %s: %w", sh.Name, err)
		}
		out = append(out, e)
	}
	known := len(src.ws.Caveats)
	src.ReportSemantic()
	src.ws.WarnOfCaveats(known)
	return out, nil
}

// embedRest embeds the remaining texts after indexing, unless a background process does that. The indexes are usable
// without it.
func (src *Sources) embedRest(ctx context.Context) {
	if src.Semantic() == nil || src.ReadsLater() {
		return
	}
	if _, err := src.Embed(ctx, 0); err != nil && ctx.Err() == nil {
		src.ws.Options.Warn("the indexes are up to date, and not all texts are embedded: " + src.ws.Clean(plain.Text(err)))
	}
}

// embedWhole embeds a whole shard, compacts its vectors and drops those of other models.
func (src *Sources) embedWhole(ctx context.Context, s *Semantic, sh Shard, snap *index.Snapshot) (Embedded, error) {
	e := Embedded{Name: sh.Name}
	set := src.VectorSet(sh)
	var err error
	vectors := embed.OpenVectors(s.File(set), s.Print)
	keys := LiveHashes(snap)
	if slices.ContainsFunc(keys, func(key uint64) bool { return !vectors.Has(key) }) {
		e.Added, err = src.EmbedShard(ctx, s, sh, set, func(done int) bool {
			src.ws.Progress(workspace.Progress{Shard: sh.Name + " by meaning", Done: done})
			return true
		})
		if err != nil {
			return e, err
		}
	}
	vectors = s.tidy(set, snap)
	seen := map[uint64]bool{}
	for _, key := range keys {
		if !seen[key] {
			seen[key] = true
			e.Texts++
			if vectors.Has(key) {
				e.Embedded++
			}
		}
	}
	return e, src.dropOthers(set, s.File(set))
}

// dropOthers deletes a shard's vectors of other models.
func (src *Sources) dropOthers(set, keep string) error {
	var errs []error
	for _, f := range VectorFiles(filepath.Dir(set)) {
		if f.set == filepath.Base(set) && f.name != filepath.Base(keep) {
			errs = append(errs, osfile.Remove(f.Path))
		}
	}
	return errors.Join(errs...)
}

// vectorFile is a file of a set of vectors: of a shard, by one model.
type vectorFile struct {
	Path, name, set, print string
	Lock                   bool
}

// VectorFiles returns the vector files in a folder, none if it is missing.
func VectorFiles(dir string) []vectorFile {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []vectorFile
	for _, e := range entries {
		name, suffix, ok := strings.Cut(e.Name(), embed.FileSuffix)
		at := strings.LastIndexByte(name, '-')
		if !ok || at < 0 || e.IsDir() {
			continue
		}
		out = append(out, vectorFile{
			Path: filepath.Join(dir, e.Name()), name: name, set: name[:at], print: name[at+1:],
			Lock: embed.FileSuffix+suffix == embed.LockSuffix,
		})
	}
	return out
}

// EraseVectors deletes all vectors below a folder of indexes: a vector reveals the subject of its text.
func EraseVectors(indexes string) error { return os.RemoveAll(filepath.Join(indexes, "vectors")) }
