package workspace

import (
	"context"
	"errors"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// Profile reads who the user is, without secrets; an empty profile where none is kept.
func (w *Workspace) Profile() (*profile.Profile, error) {
	if w.Store == nil {
		return profile.Read(nil)
	}
	b, err := w.Store.Read("", profile.File)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	p, err := profile.Read([]byte(w.Redactor.Lines(string(b))))
	return p, unreadableProfile(err)
}

// ChangeProfile rewrites the profile as change says, and returns what was done. It
// commits nothing.
func (w *Workspace) ChangeProfile(ctx context.Context, change func(old []byte) (text []byte, done []string, err error)) (done []string, err error) {
	err = w.Store.Rewrite(ctx, profile.File, func(old []byte) ([]store.Insertion, error) {
		text, did, err := change(old)
		if err != nil {
			return nil, unreadableProfile(err)
		}
		done = did
		return w.Insertions(old, text), nil
	})
	return done, err
}

// Insertions are what makes one text of another, line by line, without secrets.
func (w *Workspace) Insertions(old, text []byte) []store.Insertion {
	var out []store.Insertion
	for _, h := range linediff.Diff(old, text) {
		out = append(out, store.Insertion{At: h.OldAt, Cut: len(h.Removed), Text: w.Redactor.Clean(string(h.Added))})
	}
	return out
}

func unreadableProfile(err error) error {
	if err == nil {
		return nil
	}
	return &messages.Refusal{Reason: profile.File + " can't be read: " + err.Error(), Advice: "mend it with gitmem edit " + profile.File, Err: err}
}
