package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/modelapi"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

// embedder converts texts to vectors; the vector is nil if a text has none.
type embedder interface {
	Embed(ctx context.Context, kind embed.InputType, texts []string) ([][]float32, error)
}

// Semantic is the search by meaning with one configuration.
type Semantic struct {
	Conf config.Embed
	o    workspace.Options

	load  sync.Once
	model embedder
	Print embed.Fingerprint
	// Deep is set if the model is an encoder: texts are selected and read in the background, and its cosines are fused by
	// score.
	Deep bool
	err  error

	mu      sync.Mutex
	waiting map[string][]text // queue for a server, by set of vectors
	queued  int               // bytes in the queue
	notes   []string
	opened  map[string]*embed.Vectors // of an encoder, by set
}

// text is the text of an index row with its content hash.
type text struct {
	key  uint64
	text string
}

// Semantic returns the search by meaning of the user's configuration, or nil if it is off. Only the root's own
// configuration counts, never a project's files.
func (src *Sources) Semantic() *Semantic {
	policy := src.ws.Policy()
	conf := policy.Config.Embed
	if policy.Err != nil || conf.Off || conf.Builtin() && src.ws.Options.Encoder == nil {
		return nil
	}
	if src.meaning == nil || src.meaning.Conf != conf {
		src.meaning = &Semantic{
			Conf: conf, o: src.ws.Options, waiting: map[string][]text{}, opened: map[string]*embed.Vectors{},
		}
	}
	return src.meaning
}

// Ready loads the model once.
func (s *Semantic) Ready() error {
	s.load.Do(func() {
		switch {
		case s.Conf.Builtin():
			s.err = s.open(embed.OpenEncoder(s.o.Encoder))
		case s.Conf.Endpoint != "":
			s.err = s.reach()
		default:
			s.err = s.install(filepath.Join(s.o.ModelsDir(), s.Conf.Model))
		}
	})
	return s.err
}

// ReadsLater reports whether a background process reads the texts, as for an encoder.
func (src *Sources) ReadsLater() bool {
	s := src.Semantic()
	return s != nil && s.Ready() == nil && s.Deep
}

// install opens an installed model.
func (s *Semantic) install(dir string) error {
	encoder, err := embed.LoadEncoder(dir)
	if err == nil && encoder != nil {
		return s.open(encoder, nil)
	}
	var static *embed.Static
	if err == nil {
		static, err = embed.LoadStatic(dir)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the model %s is not installed here: gitmem model import does that", s.Conf.Model)
	case err != nil:
		return fmt.Errorf("the model %s can't be used: %w", s.Conf.Model, err)
	}
	s.model, s.Print = static, static.Fingerprint()
	return nil
}

// open sets the model to an encoder.
func (s *Semantic) open(e *embed.Encoder, err error) error {
	if err == nil {
		s.model, s.Print, s.Deep = e, e.Fingerprint(), true
	}
	return err
}

func (s *Semantic) reach() error {
	e, err := embed.NewEndpoint(embed.Server{
		Server: modelapi.Server{Base: s.Conf.Endpoint, Key: embedKey(s.Conf.Endpoint, s.o.Getenv),
			Pacer: modelapi.Pacer{Now: s.o.Now}},
		Model: s.Conf.Model, Dimensions: s.Conf.Dimensions, QueryPrefix: s.Conf.QueryPrefix, DocPrefix: s.Conf.DocPrefix,
	})
	if err == nil {
		s.model, s.Print = e, e.Fingerprint()
	}
	return err
}

// embedKey returns the key for a server, only from the environment.
func embedKey(endpoint string, getenv func(string) string) string {
	return cmp.Or(getenv("GITMEM_EMBED_API_KEY"), getenv("OPENAI_TOKEN_MEMORY_EMBEDDINGS"),
		modelapi.CompanyKey(endpoint, getenv))
}

// Inline reports whether texts are embedded while they are indexed: a static model is faster than indexing, an encoder
// far slower, and a server may take forever.
func (s *Semantic) Inline() bool { return s.Conf.Endpoint == "" && !s.Deep }

