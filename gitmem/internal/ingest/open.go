package ingest

import (
	"context"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Close ends what runs beside a question and releases what was opened.
func (src *Sources) Close() error {
	src.forges.Close()
	src.running.Wait()
	return src.ws.Close()
}

// openShards opens the shards of a place, brought up to date.
func (src *Sources) openShards(ctx context.Context, p *workspace.Place, inScope func(string) bool) (Opened, error) {
	shards, err := src.ShardsFor(ctx, p, inScope)
	if err != nil {
		return Opened{}, err
	}
	return src.UpToDate(ctx, shards)
}

// UpToDate brings shards up to date and opens them.
func (src *Sources) UpToDate(ctx context.Context, shards []Shard) (Opened, error) {
	out, err := src.snapshots(ctx, shards)
	if slices.ContainsFunc(shards, func(s Shard) bool { return s.Frozen }) {
		src.keepFrozen(ctx, shards)
	}
	if !src.ws.Present() {
		out.Unsearched = append(out.Unsearched, src.ws.Past.Unknown...)
	}
	return out, err
}

// ShardsFor are the shards of a place that may hold anything in scope.
func (src *Sources) ShardsFor(ctx context.Context, p *workspace.Place, inScope func(string) bool) ([]Shard, error) {
	shards, err := src.Shards(ctx, p)
	if inScope != nil && !inScope(p.Project.ID) {
		shards = slices.DeleteFunc(shards, func(s Shard) bool { return OfTeam(s.Name) }) // the user's own rules stay
	}
	return shards, err
}
