package workspace

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// Profile reads the user's profile, or at another path the standing orders of a project, without secrets. It is empty
// without a store.
func (w *Workspace) Profile(rel string) (*profile.Profile, error) {
	if w.Store == nil {
		return profile.Read(nil)
	}
	b, err := w.Store.Read("", rel)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	p, err := profile.Read([]byte(w.Redactor.Lines(string(w.WithoutConflicts(rel, b)))))
	return p, unreadableProfile(rel, err)
}

// ChangeProfile rewrites the profile, or the standing orders of a project, with change, and returns the actions,
// together with an error for those that failed. It commits nothing. A file that contains a secret is not changed:
// metadata of a value would repeat it in another form.
func (w *Workspace) ChangeProfile(ctx context.Context, rel string, change func(old []byte) (text []byte, done []string,
	err error)) (done []string, err error) {
	var failed error
	_, err = w.RewriteText(ctx, rel, func(old []byte) (text []byte, err error) {
		if err := store.CheckConflict(rel, old); err != nil {
			return nil, err
		}
		if len(old) == 0 {
			old = profile.Head(rel)
		}
		if w.Redactor.Lines(string(old)) != string(old) {
			return nil, &messages.Refusal{Reason: rel + " holds a secret", Advice: "take it out with gitmem edit " + rel,
				Err: store.ErrHeld}
		}
		if text, done, failed = change(old); len(done) == 0 {
			return nil, nil
		}
		if w.Redactor.Lines(string(text)) != string(text) {
			done = nil
			return nil, &messages.Refusal{Reason: "this is a secret, which memory never keeps",
				Advice: "keep it where secrets belong", Err: store.ErrHeld}
		}
		return text, nil
	})
	for i := range done {
		if rel != profile.File { // paths of a project's file have this prefix
			done[i] = strings.Replace(done[i], " ", " project.", 1)
		}
	}
	if err != nil {
		return nil, err
	}
	return done, unreadableProfile(rel, failed)
}

// RewriteText rewrites a file with change, where a nil text means no change, and reports whether the file changed. It
// commits nothing.
func (w *Workspace) RewriteText(ctx context.Context, rel string,
	change func(old []byte) ([]byte, error)) (changed bool, err error) {
	err = w.Store.RewriteAll(ctx, []store.FileEdit{w.TextEdit(rel, func(old []byte) ([]byte, error) {
		text, err := change(old)
		changed = err == nil && text != nil && !bytes.Equal(text, old)
		return text, err
	})})
	return changed, err
}

// TextEdit returns an edit that replaces the text of a file; a nil text means no change.
func (w *Workspace) TextEdit(rel string, change func(old []byte) ([]byte, error)) store.FileEdit {
	return store.FileEdit{Path: rel, Edit: func(old []byte) ([]store.Insertion, bool, error) {
		text, err := change(old)
		if text == nil || err != nil {
			return nil, false, err
		}
		return w.Insertions(old, text), false, nil
	}}
}

// Insertions returns the redacted line-by-line edits from one text to another.
func (w *Workspace) Insertions(old, text []byte) []store.Insertion {
	var out []store.Insertion
	for _, h := range linediff.Diff(old, text) {
		out = append(out, store.Insertion{At: h.OldAt, Cut: len(h.Removed), Text: w.Redactor.Clean(string(h.Added))})
	}
	return out
}

func unreadableProfile(rel string, err error) error {
	if err == nil {
		return nil
	}
	return &messages.Refusal{Reason: rel + " can't be read or changed: " + err.Error(),
		Advice: "mend it with gitmem edit " + rel, Err: err}
}
