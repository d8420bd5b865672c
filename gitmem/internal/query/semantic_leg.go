package query

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// Weights of the semantic leg's ranks relative to 1 for the words of the question. A static model is weaker than one
// that reads sentences, and does not know identifiers.
const (
	weightServer = 0.7
	weightProse  = 0.5
	weightSymbol = 0.3
)

// semanticLeg returns the semantic search; ok is false if none is configured. With an unusable model only this leg
// fails, when it runs.
func (rd *Reader) semanticLeg(ctx context.Context, v *View, q search.Query) (search.Leg, bool) {
	s := rd.src.Semantic()
	if s == nil || strings.TrimSpace(cmp.Or(q.Meaning, q.Text)) == "" {
		return search.Leg{}, false
	}
	_ = s.Ready() // the leg reports it
	if s.Inline() && !v.caughtUp {
		v.caughtUp = true
		rd.catchUp(ctx, s, v)
	}
	weight := weightProse
	switch {
	case s.Conf.Endpoint != "":
		weight = weightServer
	case ingest.SymbolLike(q.Text):
		weight = weightSymbol
	}
	sets := make([]string, len(v.Shards))
	for i := range v.Shards {
		sets[i] = rd.src.VectorSet(v.Shards[i])
	}
	find := func(ctx context.Context, q search.Query) (search.Result, error) {
		return rd.src.Find(ctx, s, v.Snaps, sets, q)
	}
	return search.Leg{Name: "semantic", Weight: weight, Meaning: s.Deep, Find: find}, true
}

// catchUp embeds the content of small indexes from before there was a model, so that no separate command is needed.
func (rd *Reader) catchUp(ctx context.Context, s *ingest.Semantic, v *View) {
	if s.Ready() != nil {
		return
	}
	until := rd.ws.Options.Now().Add(ingest.CatchUpTime)
	for i, snap := range v.Snaps {
		if v.Shards[i].Frozen || snap == nil || snap.Rows() > ingest.CatchUpRows || rd.ws.Options.Now().After(until) {
			continue
		}
		set := rd.src.VectorSet(v.Shards[i])
		vectors := embed.OpenVectors(s.File(set), s.Print)
		if !slices.ContainsFunc(ingest.LiveHashes(snap), func(key uint64) bool { return !vectors.Has(key) }) {
			continue
		}
		_, err := rd.src.EmbedShard(ctx, s, v.Shards[i], set, func(int) bool { return rd.ws.Options.Now().Before(until) })
		if err != nil && ctx.Err() == nil {
			s.Note("semantic: %v", err)
		}
	}
}
