package gitmem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Status is what is captured and indexed here. The JSON form is a public contract.
type Status struct {
	Root       string        `json:"root"`
	Store      bool          `json:"store"`
	Repository string        `json:"repository"` // git directory of the store, "" when there is none
	Project    string        `json:"project"`    // "" outside any repository
	Folder     string        `json:"folder"`
	Files      int           `json:"files"`
	Bytes      int64         `json:"bytes"`
	LastCommit string        `json:"last_commit"` // RFC 3339
	Pending    []string      `json:"pending"`     // files that the next commit takes
	IndexDir   string        `json:"index_dir"`
	Shards     []ShardStatus `json:"shards"`
	Caveats    []string      `json:"caveats"`
}

// ShardStatus is the state of one index.
type ShardStatus struct {
	Name  string   `json:"name"`
	State string   `json:"state"` // missing, corrupt, version, options, stale or current
	Docs  int      `json:"docs"`
	Tips  []string `json:"tips,omitempty"` // indexed tips of a history
}

// Status looks without changing anything.
func (m *Memory) Status(ctx context.Context) (Status, error) {
	p, err := m.here(ctx)
	if err != nil {
		return Status{}, err
	}
	st := Status{Root: m.root, Folder: p.folder, IndexDir: m.indexDir(), Store: m.store != nil, Pending: []string{}}
	if p.inRepo {
		st.Project = p.project.ID
	}
	if m.store != nil {
		if err := m.storeStatus(ctx, &st); err != nil {
			return st, err
		}
	}
	st.Shards, err = m.IndexStatus(ctx)
	st.Caveats = append([]string{}, m.notices...)
	return st, err
}

func (m *Memory) storeStatus(ctx context.Context, st *Status) error {
	st.Repository = m.store.GitDir()
	for f, err := range m.store.Files("") {
		if err != nil {
			return err
		}
		st.Files++
		st.Bytes += f.Size
	}
	if !m.store.HasRepository() {
		return nil
	}
	for c, err := range m.store.Log(ctx, 1, "") {
		if err != nil {
			return err
		}
		st.LastCommit = c.Time.UTC().Format(time.RFC3339)
	}
	pending, err := m.store.Pending(ctx)
	st.Pending = append(st.Pending, pending...)
	return err
}

// IndexStatus tells the state of each index that serves this place.
func (m *Memory) IndexStatus(ctx context.Context) ([]ShardStatus, error) {
	p, err := m.here(ctx)
	if err != nil {
		return nil, err
	}
	shards, err := m.shards(ctx, p)
	if err != nil {
		return nil, err
	}
	out := make([]ShardStatus, len(shards))
	for i, s := range shards {
		if out[i], err = s.status(); err != nil {
			m.notice("The %s index could not be looked at: %v", s.name, err)
		}
	}
	return out, nil
}

func (s shard) status() (ShardStatus, error) {
	st := ShardStatus{Name: s.name}
	state, err := s.index.State()
	st.State = state.String()
	if err != nil || state != index.Current {
		return st, err
	}
	snap, err := s.index.Snapshot()
	if err != nil {
		return st, err
	}
	defer snap.Close()
	st.Docs = snap.Live()
	marks := snap.Marks()
	if mark, ok := marks[historyKey]; ok {
		st.Tips = strings.Fields(mark.Hash)
	}
	if u, err := s.plan(marks, state); err == nil && !u.Empty() {
		st.State = index.Stale.String()
	}
	return st, nil
}

