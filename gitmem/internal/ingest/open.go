package ingest

import (
	"context"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Close ends what runs beside a question and releases what was opened.
func (m *Sources) Close() error {
	m.forges.Close()
	m.running.Wait()
	return m.ws.Close()
}

// openShards opens the shards of a place, brought up to date.
func (m *Sources) openShards(ctx context.Context, p *workspace.Place, inScope func(string) bool) (Opened, error) {
	shards, err := m.ShardsFor(ctx, p, inScope)
	if err != nil {
		return Opened{}, err
	}
	return m.UpToDate(ctx, shards)
}

// UpToDate brings shards up to date and opens them.
func (m *Sources) UpToDate(ctx context.Context, shards []Shard) (Opened, error) {
	out, err := m.snapshots(ctx, shards)
	if !m.ws.Present() {
		m.keepPast(ctx, shards)
		out.Unsearched = append(out.Unsearched, m.ws.Past.Unknown...)
	}
	return out, err
}

// ShardsFor are the shards of a place that may hold anything in scope.
func (m *Sources) ShardsFor(ctx context.Context, p *workspace.Place, inScope func(string) bool) ([]Shard, error) {
	shards, err := m.Shards(ctx, p)
	if inScope != nil && !inScope(p.Project.ID) {
		shards = slices.DeleteFunc(shards, func(s Shard) bool { return OfTeam(s.Name) }) // the user's own rules stay
	}
	return shards, err
}
