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
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

const (
	// keptPast is how many past states of each kind of source stay indexed.
	keptPast = 4
	// excludedFile tells by which rules the past shards leave something out.
	excludedFile = "excluded"
)

// pastShards are the indexes of what there was. Each is named by what it holds, so
// that reference times between which nothing happened share one, and none is brought up to
// date but that of transcripts, whose files may vanish.
func (src *Sources) pastShards(ctx context.Context, p *workspace.Place) ([]Shard, error) {
	w := src.ws.Past
	var out []Shard
	add := func(name, state string, plan Planner) { out = append(out, src.pastShard(name, state, plan)) }
	rules := &pastSource{markdownSource{m: src, trees: []cite.Tree{src.files.user, src.files.repository}}}
	add("rules", rules.state(), rules.plan)
	if src.ws.Policy().Err == nil {
		memory := &pastSource{markdownSource{m: src, trees: []cite.Tree{src.files.memory}, excluded: src.ExcludedTreeFile}}
		if !slices.Contains(w.Unknown, "memory") {
			add("memory", memory.state(), memory.plan)
		}
		add("transcripts", src.pastTranscripts(ctx), (&TranscriptSource{M: src, until: w.Until}).Plan)
	} else { // what is excluded can't be known
		w.Unknown = []string{"memory", "transcripts"}
	}
	repo, err := src.ws.Repository(p)
	if err != nil {
		return nil, err
	}
	if repo != nil {
		add("history", store.ShortHash(p.Loc.CommonDir+"\x00"+w.Head+"\x00"+strings.Join(w.Tips, " ")), (&historySource{m: src, repo: repo}).plan(ctx))
	}
	return append(out, src.teamShards(ctx, p)...), nil
}

// pastShard is the shard of one state of a source.
func (src *Sources) pastShard(name, state string, plan Planner) Shard {
	return src.shardIn(filepath.Join(src.PastDir(), name+"-"+state), name, MemoryWait, plan)
}

// PastDir is the folder of the indexes of the past.
func (src *Sources) PastDir() string { return filepath.Join(src.ws.IndexDir(), "asof") }

// pastSource fills a shard with trees that never change.
type pastSource struct{ markdownSource }

// plan has nothing to do where the shard was built once.
func (f *pastSource) plan(_ map[string]index.Mark, st index.State) (index.Update, error) {
	if st == index.Current {
		return index.Update{}, nil
	}
	f.list()
	var u index.Update
	u.Docs, u.Marks = f.docs(f.files)
	return u, nil
}

// list takes the files of the trees. A log is left out where the transcript that it
// was kept beside is on disk and had begun.
func (f *pastSource) list() {
	f.files = f.files[:0]
	for _, t := range f.trees {
		tree := t.(*commitTree)
		for _, file := range tree.files {
			if file.Area == cite.AreaObservations && f.m.hadBegun(LogSession(file.Path)) {
				continue
			}
			if f.excluded != nil && f.excluded(file) {
				continue
			}
			mark := index.Mark{Key: file.Path, Hash: tree.entries[file.Path].Hash, Data: file.Project}
			f.files = append(f.files, TreeFile{Tree: t, File: file, Key: file.Path, Mark: mark})
		}
	}
}

// state names what the source would index: each file's place, bytes and project.
func (f *pastSource) state() string {
	f.list()
	var b strings.Builder
	for _, tf := range f.files {
		fmt.Fprintf(&b, "%s\x00%s\x00%s\n", tf.Key, tf.Mark.Hash, tf.Mark.Data)
	}
	return HashOf([]byte(b.String()))[:16]
}

// pastTranscripts names the state of the transcripts by the newest record that the
// reference time saw, which the present index knows. Where that can't be opened, the reference time
// itself does.
func (src *Sources) pastTranscripts(ctx context.Context) string {
	present := src.shard("transcripts", "transcripts", 0, src.knowing((&TranscriptSource{M: src}).Plan))
	snap, _, err := present.open(ctx)
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

// keepPast notes that shards of the past were used now, and deletes those that were
// not used for longest. One that another process writes, or reads where the system
// keeps open files, stays until a later call.
func (src *Sources) keepPast(ctx context.Context, shards []Shard) {
	now := src.ws.Options.Now()
	kept := map[string]int{} // by kind
	var mine []string
	for _, s := range shards {
		mine = append(mine, filepath.Base(s.Index.Dir()))
		_ = os.Chtimes(s.Index.Dir(), now, now) // only the order of leaving depends on it
	}
	entries, err := os.ReadDir(src.PastDir())
	if err != nil {
		return // nothing was built here
	}
	_ = os.WriteFile(filepath.Join(src.PastDir(), excludedFile), []byte(src.Exclusions()), 0o600) // without it all is forgotten
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return changed(b).Compare(changed(a)) })
	for _, e := range entries {
		kind, _, isShard := strings.Cut(e.Name(), "-")
		if kept[kind]++; isShard && kept[kind] > keptPast && !slices.Contains(mine, e.Name()) {
			_, _ = index.Open(filepath.Join(src.PastDir(), e.Name()), index.Options{}).Remove(ctx) // a cache: a later call tries again
		}
	}
}

// changed is when what is in a folder changed, the zero time where it is gone since.
func changed(e fs.DirEntry) (at time.Time) {
	if info, err := e.Info(); err == nil {
		at = info.ModTime()
	}
	return at
}

// Exclusions stands for the configuration that says what is excluded, and for the
// list of what was forgotten.
func (src *Sources) Exclusions() string {
	b, err := os.ReadFile(src.ws.ConfigFile())
	if err != nil {
		b = nil // nothing is excluded
	}
	return HashOf(b) + " " + src.Fingerprint()
}

// ForgetPast deletes the past shards when the rules of what is excluded changed:
// what must not be found any more should not stay in a cache either.
func (src *Sources) ForgetPast(ctx context.Context) {
	known, err := os.ReadFile(filepath.Join(src.PastDir(), excludedFile))
	if err != nil || string(known) == src.Exclusions() {
		return // nothing was built, or under the same rules
	}
	_, _ = ErasePast(ctx, src.ws.IndexDir()) // what stays is tried again by the next question
}

// ErasePast deletes all shards of the past below a folder of indexes and tells
// whether they are gone: not one that is written, or kept open where that holds it.
func ErasePast(ctx context.Context, indexes string) (bool, error) {
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
