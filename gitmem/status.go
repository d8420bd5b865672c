package gitmem

import (
	"context"
	"time"
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
