package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/lazy"
)

// Layer is a layer of memory and its content in the scope of a call. The JSON form is a public contract.
type Layer struct {
	Name       string `json:"layer"`
	Items      int    `json:"items"`
	Newest     string `json:"newest"`     // day of the newest item, "" for none
	Searchable bool   `json:"searchable"` // its index can be read
}

// Layers lists all layers, with caveats about those that can't be searched. If no index can be read, no layer is
// searchable; that is not an error.
func (rd *Reader) Layers(ctx context.Context, f Filter) (layers []Layer, caveats []string, err error) {
	v, err := rd.ViewOf(ctx, f.Project)
	if v == nil || ctx.Err() != nil {
		return nil, nil, errors.Join(err, ctx.Err())
	}
	defer v.Close()
	if err != nil {
		rd.ws.Caveat("%v", err)
	}
	counts := searched(v.Snaps, v.InScope)
	for _, name := range cite.Layers() {
		l := Layer{Name: name, Searchable: v.searchable(name)}
		for _, s := range counts {
			if s.Layer == name {
				l.Items, l.Newest = l.Items+s.Items, max(l.Newest, s.Newest)
			}
		}
		layers = append(layers, l)
	}
	return layers, messages.Filled(rd.ws.Caveats), nil
}

// searchable reports whether the index of a layer is open; for the team's layer any of its indexes.
func (v *View) searchable(layer string) bool {
	for i, s := range v.Shards {
		of := s.Name == layer || s.Name == "memory" && layer == cite.LayerSummaries || layer == cite.LayerTeam &&
			ingest.OfTeam(s.Name)
		if of && i < len(v.Snaps) && v.Snaps[i] != nil {
			return true
		}
	}
	return false
}

// mostPattern is the maximum length of a literal search text.
const mostPattern = 1000

// Grep searches the transcript files for a text, case-insensitively, newest first. It reads no index.
func (rd *Reader) Grep(ctx context.Context, pattern string, f Filter) (Results, error) {
	if n := utf8.RuneCountInString(pattern); strings.TrimSpace(pattern) == "" || n > mostPattern {
		return Results{}, fmt.Errorf("%w: the text to look for has %d characters: expected 1 to %d, not only spaces",
			messages.ErrUsage, n, mostPattern)
	}
	q, err := rd.Query(ctx, f)
	if err != nil {
		return Results{}, err
	}
	q.Except = f.Except
	return rd.unindexed(ctx, q, pattern, []string{pattern}, cmp.Or(f.Limit, 20), false)
}

// unindexed searches transcripts, and with all also the other sources, without any index.
func (rd *Reader) unindexed(
	ctx context.Context, q search.Query, text string, texts []string, limit int, all bool,
) (Results, error) {
	v, err := rd.Begin(ctx, q.Projects)
	if err != nil {
		return Results{}, err
	}
	v.Unsearched = []string{cite.LayerTranscripts}
	rd.ws.MarkIncomplete("")
	back := fallback{v: v, q: q}
	out := Results{Query: text, Strategies: []answer.Strategy{}, Suggestions: []string{}}
	w := v.writer(q, search.Result{}, false)
	var hits []Hit
	if all {
		for _, t := range index.QueryTerms(q.Text) {
			w.terms[t] = true
		}
		found, late := v.scan(ctx, q, limit)
		for _, src := range found {
			hits = append(hits, w.hit(src, search.Hit{}))
		}
		if late {
			rd.ws.Caveat("Not all of history and memory could be read within %v.", grepTime)
		}
	}
	said, g := back.grepHits(ctx, w, texts, limit, limit)
	hits = append(hits[:min(len(hits), max(limit-len(said), (limit+1)/2))], said...)
	hits = hits[:min(len(hits), limit)]
	if g.late {
		rd.ws.Caveat("%s", g.report())
	}
	out.Hits = messages.Filled(hits)
	out.Fallbacks, out.Used, out.Caveats, out.State = messages.Filled(back.steps), back.used,
		messages.Filled(rd.ws.Caveats), rd.State()
	out.Confidence = confidence(out.Hits, nil)
	return out, ctx.Err()
}

// Instead searches without an index after no index could be read; why is the reason.
func (rd *Reader) Instead(ctx context.Context, text string, f Filter, why error) (Results, error) {
	refused := (*messages.Refusal)(nil)
	if f.NoFallbacks || f.AsOf != "" || errors.Is(why, messages.ErrUsage) || errors.As(why, &refused) || ctx.Err() != nil {
		return Results{}, why
	}
	read, err := rd.readQuery(ctx, search.ParseQuery(text), f)
	if err != nil {
		return Results{}, why
	}
	read.searched(rd.ws.Now())
	read.query.Except = f.Except
	limit := cmp.Or(f.Limit, 20)
	out, err := rd.unindexed(ctx, read.query, text, literals(read.query.Text, read.query.Phrases), limit, true)
	if err != nil || len(out.Hits) == 0 {
		return Results{}, why
	}
	out.Caveats = append(out.Caveats,
		fmt.Sprintf("No index could be read, so the sources were read through for the words as they are: %v. "+
			"In a sandbox, let it write to a folder for temporary files, or run gitmem index outside of it.", plain.Text(why)))
	return out, nil
}

// Unverified returns the text of a lead that is not evidence.
func Unverified(excerpt, id string) string {
	return fmt.Sprintf("Not verified, found letter by letter only: %s (%s)", excerpt, id)
}

// noteLacking reports the requested strategies that had no input.
func (v *View) noteLacking() {
	lacking := map[string]string{
		"semantic":  "search by meaning is off; see gitmem help search",
		"expanded":  "no word of the query has an expansion",
		"summaries": "no session is archived yet",
	}
	if v.Reader.src.Semantic() != nil {
		lacking["semantic"] = "the query has no word to look for"
	}
	for _, name := range v.only {
		if why := lacking[name]; why != "" && !slices.ContainsFunc(v.strategies, func(s answer.Strategy) bool {
			return s.Name == name
		}) {
			v.strategies = append(v.strategies, answer.Strategy{Name: name, Error: why})
		}
	}
}

// confidence returns the confidence in hits, based on the share of the query that the best one contains. Merely similar
// hits, and hits of a fallback, have low confidence.
func confidence(hits []Hit, found []sourced) answer.Confidence {
	switch {
	case len(hits) == 0:
		return answer.None
	case len(found) == 0:
		return answer.Low
	}
	const nearlyAll = 0.95
	switch best := found[0].hit; {
	case best.Exact || best.Coverage >= nearlyAll:
		return answer.High
	case best.Coverage >= 0.5:
		return answer.Medium
	}
	return answer.Low
}

var hashtag = lazy.Pattern(`(?:^|[\s(])(#\pL[\pL\d_/-]*)`)

// hashtags returns the topics in a text, such as #tech/relay, each once. A line that begins with the sign is a heading,
// a comment or a directive of a program.
func hashtags(text string) []string {
	out := []string{}
	if !strings.Contains(text, "#") { // fast path for most texts
		return out
	}
	tag := hashtag()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, m := range tag.FindAllStringSubmatch(line, -1) {
			if topic := strings.TrimRight(m[1], "/-"); !slices.Contains(out, topic) && len(out) < mostNamed {
				out = append(out, topic)
			}
		}
	}
	return out
}
