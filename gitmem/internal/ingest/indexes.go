package ingest

import (
	"context"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// ShardStatus is the state of one index.
type ShardStatus struct {
	Name  string   `json:"name"`
	State string   `json:"state"` // missing, corrupt, version, options, stale or current
	Docs  int      `json:"docs"`
	Busy  bool     `json:"busy"`           // a process is refreshing it
	Tips  []string `json:"tips,omitempty"` // indexed tips of a history
	// Pending counts the commits of a history, or the initial number of transcripts, that are not indexed yet.
	Pending int `json:"pending,omitempty"`
	// Read is the number of texts that an encoder has read, and ToRead the total; both are 0 without an encoder.
	Read   int `json:"read,omitempty"`
	ToRead int `json:"to_read,omitempty"`
}

// shardsHere returns the indexes of this workspace.
func (src *Sources) shardsHere(ctx context.Context) ([]Shard, error) {
	p, err := src.ws.Place(ctx)
	if err != nil {
		return nil, err
	}
	return src.Shards(ctx, p)
}

// Status returns the state of each index of this workspace.
func (src *Sources) Status(ctx context.Context) ([]ShardStatus, error) {
	shards, err := src.shardsHere(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]ShardStatus, len(shards))
	unread := 0
	for i, s := range shards {
		if out[i], err = s.Status(ctx); err != nil {
			src.ws.Caveat("The %s index could not be looked at: %v", s.Name, err)
		}
		out[i].Read, out[i].ToRead = src.howFarRead(s)
		unread += out[i].ToRead - out[i].Read
	}
	if unread > 0 {
		src.markUnread(ctx)
	}
	return out, nil
}

// Status returns the state of the index.
func (s Shard) Status(ctx context.Context) (ShardStatus, error) {
	st := ShardStatus{Name: s.Name}
	var err error
	if st.Busy, err = s.Index.Busy(); err != nil {
		return st, err
	}
	state, err := s.Index.State()
	st.State = state.String()
	if err != nil || state != index.Current {
		return st, err
	}
	snap, err := s.Index.Snapshot()
	if err != nil {
		return st, err
	}
	defer snap.Close()
	st.Docs = snap.Live()
	marks := snap.Marks()
	if mark, ok := marks[historyKey]; ok && s.History != nil {
		waiting, err := s.History.waiting(ctx, snap)
		if err != nil {
			return st, err
		}
		st.Pending, st.Tips = len(waiting), strings.Fields(mark.Hash)
	}
	if mark, ok := marks[laterKey]; ok {
		st.State, st.Pending = index.Stale.String(), int(mark.Lines)
	}
	if u, err := s.Plan(marks, state); err == nil && !u.Empty() {
		st.State = index.Stale.String()
	}
	return st, nil
}

// Rebuild rebuilds the index from its sources.
func (s Shard) Rebuild(ctx context.Context) error {
	res, err := s.Index.Refresh(ctx, func(_ map[string]index.Mark, st index.State) (index.Update, error) {
		u, err := s.Plan(nil, st)
		u.Rebuild = true
		return u, err
	})
	if err == nil && res.Busy {
		err = store.ErrLocked
	}
	return err
}

// Rebuild deletes and rebuilds every index of this workspace.
func (src *Sources) Rebuild(ctx context.Context) ([]ShardStatus, error) {
	if err := src.ws.Policy().Err; err != nil { // the exclusions are unknown
		return nil, err
	}
	shards, err := src.shardsHere(ctx)
	if err != nil {
		return nil, err
	}
	gone, err := EraseFrozen(ctx, src.ws.IndexDir())
	if err == nil && !gone {
		err = store.ErrLocked
	}
	if err != nil {
		return nil, fmt.Errorf("rebuild: an index of the past: %w", err)
	}
	for _, s := range shards {
		if err := s.Rebuild(ctx); err != nil {
			return nil, fmt.Errorf("rebuild %s: %w", s.Name, err)
		}
		if err := src.readRest(ctx, s); err != nil {
			return nil, fmt.Errorf("rebuild %s: %w", s.Name, err)
		}
	}
	src.embedRest(ctx)
	return src.Status(ctx)
}