// Note adds a note for the answer's caveats.
func (s *Semantic) Note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// ReportSemantic converts the notes of the search by meaning to caveats.
func (src *Sources) ReportSemantic() {
	if src.meaning == nil {
		return
	}
	src.meaning.mu.Lock()
	notes := src.meaning.notes
	src.meaning.notes = nil
	src.meaning.mu.Unlock()
	for _, n := range notes {
		src.ws.Caveat("%s", src.ws.Clean(n))
	}
}

// VectorSet returns the path of a shard's vectors without a suffix, or "" if it has none. Vectors are stored by
// content, so past states use those of the present.
func (src *Sources) VectorSet(sh Shard) string {
	name := filepath.Base(sh.Index.Dir())
	if sh.Frozen {
		if name = sh.Name; name != "memory" && name != "transcripts" {
			return ""
		}
	}
	return filepath.Join(src.VectorsDir(), name)
}

// VectorsDir returns the folder of the vectors.
func (src *Sources) VectorsDir() string { return filepath.Join(src.ws.IndexDir(), "vectors") }

// File returns the path of a set of vectors of this model, without extension.
func (s *Semantic) File(set string) string { return set + "-" + s.Print.String() }

// Find ranks the rows that pass the query's filters by the cosine of their vectors with the question's.
func (src *Sources) Find(
	ctx context.Context, s *Semantic, snaps []*index.Snapshot, sets []string, q search.Query,
) (search.Result, error) {
	if err := s.Ready(); err != nil {
		return search.Result{}, err
	}
	s.drain(ctx)
	found, unknown, total, err := s.rank(ctx, embed.Question, snaps, sets, q)
	switch {
	case err != nil:
		return search.Result{}, err
	case unknown > 0 && s.Deep:
		src.reportUnread(ctx, s, snaps, sets)
	case unknown > 0:
		s.Note("semantic: %s of %s texts not embedded yet; gitmem index does that.", thousands(unknown), thousands(total))
	}
	return search.Result{Hits: found}, nil
}

// NearPrompt sets the cosines with a prompt of hits that an encoder has read, and adds hits from the named shards that
// were found only this way. Read texts that are not near are marked [search.Hit.Far]. Without an encoder it does
// nothing.
func (src *Sources) NearPrompt(
	ctx context.Context, snaps []*index.Snapshot, names []string, q search.Query, res *search.Result,
) error {
	s := src.Semantic()
	if s == nil || s.Ready() != nil || !s.Deep {
		return nil
	}
	sets := slice.Map(names, func(name string) string { return filepath.Join(src.VectorsDir(), name) })
	near, _, _, err := s.rank(ctx, embed.Prompt, snaps, sets, q)
	res.AddMeaning(near, "semantic")
	of := slice.Map(snaps, textsOf)
	for i := range res.Hits {
		h := &res.Hits[i]
		t := of[h.Shard]
		h.Far = h.Cosine == 0 && t.reads(h.Row) && s.vectors(sets[h.Shard]).Has(t.key(h.Row))
	}
	return err
}

// rank ranks the rows of some shards; total counts those that pass the filters, and unknown those without a vector.
func (s *Semantic) rank(
	ctx context.Context, kind embed.InputType, snaps []*index.Snapshot, sets []string, q search.Query,
) (found []search.Hit, unknown, total int, err error) {
	question, err := s.model.Embed(ctx, kind, []string{cmp.Or(q.Meaning, q.Text)})
	if err != nil || question[0] == nil { // no word is known
		return nil, 0, 0, err
	}
	found, err = search.EachShard(snaps, func(i int) ([]search.Hit, error) {
		hits, missing, n, err := s.nearest(ctx, snaps[i], sets[i], question[0], q)
		unknown, total = unknown+missing, total+n
		return hits, err
	})
	slices.SortFunc(found, func(a, b search.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc.ID, b.Doc.ID))
	})
	return found[:min(len(found), q.Limit)], unknown, total, err
}

