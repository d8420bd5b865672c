package forget

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// sessionTombstones returns the tombstones that keep the session of a section from being archived again. A continuation
// or a compacted log needs none.
func (f *Forgetting) sessionTombstones(u cite.Unit, project string) []tombstone.Tombstone {
	id, err := cite.Parse(u.ID)
	if err != nil || !transcript.ValidSessionID(u.Session) || strings.HasSuffix(u.Title, archive.Continued) ||
		strings.HasSuffix(u.Title, cite.Compacted) {
		return nil
	}
	out := []tombstone.Tombstone{f.builder().Unit(ingest.SessionUnit(id.Name, "s-"+u.Session), project)}
	if id.Fragment == "s-"+transcript.ShortID(u.Session) {
		out = append(out, f.builder().Unit(ingest.SessionUnit(id.Name, id.Fragment+ingest.AlsoWhole), project))
	}
	return out
}

// erase deletes every index and every trace that may contain forgotten content: an index keeps the words of removed
// documents until it is rewritten.
func (fg *Forgetter) erase(ctx context.Context, f *Forgetting) {
	for _, dir := range []string{fg.ws.IndexDir(), filepath.Join(fg.ws.Options.CacheDir, "gitmem",
		store.ShortHash(fg.ws.Root))} {
		shards, err := os.ReadDir(filepath.Join(dir, "shards"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			fg.ws.Caveat("The indexes in %s could not be deleted: %v", dir, err)
		}
		if err := ingest.EraseVectors(dir); err != nil {
			fg.ws.Caveat("The vectors in %s could not be deleted: %v", dir, err)
		}
		if err := workspace.EraseContextFiles(dir); err != nil {
			fg.ws.Caveat("The context that sessions were given could not be deleted from %s: %v", dir, err)
		}
		if err := os.RemoveAll(filepath.Join(dir, workspace.RunsFolder)); err != nil {
			fg.ws.Caveat("The records of researched questions could not be deleted from %s: %v", dir, err)
		}
		if gone, _ := ingest.EraseFrozen(ctx, dir); !gone {
			fg.ws.Caveat("An index of the past is in use and could not be deleted; the next question does it.")
		}
		for _, s := range shards {
			o := index.Options{Fingerprint: fg.src.Fingerprint(), Now: fg.ws.Options.Now, LockWait: ingest.MemoryWait}
			gone, err := index.Open(filepath.Join(dir, "shards", s.Name()), o).Erase(ctx)
			if err != nil || !gone {
				fg.ws.Caveat("The index %s is in use and could not be deleted; gitmem index rebuild does it later.", s.Name())
			}
		}
	}
	for _, dir := range fg.ws.DirsOfTraces() {
		fg.eraseTraces(dir, f)
	}
}

// manyTexts is the maximum number of lines that are searched in other sources.
const manyTexts = 20

// elsewhere finds other sources that contain the removed content.
func (f *Forgetting) elsewhere(ctx context.Context) ([]Elsewhere, error) {
	out := []Elsewhere{}
	seen := map[string]bool{}
	for i, text := range f.texts {
		want := tombstone.Normal(text)
		if i >= manyTexts || !tombstone.Distinctive(want) {
			continue
		}
		res, err := f.forgetter.reader.Search(ctx, `"`+text+`"`, query.Filter{Project: "all", Limit: 20})
		if err != nil {
			return out, err
		}
		for _, h := range res.Hits {
			if seen[h.ID] || f.forgetter.src.Hides(h.ID) {
				continue
			}
			src, err := f.forgetter.reader.Show(ctx, h.ID)
			if err != nil || !strings.Contains(tombstone.Normal(src.Text), want) {
				continue
			}
			seen[h.ID] = true
			out = append(out, Elsewhere{h.ID, h.Layer, messages.OneLine(h.Excerpt, 60)})
		}
	}
	return out, nil
}
