package curate

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/internal/slice"
)

// Commit is one change of the store. The JSON form is a public contract.
type Commit struct {
	Hash     string    `json:"hash"`
	Time     time.Time `json:"time"`
	Subject  string    `json:"subject"`
	Trailers []string  `json:"trailers"`
	Paths    []string  `json:"paths"`
	// Files are the changed files if they were requested; none for a merge.
	Files []query.FileChange `json:"changes,omitempty"`
}

// LogOptions restricts a history.
type LogOptions struct {
	Limit        int    // maximum number of changes; 0 means all
	Since, Until string // time expressions, as in Filter
	Files        bool   // fill Commit.Files
}

// Log lists the store's changes that match what, newest first. A citation id matches the changes to its lines, a path
// (absolute, or relative to the working folder, the root or the project's memory) those to the file or below the
// folder, and a commit of the store itself. Other words match changes whose subject, trailers, or added or removed text
// contain all of them, ignoring case. "" matches all. The error wraps ErrNotFound if a citation is unknown.
func (ed *Editor) Log(ctx context.Context, what string, o LogOptions) ([]Commit, error) {
	if err := ed.needStore(); err != nil {
		return nil, err
	}
	span, err := ed.reader.TimeRange(query.Filter{Since: o.Since, Until: o.Until})
	if err != nil {
		return nil, err
	}
	found, err := ed.concerning(ctx, strings.TrimSpace(what), span)
	if err != nil {
		return nil, err
	}
	own, may, err := ed.ws.Reachable(ctx)
	if err != nil {
		return nil, err
	}
	ed.ws.WarnLeftOut(own)
	out := []Commit{}
	for c, err := range found {
		if err != nil {
			return out, err
		}
		if !span.Contains(c.Time) {
			continue
		}
		if ok, err := ed.ws.ReachableCommit(ctx, c, may); err != nil {
			return out, err
		} else if !ok {
			continue
		}
		commit := ed.newCommit(c)
		if o.Files {
			if commit.Files, err = ed.changesOf(ctx, c); err != nil {
				return out, err
			}
		}
		if out = append(out, commit); len(out) == o.Limit {
			break
		}
	}
	return out, nil
}

func (ed *Editor) newCommit(c store.CommitInfo) Commit {
	trailers := slice.Map(c.Trailers, ed.src.ShownMessage)
	return Commit{Hash: c.Hash, Time: c.Time, Subject: ed.src.ShownMessage(c.Subject), Trailers: trailers,
		Paths: ed.ws.CleanPaths(c.Paths)}
}

// concerning selects how the history is read.
func (ed *Editor) concerning(ctx context.Context, what string,
	span search.Range) (iter.Seq2[store.CommitInfo, error], error) {
	if what == "" {
		return ed.ws.Store.Log(ctx, 0, ""), nil
	}
	if c, ok := ed.namedCommit(ctx, what); ok {
		return func(yield func(store.CommitInfo, error) bool) { yield(c, nil) }, nil
	}
	t, err := ed.target(ctx, what)
	switch {
	case err == nil && t.part:
		return ed.ws.Store.LineLog(ctx, t.rel, t.lines), nil
	case err == nil:
		return ed.ws.Store.Log(ctx, 0, t.rel), nil
	case isCitation(what) || !errors.Is(err, messages.ErrNotFound):
		return nil, err
	}
	return ed.mentioning(ctx, strings.Fields(what), span), nil
}

// namedCommit resolves a commit id of the store, git:commit:<id> or HEAD~n. A short word such as "dead" is not an id.
func (ed *Editor) namedCommit(ctx context.Context, what string) (store.CommitInfo, bool) {
	rev := strings.TrimPrefix(what, "git:commit:")
	hex := strings.Trim(rev, "0123456789abcdefABCDEF") == ""
	if head := rev == "HEAD" || strings.HasPrefix(rev, "HEAD~") || strings.HasPrefix(rev, "HEAD^"); !head &&
		(!hex || len(rev) < 7) {
		return store.CommitInfo{}, false
	}
	c, err := ed.ws.Store.Look(ctx, rev)
	return c, err == nil
}

// mentioning filters the history by words.
func (ed *Editor) mentioning(ctx context.Context, words []string, span search.Range) iter.Seq2[store.CommitInfo,
	error] {
	return func(yield func(store.CommitInfo, error) bool) {
		for c, err := range ed.ws.Store.Log(ctx, 0, "") {
			holds := false
			if err == nil && span.Contains(c.Time) {
				holds, err = ed.mentions(ctx, c, words)
			}
			if (err != nil || holds) && !yield(c, err) {
				return
			}
		}
	}
}

// mentions reports whether a commit's message or changed lines contain all words. It reads the lines only if the
// message does not contain them.
func (ed *Editor) mentions(ctx context.Context, c store.CommitInfo, words []string) (bool, error) {
	shown := ed.newCommit(c)
	text := shown.Subject + "\n" + strings.Join(shown.Trailers, "\n")
	if query.HoldsFold(text, words) {
		return true, nil
	}
	files, err := ed.changesOf(ctx, c)
	if err != nil {
		return false, err
	}
	var b strings.Builder
	b.WriteString(text)
	for _, f := range files {
		for line := range strings.Lines(f.Patch) {
			if (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "+++ b/") && !strings.HasPrefix(line, "--- a/") {
				b.WriteString(line[1:])
			}
		}
	}
	return query.HoldsFold(b.String(), words), nil
}

// changesOf returns the changes of a commit against its only parent, or nothing for a merge.
func (ed *Editor) changesOf(ctx context.Context, c store.CommitInfo) ([]query.FileChange, error) {
	if len(c.Parents) > 1 {
		return nil, nil
	}
	before := ""
	if len(c.Parents) == 1 {
		before = c.Parents[0]
	}
	files, err := ed.ws.Store.Difference(ctx, before, c.Hash, "")
	if err != nil {
		return nil, err
	}
	return ed.reader.FileChanges(files), nil
}
