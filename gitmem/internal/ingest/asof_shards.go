package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

const (
	// keptFrozen is the number of past states of each kind of source that stay indexed.
	keptFrozen = 4
	// excludedFile stores the exclusion rules of the frozen shards.
	excludedFile = "excluded"
)

// pastMemoryShards returns the indexes of memory and transcripts at the reference time.
func (src *Sources) pastMemoryShards(ctx context.Context) (out []Shard) {
	w := src.ws.Past
	if src.ws.Policy().Err != nil { // the exclusions are unknown
		w.Unknown = []string{"memory", "transcripts"}
		return nil
	}
	if !slices.Contains(w.Unknown, "memory") {
		memory := &frozenSource{markdownSource{m: src, trees: src.memoryTrees(), memory: true}}
		out = append(out, src.frozenShard("memory", memory.state(), memory.plan))
	}
	return append(out, src.frozenShard("transcripts", src.pastTranscripts(ctx),
		(&TranscriptSource{M: src, until: w.Until}).Plan))
}

// frozenShard returns the shard of one state of a source. Its name is derived from its content, so that reference times
// without changes in between share it. Only the shard of transcripts, whose files may be deleted, is refreshed. It
// embeds nothing.
func (src *Sources) frozenShard(name, state string, plan Planner) Shard {
	s := src.shardIn(filepath.Join(src.FrozenDir(), name+"-"+state), name, MemoryWait, plan)
	s.Frozen, s.Plan = true, s.bare
	return s
}

// FrozenDir returns the folder of the indexes of past states.
func (src *Sources) FrozenDir() string { return filepath.Join(src.ws.IndexDir(), "asof") }

// frozenSource is a source for a shard of trees that never change.
type frozenSource struct{ markdownSource }

// plan returns an empty update if the shard was built before.
func (f *frozenSource) plan(_ map[string]index.Mark, st index.State) (index.Update, error) {
	if st == index.Current {
		return index.Update{}, nil
	}
	f.list()
	var u index.Update
	u.Docs, u.Marks = f.docs(f.files)
	return u, nil
}

// list lists the files of the trees. It skips a log if the session's transcript is on disk and had begun.
func (f *frozenSource) list() {
	f.files = f.files[:0]
	for _, t := range f.trees {
		files, err := t.Files()
		if err != nil {
			f.m.ws.Caveat("Some files can't be listed and are not searched: %v", err)
		}
		for _, file := range files {
			if file.Area == cite.AreaObservations && f.m.hadBegun(LogSession(file.Path)) {
				continue
			}
			if f.memory && f.m.ExcludedTreeFile(file) || f.m.SecretName(file.Path) {
				continue
			}
			mark := index.Mark{Key: file.Path, Hash: contentHash(t, file), Data: file.Project}
			f.files = append(f.files, TreeFile{Tree: t, File: file, Key: file.Path, Mark: mark})
		}
	}
}

// contentHash returns the hash of a file's content, or "" if it cannot be read.
func contentHash(t cite.Tree, f cite.File) string {
	if of, ok := t.(*commitTree); ok {
		return of.entries[f.Path].Hash
	}
	b, err := t.Read(f)
	if err != nil {
		return ""
	}
	return HashOf(b)
}

// state returns a hash of what the source would index: each file's key, content and project.
func (f *frozenSource) state() string {
	f.list()
	var b strings.Builder
	for _, tf := range f.files {
		fmt.Fprintf(&b, "%s\x00%s\x00%s\n", tf.Key, tf.Mark.Hash, tf.Mark.Data)
	}
	return HashOf([]byte(b.String()))[:16]
}

// pastTranscripts identifies the state of the transcripts by the newest record up to the reference time, according to
// the present index. If that cannot be opened, it uses the reference time itself.
func (src *Sources) pastTranscripts(ctx context.Context) string {
	present := src.shard("transcripts", "transcripts", 0, src.whenPolicyIsKnown((&TranscriptSource{M: src}).Plan))
	snap, _, err := present.Index.Fresh(ctx, present.Plan)
	if snap == nil || err != nil {
		return src.ws.Past.At.UTC().Format("20060102T150405")
	}
	defer snap.Close()
	newest, until := int64(0), src.ws.Past.Until.Unix()
	for i := range snap.Rows() {
		if sec := snap.Unix(i); sec <= until && !snap.Dead(i) {
			newest = max(newest, sec)
		}
	}
	return fmt.Sprint(newest)
}

// keepFrozen records that frozen shards were used now, and deletes the least recently used ones. A shard in use by
// another process stays until a later call.
func (src *Sources) keepFrozen(ctx context.Context, shards []Shard) {
	now := src.ws.Options.Now()
	kept := map[string]int{} // by kind
	var mine []string
	for _, s := range shards {
		mine = append(mine, filepath.Base(s.Index.Dir()))
		_ = os.Chtimes(s.Index.Dir(), now, now) // only affects the order of deletion
	}
	entries, err := os.ReadDir(src.FrozenDir())
	if err != nil {
		return // nothing was built here
	}
	// without this file all frozen shards are deleted
	_ = os.WriteFile(filepath.Join(src.FrozenDir(), excludedFile), []byte(src.Exclusions()), 0o600)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return changed(b).Compare(changed(a)) })
	for _, e := range entries {
		kind, _, isShard := strings.Cut(e.Name(), "-")
		if kept[kind]++; isShard && kept[kind] > keptFrozen && !slices.Contains(mine, e.Name()) {
			// a cache: a later call tries again
			_, _ = index.Open(filepath.Join(src.FrozenDir(), e.Name()), index.Options{}).Remove(ctx)
		}
	}
}

// changed returns the modification time of an entry, or the zero time if it was deleted.
func changed(e fs.DirEntry) (at time.Time) {
	if info, err := e.Info(); err == nil {
		at = info.ModTime()
	}
	return at
}

// Exclusions returns a hash of the configuration of exclusions and of the list of forgotten content.
func (src *Sources) Exclusions() string {
	var b []byte
	for _, name := range []string{src.ws.ConfigFile(), src.ws.LocalFile()} {
		text, _ := os.ReadFile(name) // a missing file excludes nothing
		b = append(append(b, text...), 0)
	}
	return HashOf(b) + " " + src.Fingerprint()
}

// ForgetFrozen deletes the frozen shards if the exclusion rules changed, so that excluded content does not remain in a
// cache.
func (src *Sources) ForgetFrozen(ctx context.Context) {
	known, err := os.ReadFile(filepath.Join(src.FrozenDir(), excludedFile))
	if err != nil || string(known) == src.Exclusions() {
		return // nothing was built, or under the same rules
	}
	_, _ = EraseFrozen(ctx, src.ws.IndexDir()) // the next question tries again to delete the rest
}

// EraseFrozen deletes all frozen shards below a folder of indexes and reports whether that succeeded. A shard remains
// if it is being written, or if the system keeps open files.
func EraseFrozen(ctx context.Context, indexes string) (bool, error) {
	dir := filepath.Join(indexes, "asof")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	gone := true
	for _, e := range entries {
		if e.IsDir() {
			ok, err := index.Open(filepath.Join(dir, e.Name()), index.Options{}).Remove(ctx)
			gone = gone && ok && err == nil
		}
	}
	return gone && os.RemoveAll(filepath.Join(dir, excludedFile)) == nil, nil
}
