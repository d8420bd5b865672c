package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Close waits for background work of a question and releases resources.
func (src *Sources) Close() error {
	src.forges.Close()
	src.running.Wait()
	return src.ws.Close()
}

// openShards refreshes and opens the shards of a workspace.
func (src *Sources) openShards(ctx context.Context, p *workspace.Place, inScope func(string) bool) (Opened, error) {
	shards, err := src.ShardsFor(ctx, p, inScope)
	if err != nil {
		return Opened{}, err
	}
	return src.UpToDate(ctx, shards)
}

// UpToDate refreshes and opens shards.
func (src *Sources) UpToDate(ctx context.Context, shards []Shard) (Opened, error) {
	out, err := src.snapshots(ctx, shards)
	if slices.ContainsFunc(shards, func(s Shard) bool { return s.Frozen }) {
		src.keepFrozen(ctx, shards)
	}
	if !src.ws.Present() {
		out.Unsearched = append(out.Unsearched, src.ws.Past.Unknown...)
		if len(src.ws.Past.Unknown) > 0 {
			src.ws.MarkIncomplete("")
		}
	}
	return out, err
}

// OpenSomewhere is like [Sources.UpToDate] with fallbacks for a question. If the store cannot keep an index, as on a
// read-only or full disk, it uses one in the user's cache, or otherwise a temporary one that is deleted after the call.
// This is slower, and a caveat reports it.
func (src *Sources) OpenSomewhere(
	ctx context.Context, p *workspace.Place, inScope func(string) bool, shards []Shard,
) (Opened, error) {
	ws, caveats := src.ws, slices.Clone(src.ws.Caveats)
	out, err := src.UpToDate(ctx, shards)
	src.Forges(p).ReportFetches()
	final := func() bool { return err == nil || ctx.Err() != nil || errors.Is(err, store.ErrLocked) }
	if err == nil && len(out.unwritable) > 0 {
		return src.openInTemp(ctx, p, inScope, out)
	}
	if final() {
		return out, err
	}
	if ws.UseCache() {
		ws.Caveats = append(slices.Clone(caveats),
			fmt.Sprintf("The index can't be kept in the store, so one in the user's cache was used: %v", err))
		if out, err = src.openAgain(ctx, p, inScope, shards); final() {
			return out, err
		}
	}
	if !ws.UseTemp() {
		return out, err
	}
	ws.Caveats = append(caveats, src.onlyForThis("No index"))
	out, err = src.openAgain(ctx, p, inScope, shards)
	ws.Shared.Unfinished = false // nobody could continue it
	return out, err
}

// onlyForThis returns the caveat about a temporary index.
func (src *Sources) onlyForThis(what string) string {
	return fmt.Sprintf("%s can be kept in %s, so one was made for this question alone. A folder that can be "+
		"written there makes questions faster; in a sandbox, gitmem index does, run outside of it.",
		what, src.ws.Clean(src.ws.Options.CacheDir))
}

// openInTemp opens the shards that have no index and cannot write one in a temporary folder: a sandbox permits reading
// the existing ones.
func (src *Sources) openInTemp(
	ctx context.Context, p *workspace.Place, inScope func(string) bool, out Opened,
) (Opened, error) {
	if !src.ws.UseTemp() {
		return out, nil
	}
	again, err := src.openAgain(ctx, p, inScope, out.unwritable)
	if err != nil {
		return out, ctx.Err() // the others answer
	}
	src.ws.Shared.Unfinished = false
	for i, s := range again.Shards {
		if again.Snaps[i] == nil {
			continue
		}
		at := slices.IndexFunc(out.Shards, func(o Shard) bool { return o.Name == s.Name })
		out.Shards[at], out.Snaps[at] = s, again.Snaps[i]
		out.Unsearched = slices.DeleteFunc(out.Unsearched, func(name string) bool { return name == s.Name })
		src.ws.Caveats = slices.DeleteFunc(src.ws.Caveats, func(c string) bool {
			return strings.HasPrefix(c, notOpened(s.Name))
		})
		if i := slices.Index(src.ws.Incomplete, ""); i >= 0 {
			src.ws.Incomplete = slices.Delete(src.ws.Incomplete, i, i+1)
		}
		src.ws.Caveat("%s", src.onlyForThis("No "+s.Name+" index"))
	}
	return out, ctx.Err()
}

// openAgain opens the same shards again, in the new location of indexes.
func (src *Sources) openAgain(
	ctx context.Context, p *workspace.Place, inScope func(string) bool, before []Shard,
) (Opened, error) {
	shards, err := src.ShardsFor(ctx, p, inScope)
	if err != nil {
		return Opened{}, err
	}
	return src.UpToDate(ctx, slices.DeleteFunc(shards, func(s Shard) bool {
		return !slices.ContainsFunc(before, func(wanted Shard) bool { return wanted.Name == s.Name })
	}))
}

// ShardsFor returns the shards of a workspace that may contain anything in scope.
func (src *Sources) ShardsFor(ctx context.Context, p *workspace.Place, inScope func(string) bool) ([]Shard, error) {
	shards, err := src.Shards(ctx, p)
	if inScope != nil && !inScope(p.Project.ID) {
		shards = slices.DeleteFunc(shards, func(s Shard) bool { return OfTeam(s.Name) }) // the user's own rules stay
	}
	return shards, err
}
