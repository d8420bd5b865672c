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
	Busy  bool     `json:"busy"`           // a process is bringing it up to date
	Tips  []string `json:"tips,omitempty"` // indexed tips of a history
	// Pending counts the commits of a history that are not indexed yet; and the transcripts, as
	// many as there were at first.
	Pending int `json:"pending,omitempty"`
	// Read counts the texts that an encoder has read, of those that it is to read; both are 0
	// without one.
	Read   int `json:"read,omitempty"`
	ToRead int `json:"to_read,omitempty"`
}

// shardsHere are the indexes that serve this place.
func (src *Sources) shardsHere(ctx context.Context) ([]Shard, error) {
	p, err := src.ws.Place(ctx)
	if err != nil {
		return nil, err
	}
	return src.Shards(ctx, p)
}

// Status returns the state of each index that serves this place.
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

// Rebuild builds the index anew from its sources.
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

// Rebuild deletes every index of this place and builds it anew.
func (src *Sources) Rebuild(ctx context.Context) ([]ShardStatus, error) {
	if err := src.ws.Policy().Err; err != nil { // what must stay out of the index can't be known
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
