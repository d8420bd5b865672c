package recall

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/providers/git"
)

// maxRules is the maximum number of bytes read from a file of rules to determine when the client loads it. In a cloned
// repository it may be a link to an endless file.
const maxRules = 1 << 20

// recallView answers a prompt from the existing indexes.
type recallView struct {
	query.View
	s       *Recaller
	units   map[string]map[string]cite.Unit // units of the memory files read, by id
	counted int                             // number of terms passed to docs
	session string                          // the asking session
	loaded  map[string]bool                 // whether the client itself loads a file of rules, or MEMORY.md
	names   []string                        // folder names of the snapshots
}

// recallView opens the indexes of a place for a session. Missing indexes are not an error.
func (s *Recaller) recallView(p *workspace.Place, session string) (*recallView, error) {
	r := &recallView{s: s, session: session, units: map[string]map[string]cite.Unit{}, loaded: map[string]bool{}}
	r.Reader, r.Place = s.reader, p
	// Even outside a repository nothing comes from other projects: the user did not ask for it.
	r.InScope = s.ws.Unexcluded(p, workspace.ScopeOfPlace(p).Holds)
	var err error
	if r.Cache, err = s.src.Resolver(p, true); err != nil {
		return nil, err
	}
	names := []string{"memory", "transcripts"}
	if p.InRepo {
		names = append(names, "history-"+store.ShortHash(p.Loc.CommonDir), "rules-"+
			store.ShortHash(p.Loc.CommonDir+"\x00"+p.Loc.WorkTree))
	}
	o := index.Options{Fingerprint: s.src.Fingerprint(), Now: s.ws.Options.Now, ReadOnly: true}
	for _, name := range names { // one that can't be opened is skipped: the indexer repairs it
		if snap, err := index.Open(filepath.Join(s.ws.IndexDir(), "shards", name), o).Snapshot(); err == nil && snap != nil {
			r.Snaps, r.names = append(r.Snaps, snap), append(r.names, name)
		}
	}
	return r, nil
}

// onlyStatements excludes actions: calls, their results, thinking, logs, and prompts, which ask and do not state.
func onlyStatements() []search.Condition {
	done := []string{"tool", "result", "thinking", string(cite.KindPrompt), string(cite.KindObservation),
		cite.StateTakenBack}
	match := func(v string) bool { return slices.Contains(done, v) }
	return []search.Condition{{On: search.OnType, Match: match, Not: true}, {On: search.OnRole, Match: match, Not: true}}
}

// releaseEvery is the number of terms counted before memory is released.
const releaseEvery = 2

// docs returns the number of documents with a term in their text or title.
func (r *recallView) docs(ctx context.Context, term string) int {
	n := 0
	for _, s := range r.Snaps {
		most := 0
		for _, f := range []index.Field{index.Text, index.Title} { // a commit's subject is not part of its text
			if k, err := s.DocFreq(ctx, f, term); err == nil {
				most = max(most, k)
			}
		}
		n += most
		if r.counted%releaseEvery == 0 {
			s.ReleasePages()
		}
	}
	r.counted++
	return n
}

// total returns the number of documents.
func (r *recallView) total() int {
	n := 0
	for _, s := range r.Snaps {
		n += s.Live()
	}
	return n
}

// Find ranks the documents in the indexes, without what the model already has.
func (r *recallView) Find(ctx context.Context, q search.Query) (search.Result, error) {
	var res search.Result
	var err error
	if len(q.Terms) > 0 {
		res, err = search.Run(ctx, r.Snaps, q)
	}
	if err == nil {
		q.Limit = compared
		err = r.s.src.NearPrompt(ctx, r.Snaps, r.names, q, &res)
	}
	if errors.Is(err, index.ErrCorrupt) {
		err = nil // the indexer repairs it
	}
	res.Hits = slices.DeleteFunc(res.Hits, func(h search.Hit) bool { return r.inContext(h.Doc) })
	return res, err
}

// compared is the number of texts whose meaning is compared with that of a prompt.
const compared = 100

// maxRead is the maximum size read from a file of memory for a prompt, in bytes.
const maxRead = 1 << 20

// Fetch reads a hit's source. It reads and parses a file of memory once.
func (r *recallView) Fetch(h search.Hit) (cite.Source, error) {
	h.Doc.ID, _, _ = strings.Cut(h.Doc.ID, ingest.IdFile)
	if h.Doc.Layer != cite.LayerMemory && h.Doc.Layer != cite.LayerSummaries {
		return r.View.Fetch(h)
	}
	f := cite.File{Path: h.Doc.File, Area: cite.AreaOf(h.Doc.File), Project: h.Doc.Project}
	units, ok := r.units[f.Path]
	if !ok {
		b, err := r.s.src.MemoryTree().Read(f)
		if err != nil {
			return cite.Source{}, err
		}
		units = map[string]cite.Unit{}
		r.units[f.Path] = units
		if len(b) <= maxRead {
			list, _ := cite.Units(f, []byte(r.s.ws.Redactor.Lines(string(b))))
			for _, u := range slices.Backward(list) { // of units with the same id the first one is used
				units[u.ID] = u
			}
		}
	}
	u, ok := units[h.Doc.ID]
	if !ok {
		return cite.Source{}, fmt.Errorf("%s: %w", h.Doc.ID, cite.ErrNotFound)
	}
	return r.s.src.Attributed(r.Cache.FromUnit(f, u), nil)
}

// inContext reports whether the model already has a document: the client itself loads the beginning of MEMORY.md and
// rules, and the session context contains the profile.
func (r *recallView) inContext(d index.Row) bool {
	switch {
	case d.Layer == cite.LayerRules:
		return r.loads(d.File)
	case cite.AreaOf(d.File) == cite.AreaProfile:
		return true
	case d.File == workspace.MemoryDir(r.Place)+"/MEMORY.md":
		if _, known := r.loaded[d.File]; !known {
			r.loaded[d.File] = r.s.sessions.LoadsOwn(r.Place, r.session)
		}
		return r.loaded[d.File] && d.Order <= lint.LoadedLines && d.Offset < lint.LoadedBytes
	}
	return false
}

// loads reports whether the client loads a file of rules at the start: all except those for certain files, those of
// folders that do not contain the working folder, and an AGENTS.md beside a CLAUDE.md that does not import it.
func (r *recallView) loads(file string) bool {
	if known, ok := r.loaded[file]; ok {
		return known
	}
	loads, top := true, r.Place.Loc.WorkTree
	switch dir := path.Dir(file); {
	case strings.HasPrefix(file, "~/"):
	case file == "AGENTS.md":
		b, err := git.ReadFile(filepath.Join(top, "CLAUDE.md"), maxRules)
		loads = err != nil || strings.Contains(string(b), "@"+file)
	case docs.Rules(file) && dir != ".":
		loads = workspace.Below(workspace.RealPath(r.s.ws.Options.Dir),
			workspace.RealPath(filepath.Join(top, filepath.FromSlash(dir))))
	case strings.Contains(file, ".claude/rules/"):
		b, err := git.ReadFile(filepath.Join(top, filepath.FromSlash(file)), maxRules)
		head, _, _ := strings.Cut(strings.TrimPrefix(string(b), "---\n"), "\n---")
		loads = err != nil || !strings.HasPrefix(string(b), "---\n") || !strings.Contains("\n"+head, "\npaths:")
	}
	r.loaded[file] = loads
	return loads
}