// nearest ranks the rows of one shard; total counts those that pass the filters.
func (s *Semantic) nearest(
	ctx context.Context, snap *index.Snapshot, set string, question []float32, q search.Query,
) (hits []search.Hit, unknown, total int, err error) {
	f, err := search.NewFilter(ctx, q, snap)
	if err != nil {
		return nil, 0, 0, err
	}
	vectors := &embed.Vectors{}
	switch {
	case set == "":
	case s.Deep:
		vectors = s.vectors(set)
	default:
		vectors = s.tidy(set, snap)
	}
	t := textsOf(snap)
	rows, keys, part := s.compared(t, vectors, f)
	if set == "" || len(rows) == 0 {
		return nil, len(rows), len(rows), nil
	}
	near, unknown, err := vectors.Nearest(ctx, question, keys, max(1, q.Limit), search.Unrelated)
	seen := map[int32]bool{}
	add := func(row int32, n embed.Near) {
		if !seen[row] && f.Pass(row) {
			hits = append(hits, search.Hit{Row: int(row), Doc: snap.Row(int(row)), Score: n.Cosine, Item: part[n.At]})
		}
		seen[row] = true
	}
	for _, n := range near {
		row := rows[n.At]
		add(row, n)
		if next := t.answer(int(row)); s.Deep && next >= 0 {
			add(int32(next), n)
		}
	}
	return hits, unknown, len(rows), err
}

// compared returns the rows of a shard whose vectors are compared with a question's, and their keys: the rows that pass
// a filter, or a prompt whose answer does. A row with parts occurs several times. part is the 1-based number of the
// part, 0 for the whole.
func (s *Semantic) compared(
	t texts, vectors *embed.Vectors, f *search.Filter,
) (rows []int32, keys []uint64, part []int) {
	add := func(row int, key uint64, n int) {
		rows, keys, part = append(rows, int32(row)), append(keys, key), append(part, n)
	}
	for i := range t.Rows() {
		if !s.Deep {
			if f.Pass(int32(i)) {
				add(i, t.HashOf(i), 0)
			}
			continue
		}
		if !t.reads(i) {
			continue
		}
		if next := t.answer(i); !f.Pass(int32(i)) && (next < 0 || !f.Pass(int32(next))) {
			continue
		}
		for n, key := range t.parts(i, t.key(i), vectors) {
			add(i, key, n)
		}
	}
	return rows, keys, part
}

// vectors opens a set of vectors once per process.
func (s *Semantic) vectors(set string) *embed.Vectors {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.opened[set]
	if !ok {
		v = embed.OpenVectors(s.File(set), s.Print)
		s.opened[set] = v
	}
	return v
}

// tidy opens the vectors of a shard, compacted if worthwhile.
func (s *Semantic) tidy(set string, snap *index.Snapshot) *embed.Vectors {
	v := embed.OpenVectors(s.File(set), s.Print)
	if !v.Untidy(snap.Live()) || v.Len() == 0 {
		return v
	}
	a, err := embed.Append(s.File(set), s.Print)
	if err != nil || a == nil || a.Compact(LiveHashes(snap)) != nil {
		return v // read-only disk or busy: use them uncompacted
	}
	return embed.OpenVectors(s.File(set), s.Print)
}

// LiveHashes returns the content hashes of the live rows of a snapshot.
func LiveHashes(snap *index.Snapshot) []uint64 {
	out := make([]uint64, 0, snap.Live())
	for i := range snap.Rows() {
		if !snap.Dead(i) {
			out = append(out, snap.HashOf(i))
		}
	}
	return out
}

// thousands formats a number with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

var symbolSign = lazy.Pattern(`[A-Za-z0-9](?:_|::|\.|/|\\)[A-Za-z0-9]|[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|^\S+$`)

// SymbolLike reports whether a question looks for an identifier, a path or an error code.
func SymbolLike(text string) bool {
	return symbolSign().MatchString(strings.TrimSpace(text))
}
