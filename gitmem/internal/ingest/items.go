package ingest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers"
)

// itemsKey is the only mark of a remote source's shard: its hash is the log that was read, its offset how far.
const itemsKey = "items"

// teamShards returns the indexes of the remote sources and the documents of a workspace.
func (src *Sources) teamShards(ctx context.Context, p *workspace.Place) []Shard {
	var out []Shard
	if s, ok := src.docsShard(ctx, p); ok {
		out = append(out, s)
	}
	for _, r := range src.Forges(p).Remotes {
		source := &itemSource{m: src, forges: src.Forges(p), remote: r, cache: src.Forges(p).ItemsOf(r)}
		st, err := source.cache.State()
		switch {
		case err == nil && st.Log == "" && !src.Forges(p).Fetches(r): // nothing was or is being fetched
		case src.ws.Present():
			out = append(out, src.shard(r.Kind, r.Key(), 0, source.plan))
		default:
			source.until = src.ws.Past.Until
			if state, ok := source.pastState(); ok {
				out = append(out, src.frozenShard(r.Kind, state, source.plan))
			}
		}
	}
	return out
}

// itemSource refreshes the shard of a remote source from the fetched items.
type itemSource struct {
	m      *Sources
	forges *forge.Forges
	remote forge.Remote
	cache  *items.Cache
	until  time.Time // items after it are not indexed; zero means no limit
}

// pastState returns a hash of what the source would index at a past time; ok is false if nothing was ever fetched.
func (f *itemSource) pastState() (state string, ok bool) {
	st, err := f.cache.State()
	if err != nil || st.Items == 0 {
		return "", false
	}
	return store.ShortHash(fmt.Sprintf("%s %s %d %d", f.remote.Key(), st.Log, st.Length, f.until.Unix())), true
}

func (f *itemSource) plan(marks map[string]index.Mark, st index.State) (index.Update, error) {
	if f.until.IsZero() {
		f.forges.Await(f.remote)
	}
	now, err := f.cache.State()
	if err != nil {
		return index.Update{}, err
	}
	old, known := marks[itemsKey]
	switch {
	case known && !f.until.IsZero() && st == index.Current: // the past does not change
		return index.Update{}, nil
	case known && old.Hash == now.Log && old.Offset == now.Length, !known && now.Log == "":
		return index.Update{}, nil
	}
	var u index.Update
	from := int64(0)
	if known && old.Hash == now.Log && old.Offset < now.Length {
		from = old.Offset
	}
	u.Rebuild = known && from == 0 // the log was rewritten
	u.Docs, u.Marks = f.docs(from)
	return u, nil
}

// docs reads the items after an offset, each in its latest version.
func (f *itemSource) docs(from int64) (iter.Seq2[index.Doc, error], func() []index.Mark) {
	var mark index.Mark
	seq := func(yield func(index.Doc, error) bool) {
		log, err := f.cache.Read()
		if err != nil {
			yield(index.Doc{}, err)
			return
		}
		defer log.Close()
		mark = index.Mark{Key: itemsKey, Hash: log.State.Log, Offset: log.State.Length,
			ScannedNs: f.m.ws.Options.Now().UnixNano()}
		last := map[string]int64{}
		for r, err := range log.Records(from) {
			if err != nil {
				yield(index.Doc{}, err)
				return
			}
			last[r.ID] = r.Offset
		}
		for r, err := range log.Records(from) {
			if err == nil && (last[r.ID] != r.Offset || f.m.Forgotten().HasUnit(r.ID, "")) {
				continue
			}
			it := providers.Item{}
			if err == nil {
				it, err = r.Item()
			}
			if err == nil && !f.until.IsZero() && it.Time.After(f.until) {
				continue
			}
			if !yield(f.m.itemDoc(itemsKey, it), err) || err != nil {
				return
			}
		}
	}
	return seq, func() []index.Mark { return []index.Mark{mark} }
}

// itemDoc converts an item to a document without secrets. The names of people are a weak field, so that questions by
// author match.
func (src *Sources) itemDoc(source string, it providers.Item) index.Doc {
	d := index.Doc{
		ID: it.ID, Source: source, Layer: cite.LayerTeam, Type: typesOf(it), Role: it.Kind, Time: it.Time,
		Title: it.Title, Text: it.Text, Tool: it.Author.Name, DiffTerms: it.Words, Paths: it.Paths, Release: it.Release,
	}
	if it.Author != (providers.Person{}) {
		d.Author = it.Author.Name + " <" + it.Author.Email + ">"
	}
	for _, f := range it.Files {
		d.Churn = append(d.Churn, uint32(max(0, f.Added+f.Removed)))
	}
	for _, p := range it.Also {
		d.Also = append(d.Also, p.Name+" <"+p.Email+">")
	}
	return d
}

// typesOf returns the types of an item, the main one first. An item that states a decision is also a decision.
func typesOf(it providers.Item) string {
	if it.Type == "decision" || it.Kind == "doc" || !transcript.Decides(it.Text) {
		return it.Type
	}
	return it.Type + " decision"
}

// OfTeam reports whether a shard contains data of the current repository's team.
func OfTeam(shard string) bool {
	return shard == "history" || slices.Contains(providers.Kinds(), shard)
}
