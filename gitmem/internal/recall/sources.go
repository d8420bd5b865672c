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

// maxRules is how many bytes of a file of rules are read to find out when the client loads it. A cloned
// repository's may be a link to what has no end.
const maxRules = 1 << 20

// recallView answers a prompt from the indexes as they are.
type recallView struct {
	query.View
	s       *Recaller
	units   map[string]map[string]cite.Unit // of the files of memory that were read, by id
	counted int                             // terms that docs was asked for
	session string                          // that asks
	loaded  map[string]bool                 // whether the client loads a file of rules, or MEMORY.md, by itself
	names   []string                        // of the folders of the snapshots
}

// recallView opens the indexes of a place for a session. Nothing indexed is no error.
func (s *Recaller) recallView(p *workspace.Place, session string) (*recallView, error) {
	r := &recallView{s: s, session: session, units: map[string]map[string]cite.Unit{}, loaded: map[string]bool{}}
	r.Reader, r.Place = s.reader, p
	// Outside a repository too, nothing comes from elsewhere: this was not asked for.
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
	for _, name := range names { // one that can't be opened adds nothing: the indexer repairs it
		if snap, err := index.Open(filepath.Join(s.ws.IndexDir(), "shards", name), o).Snapshot(); err == nil && snap != nil {
			r.Snaps, r.names = append(r.Snaps, snap), append(r.names, name)
		}
	}
	return r, nil
}

// onlyStatements leaves out what was done: calls, their results, thoughts, logs,
// and prompts, which ask and do not state.
func onlyStatements() []search.Condition {
	done := []string{"tool", "result", "thinking", string(cite.KindPrompt), string(cite.KindObservation),
		cite.StateTakenBack}
	match := func(v string) bool { return slices.Contains(done, v) }
	return []search.Condition{{On: search.OnType, Match: match, Not: true}, {On: search.OnRole, Match: match, Not: true}}
}

// releaseEvery is how many terms are counted before memory is given back.
const releaseEvery = 2

// docs counts the documents that hold a term in their text, or in their title.
func (r *recallView) docs(ctx context.Context, term string) int {
	n := 0
	for _, s := range r.Snaps {
		most := 0
		for _, f := range []index.Field{index.Text, index.Title} { // a commit's subject is no part of its text
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

// total counts the documents.
func (r *recallView) total() int {
	n := 0
	for _, s := range r.Snaps {
		n += s.Live()
	}
	return n
}

// Find ranks what the indexes hold, without what the model has anyway.
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

// compared is how many texts' meanings are compared with that of a prompt.
const compared = 100

// maxRead is how much of a file of memory is read for a prompt, in bytes.
const maxRead = 1 << 20

// Fetch reads a hit's source. A file of memory is read and cut into units once.
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
			for _, u := range slices.Backward(list) { // of units with the same id the first counts
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

// inContext reports whether the model has a document anyway: the client itself loads the
// beginning of MEMORY.md and rules, and the session was told the profile when it began.
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

// loads reports whether the client loads a file of rules at the start: all but those
// that say which files they are about, those of folders that the working folder is not in, and an
// AGENTS.md beside a CLAUDE.md that does not import it.
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