// Rebuild deletes every index of this place and builds it anew.
func (m *Memory) Rebuild(ctx context.Context) ([]ShardStatus, error) {
	p, err := m.here(ctx)
	if err != nil {
		return nil, err
	}
	shards, err := m.shards(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, s := range shards {
		res, err := s.index.Refresh(ctx, func(marks map[string]index.Mark, st index.State) (index.Update, error) {
			u, err := s.plan(nil, st)
			u.Rebuild = true
			return u, err
		})
		if err != nil {
			return nil, fmt.Errorf("rebuild %s: %w", s.name, err)
		}
		if res.Busy {
			return nil, fmt.Errorf("rebuild %s: %w", s.name, ErrLocked)
		}
	}
	return m.IndexStatus(ctx)
}

// Finding is one result of a check-up.
type Finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Advice string `json:"advice"` // what to do, "" when OK
}

// Doctor checks the store and the indexes and says what to do about each trouble.
// It changes nothing but what belongs to a dead process of gitmem's own.
func (m *Memory) Doctor(ctx context.Context) ([]Finding, error) {
	var out []Finding
	add := func(check string, err error, detail, advice string) {
		f := Finding{Check: check, OK: err == nil, Detail: detail}
		if err != nil {
			f.Detail, f.Advice = err.Error(), advice
		}
		out = append(out, f)
	}
	p, err := m.here(ctx)
	if err != nil {
		return nil, err
	}
	add("root", rootReadable(m.root), m.root, "Set GITMEM_HOME or CLAUDE_CONFIG_DIR to a folder you may read and write.")
	if m.store == nil {
		add("store", nil, "none yet: questions are answered from history, rules and transcripts", "")
	} else {
		m.checkStore(ctx, add)
	}
	shards, err := m.shards(ctx, p)
	if err != nil {
		add("repository", err, "", "Check the repository with git fsck.")
		return out, nil
	}
	if p.inRepo {
		add("repository", nil, p.loc.GitDir, "")
	}
	for _, s := range shards {
		detail, err := s.check()
		add(s.name+" index", err, detail, "Run: gitmem index rebuild")
	}
	for _, n := range m.notices {
		add("notice", errors.New(n), "", "See the file or folder that is named.")
	}
	return out, nil
}

func (m *Memory) checkStore(ctx context.Context, add func(check string, err error, detail, advice string)) {
	if !m.store.HasRepository() {
		add("store", errors.New("memory files lie in "+m.root+" but no repository keeps their history"), "", "Run: gitmem init")
		return
	}
	add("store", nil, m.store.GitDir(), "")
	add("permissions", private(m.store.GitDir()), "folders are closed to others", "Run: chmod 700 "+m.store.GitDir())
	repaired, err := m.store.Repair(ctx)
	add("locks", err, fmt.Sprintf("%s left by dead processes removed", plural(len(repaired), "lock")), "Wait for the process that holds it, or remove the lock file that is named when no git runs.")
	pending, err := m.store.Pending(ctx)
	detail := "every memory file is in HEAD"
	if len(pending) > 0 { // the normal state between a hook and the next commit
		detail = plural(len(pending), "file") + " waiting for the next commit"
	}
	add("committed", err, detail, "The next note or the end of a session of their project commits them.")
	held, err := m.store.Held(ctx)
	if err == nil && len(held) > 0 {
		err = fmt.Errorf("%s held back from history, the first: %s line %d holds a secret (%s)", plural(len(held), "file"), held[0].Path, held[0].Line, held[0].Kind)
	}
	add("secrets", err, "no file waits because of a secret in it", "Take the secret or the private block out of the file; the next commit takes the file then.")
}

func rootReadable(root string) error {
	_, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever kept here, which is no trouble
	}
	return err
}

// private tells whether a folder is closed to others, where the system says so.
func private(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if filepath.Separator == '/' && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is open to others (%v)", dir, info.Mode().Perm())
	}
	return nil
}

func (s shard) check() (string, error) {
	state, err := s.index.State()
	if err != nil {
		return "", err
	}
	switch state {
	case index.Missing:
		return "not built yet: the next question builds it", nil
	case index.Current:
		if err := s.index.Verify(); err != nil {
			return "", err
		}
		return "verified", nil
	}
	return "", fmt.Errorf("state is %s; the next question rebuilds it", state)
}
