package gitmem

import (
	"context"
	"fmt"
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
