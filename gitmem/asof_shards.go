package gitmem

import (
	"cmp"
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
	// keptPast is how many past states of each kind of source stay indexed.
	keptPast = 4
	// usedFile in a past shard's folder says by its time when it was last asked.
	usedFile = "used"
	// excludedFile tells by which rules the past shards leave something out.
	excludedFile = "excluded"
)

// pastShards are the indexes of what there was. Each is named by what it holds, so
// that moments between which nothing happened share one, and none is brought up to
// date but that of transcripts, whose files may vanish.
func (m *Memory) pastShards(ctx context.Context, p *place) ([]shard, error) {
	w := m.past
	var out []shard
	add := func(name, state string, plan planner) { out = append(out, m.pastShard(name, state, plan)) }
	rules := &pastFeed{markdownFeed{m: m, trees: []cite.Tree{m.files.user, m.files.repository}}}
	add("rules", rules.state(), rules.plan)
	if m.policy().err == nil {
		memory := &pastFeed{markdownFeed{m: m, trees: []cite.Tree{m.files.memory}, excluded: m.excludedTreeFile}}
		if !slices.Contains(w.unknown, "memory") {
			add("memory", memory.state(), memory.plan)
		}
		add("transcripts", m.pastTranscripts(ctx), (&transcriptFeed{m: m, until: w.until}).plan)
	} else { // what is excluded can't be known
		w.unknown = []string{"memory", "transcripts"}
	}
	repo, err := m.repository(p)
	if err != nil {
		return nil, err
	}
	if repo != nil {
		feed := &historyFeed{ctx: ctx, m: m, repo: repo}
		add("history", shortHash(p.loc.CommonDir+"\x00"+w.head+"\x00"+strings.Join(w.tips, " ")), feed.plan)
	}
	return append(out, m.teamShards(ctx, p)...), nil
}

// pastShard is the shard of one state of a source.
func (m *Memory) pastShard(name, state string, plan planner) shard {
	return m.shardIn(filepath.Join(m.pastDir(), name+"-"+state), name, memoryWait, plan)
}

func (m *Memory) pastDir() string { return filepath.Join(m.indexDir(), "asof") }

// pastFeed fills a shard with trees that never change.
type pastFeed struct{ markdownFeed }

// plan has nothing to do where the shard was built once.
func (f *pastFeed) plan(_ map[string]index.Mark, st index.State) (index.Update, error) {
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
func (f *pastFeed) list() {
	f.files = f.files[:0]
	for _, t := range f.trees {
		tree := t.(*commitTree)
		for _, file := range tree.files {
			if file.Area == cite.AreaObservations && f.m.hadBegun(logSession(file.Path)) {
				continue
			}
			if f.excluded != nil && f.excluded(file) {
				continue
			}
			mark := index.Mark{Key: file.Path, Hash: tree.entries[file.Path].Hash, Data: file.Project}
			f.files = append(f.files, treeFile{tree: t, file: file, key: file.Path, mark: mark})
		}
	}
}

// state names what the feed would index: each file's place, bytes and project.
func (f *pastFeed) state() string {
	f.list()
	var b strings.Builder
	for _, tf := range f.files {
		fmt.Fprintf(&b, "%s\x00%s\x00%s\n", tf.key, tf.mark.Hash, tf.mark.Data)
	}
	return hashOf([]byte(b.String()))[:16]
}

// pastTranscripts names the state of the transcripts by the newest record that the
// moment saw, which the present index knows. Where that can't be opened, the moment
// itself does.
func (m *Memory) pastTranscripts(ctx context.Context) string {
	present := m.shard("transcripts", "transcripts", 0, m.knowing((&transcriptFeed{m: m}).plan))
	snap, _, err := present.open(ctx)
	if snap == nil || err != nil {
		return m.past.at.UTC().Format("20060102T150405")
	}
	defer snap.Close()
	newest, until := int64(0), m.past.until.Unix()
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
func (m *Memory) keepPast(ctx context.Context, shards []shard) {
	now := m.o.Now()
	mine := map[string]bool{}
	for _, s := range shards {
		mine[filepath.Base(s.index.Dir())] = true
		file := filepath.Join(s.index.Dir(), usedFile)
		if os.Chtimes(file, now, now) == nil {
			continue
		}
		if os.WriteFile(file, nil, 0o600) == nil {
			_ = os.Chtimes(file, now, now) // only the order of leaving depends on it
		}
	}
	entries, err := os.ReadDir(m.pastDir())
	if err != nil {
		return // nothing was built here
	}
	kinds := map[string][]pastShard{}
	_ = os.WriteFile(filepath.Join(m.pastDir(), excludedFile), []byte(m.exclusions()), 0o600) // without it all is forgotten
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		kind, _, _ := strings.Cut(e.Name(), "-")
		old := pastShard{dir: filepath.Join(m.pastDir(), e.Name()), mine: mine[e.Name()]}
		if info, err := os.Stat(filepath.Join(old.dir, usedFile)); err == nil {
			old.used = info.ModTime()
		}
		kinds[kind] = append(kinds[kind], old)
	}
	for _, list := range kinds {
		slices.SortFunc(list, pastShard.newestFirst)
		for _, old := range list[min(len(list), keptPast):] {
			if !old.mine {
				_, _ = index.Open(old.dir, index.Options{}).Remove(ctx) // a cache: a later call tries again
			}
		}
	}
}

// exclusions stands for the configuration that says what is excluded, and for the
// list of what was forgotten.
func (m *Memory) exclusions() string {
	b, err := os.ReadFile(m.configFile())
	if err != nil {
		b = nil // nothing is excluded
	}
	return hashOf(b) + " " + m.feedPrint()
}

// forgetPast deletes the past shards when the rules of what is excluded changed:
// what must not be found any more should not stay in a cache either.
func (m *Memory) forgetPast(ctx context.Context) {
	known, err := os.ReadFile(filepath.Join(m.pastDir(), excludedFile))
	if err != nil || string(known) == m.exclusions() {
		return // nothing was built, or under the same rules
	}
	_ = erasePast(ctx, m.indexDir()) // what stays is tried again by the next question
}

// erasePast deletes all shards of the past below a folder of indexes and tells
// whether they are gone: not one that is written, or kept open where that holds it.
func erasePast(ctx context.Context, indexes string) bool {
	dir := filepath.Join(indexes, "asof")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	gone := true
	for _, e := range entries {
		if e.IsDir() {
			ok, err := index.Open(filepath.Join(dir, e.Name()), index.Options{}).Remove(ctx)
			gone = gone && ok && err == nil
		}
	}
	return gone && os.RemoveAll(filepath.Join(dir, excludedFile)) == nil
}

type pastShard struct {
	dir  string
	used time.Time
	mine bool // in use by this very question
}

func (a pastShard) newestFirst(b pastShard) int {
	if a.mine != b.mine {
		return map[bool]int{true: -1, false: 1}[a.mine]
	}
	return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.dir, b.dir))
}
