package curate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// Undone is the result of an undo or of its dry run. The JSON form is a public contract.
type Undone struct {
	Undone  string             `json:"undone"`  // the reverted commit
	Subject string             `json:"subject"` // subject of that commit
	Commit  string             `json:"commit"`  // the inverse commit, or "" if there is none
	Files   []query.FileChange `json:"changes"`
	// Left lists changed files that are not reverted because the store needs them.
	Left []string `json:"left"`
}

// Undo reverts the changes of a commit with a new commit. what is a commit id of the store, or a citation or a line of
// a file, which means the commit that wrote its newest line. Later changes are kept. If they conflict, nothing is
// changed, and the error is a [messages.Refusal] that wraps ErrConflict and names the lines and the later commit. The
// error wraps ErrNotFound if there is nothing to revert (any more). With dry it changes nothing and returns what it
// would change.
func (ed *Editor) Undo(ctx context.Context, what string, dry bool) (Undone, error) {
	if err := ed.needStore(); err != nil {
		return Undone{}, err
	}
	c, err := ed.undoable(ctx, what)
	if err != nil {
		return Undone{}, err
	}
	out := Undone{Undone: c.Hash, Subject: ed.src.ShownMessage(c.Subject), Files: []query.FileChange{}, Left: []string{}}
	files, err := ed.ws.Store.Difference(ctx, c.Parents[0], c.Hash, "")
	if err != nil {
		return out, err
	}
	var edits []inverse
	for _, f := range files {
		deleted := f.Path == tombstone.File && !bytes.Equal(tombstone.Reverted(f.Before, f.After, f.After), f.After)
		if neededByStore(f.Path) && !deleted {
			out.Left = append(out.Left, ed.ws.Clean(f.Path))
		} else {
			edits = append(edits, inverse{ed, f})
		}
	}
	if out.Files, err = ed.preview(ctx, c, edits); err != nil {
		return out, err
	}
	if len(out.Files) == 0 {
		return out, cmp.Or(ed.undoneAlready(ctx, c), nothingToUndo(c, out.Left))
	}
	if !dry {
		out.Commit, err = ed.apply(ctx, c, edits)
	}
	return out, err
}

func nothingToUndo(c store.CommitInfo, left []string) error {
	r := &messages.Refusal{Reason: fmt.Sprintf("nothing is left of %s to undo", short(c)),
		Advice: "its lines were taken back or changed already: see gitmem log " + c.Hash[:12], Err: messages.ErrNotFound}
	if len(left) > 0 {
		r.Reason = fmt.Sprintf("%s changed nothing but %s, which the store needs", short(c), strings.Join(left, ", "))
		r.Advice = "change such a file in an editor of your own if you must"
	}
	return r
}

// short returns an abbreviated hash and the subject of a commit.
func short(c store.CommitInfo) string { return fmt.Sprintf("%s (%s)", c.Hash[:12], c.Subject) }

// neededByStore reports whether a file determines where memory is, so that other files could not be found without it.
func neededByStore(rel string) bool {
	return rel == ".gitignore" || path.Base(rel) == "project.md" || rel == "gitmem/config.yaml" || rel == tombstone.File ||
		rel == store.MarkFile
}

// undoable finds the commit to revert and rejects commits that cannot be reverted.
func (ed *Editor) undoable(ctx context.Context, what string) (store.CommitInfo, error) {
	c, err := ed.commitOf(ctx, what)
	if err != nil {
		return c, err
	}
	own, may, err := ed.ws.Reachable(ctx)
	if err != nil {
		return c, err
	}
	if ok, err := ed.ws.ReachableCommit(ctx, c, may); err != nil {
		return c, err
	} else if !ok {
		return c, own.Refuse("what " + c.Hash[:12] + " changed")
	}
	c.Subject = ed.src.ShownMessage(c.Subject)
	switch {
	case len(c.Parents) == 0 || trailer(c, "Gitmem-Op") == "init":
		return c, &messages.Refusal{Reason: fmt.Sprintf("%s made the store", short(c)),
			Advice: "undo a later commit (gitmem log lists them), or remove single files from memory by hand",
			Err:    messages.ErrUsage}
	case strings.HasPrefix(trailer(c, "Gitmem-Op"), "forget"):
		return c, &messages.Refusal{Reason: fmt.Sprintf("%s forgot something for good", short(c)),
			Advice: "what was forgotten can be written again: gitmem note --force", Err: messages.ErrUsage}
	case len(c.Parents) > 1:
		return c, &messages.Refusal{Reason: fmt.Sprintf("%s is a merge", short(c)),
			Advice: "undo the commits that it brought in, one by one: gitmem log lists them", Err: messages.ErrUsage}
	}
	return c, nil
}

func (ed *Editor) commitOf(ctx context.Context, what string) (store.CommitInfo, error) {
	rev, isCommit := strings.CutPrefix(what, "git:commit:")
	if _, _, isLine := workspace.CutLine(what); !isCommit && (isCitation(what) || isLine) {
		t, err := ed.target(ctx, what)
		if err != nil {
			return store.CommitInfo{}, err
		}
		return ed.newest(ctx, what, t)
	}
	c, err := ed.ws.Store.Look(ctx, rev)
	if errors.Is(err, store.ErrNotFound) {
		err = &messages.Refusal{Reason: fmt.Sprintf("%q is no commit of %s", what, ed.ws.Root),
			Advice: "gitmem log lists the commits; a citation such as memory:… or idea:…, or a line such as MEMORY.md:7, " +
				"does, too", Err: messages.ErrNotFound}
	}
	return c, err
}

// newest returns the commit that wrote the newest of the lines of a target.
func (ed *Editor) newest(ctx context.Context, what string, t target) (store.CommitInfo, error) {
	origins, err := ed.ws.Store.Blame(ctx, "", t.rel)
	if err != nil {
		return store.CommitInfo{}, err
	}
	origins = origins[min(t.lines.Start, len(origins)):min(t.lines.End, len(origins))]
	commits, err := ed.commitsOf(ctx, origins)
	if err != nil {
		return store.CommitInfo{}, err
	}
	var newest store.CommitInfo
	for _, o := range origins {
		if o.Commit == "" {
			return newest, &messages.Refusal{Reason: fmt.Sprintf("%s line %d is not committed yet", t.rel, o.Line),
				Advice: "change it with gitmem edit " + what, Err: store.ErrConflict}
		}
	}
	for l, err := range ed.ws.Store.Log(ctx, 0, t.rel) { // in history order, since clocks may have been set back
		if err != nil {
			return newest, err
		}
		if c, ok := commits[l.Hash]; ok {
			newest = c
			break
		}
	}
	if newest.Hash == "" {
		return newest, fmt.Errorf("%s: %w", what, messages.ErrNotFound)
	}
	return newest, nil
}

// inverse reverts the change of one file. It is applied to the content on disk.
type inverse struct {
	ed *Editor
	f  store.FileDiff
}

// conflict reports that later changes conflict with an undo. at contains lines of the file on disk.
type conflict struct {
	rel string
	at  []markdown.Lines
	why string
}

// Error returns the file and the reason.
func (c *conflict) Error() string { return c.rel + ": " + c.why }

// Unwrap returns ErrConflict.
func (c *conflict) Unwrap() error { return store.ErrConflict }

// result returns the new content of the file, or nil to remove it.
func (i inverse) result(now []byte) ([]byte, error) {
	was, made := i.f.Before, i.f.After
	switch {
	case i.f.Path == tombstone.File: // forgotten content stays forgotten
		return tombstone.Reverted(was, made, now), nil
	case store.SameContent(now, was):
		return now, nil
	case store.SameContent(now, made):
		return was, nil
	case made == nil && cite.AreaOf(i.f.Path) == cite.AreaMemory: // the client, or a note, creates it again
		return withLines(was, now), nil
	case made == nil:
		return nil, &conflict{rel: i.f.Path, why: "was made again since"}
	case was == nil:
		c := &conflict{rel: i.f.Path, why: "was changed since"}
		for _, h := range linediff.Diff(made, now) {
			c.at = append(c.at, h.New)
		}
		return nil, c
	case now == nil:
		return nil, &conflict{rel: i.f.Path, why: "was removed since"}
	}
	merged, conflicts := markdown.Merge3(made, now, was)
	if len(conflicts) == 0 {
		return merged, nil
	}
	c := &conflict{rel: i.f.Path, why: "was changed since"}
	for _, conflict := range conflicts {
		c.at = append(c.at, conflict.Ours)
	}
	return nil, c
}

// withLines returns a text with the additional lines of another text.
func withLines(text, other []byte) (out []byte) {
	at := 0
	for _, h := range linediff.Diff(text, other) {
		out = append(append(out, text[at:h.OldAt]...), h.Added...)
		at = h.OldAt
	}
	return append(out, text[at:]...)
}

// edit returns result as an edit of the store.
func (i inverse) edit(old []byte) (edits []store.Insertion, remove bool, err error) {
	text, err := i.result(old)
	if err != nil || text == nil {
		return nil, err == nil && old != nil, err
	}
	return i.ed.ws.Insertions(old, text), false, nil
}

// preview returns what would become of the files on disk, or the conflicts.
func (ed *Editor) preview(ctx context.Context, c store.CommitInfo, edits []inverse) ([]query.FileChange, error) {
	var diffs []store.FileDiff
	var clashes []*conflict
	for _, e := range edits {
		now, err := ed.ws.Store.ReadMaybe("", e.f.Path)
		if err != nil {
			return nil, err
		}
		text, err := e.result(now)
		var in *conflict
		switch {
		case errors.As(err, &in):
			clashes = append(clashes, in)
		case err != nil:
			return nil, err
		case ed.reintroduces(e.f.Path, now, text):
			return nil, &messages.Refusal{Reason: fmt.Sprintf("%s can't be undone: it would bring back what was forgotten to %s",
				short(c), ed.ws.Clean(e.f.Path)),
				Advice: "what was forgotten can be written again: gitmem note --force", Err: store.ErrConflict}
		case !store.SameContent(now, text):
			diffs = append(diffs, store.FileDiff{Path: e.f.Path, Before: now, After: text})
		}
	}
	if len(clashes) > 0 {
		return nil, ed.overlap(ctx, c, clashes)
	}
	return ed.reader.FileChanges(diffs), nil
}

// apply changes the files and commits them.
func (ed *Editor) apply(ctx context.Context, c store.CommitInfo, edits []inverse) (string, error) {
	files := make([]store.FileEdit, len(edits))
	paths := make([]string, len(edits))
	for i, e := range edits {
		files[i], paths[i] = store.FileEdit{Path: e.f.Path, Edit: e.edit}, e.f.Path
	}
	ctx, release, err := ed.ws.Store.Hold(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := ed.src.KeepEdits(ctx, paths); err != nil {
		return "", err
	}
	err = ed.ws.Store.RewriteAll(ctx, files)
	var in *conflict
	if errors.As(err, &in) { // it occurred between the preview and the lock
		return "", ed.overlap(ctx, c, []*conflict{in})
	}
	if err != nil {
		return "", err
	}
	return ed.commit(ctx, paths, "undo: "+subject(c.Subject), "the files are as before "+c.Hash[:12]+" but are",
		"undo "+c.Hash)
}

// undoneAlready returns a refusal if a later commit reverted the commit and was not reverted in turn, otherwise nil.
func (ed *Editor) undoneAlready(ctx context.Context, c store.CommitInfo) error {
	took := map[string]bool{} // reverted by later commits
	for l, err := range ed.ws.Store.LogAfter(ctx, c.Hash, "") {
		if err != nil {
			return err
		}
		id, ok := strings.CutPrefix(trailer(l, "Gitmem-Op"), "undo ")
		if !ok || took[l.Hash] {
			continue
		}
		if took[id] = true; id == c.Hash {
			l.Subject = ed.src.ShownMessage(l.Subject)
			return &messages.Refusal{Reason: fmt.Sprintf("%s was undone already by %s", short(c), short(l)),
				Advice: "gitmem undo " + l.Hash[:12] + " brings it back", Err: messages.ErrNotFound}
		}
	}
	return nil
}

// overlap explains conflicts by their lines and the later commits that wrote them.
func (ed *Editor) overlap(ctx context.Context, c store.CommitInfo, clashes []*conflict) error {
	if err := ed.undoneAlready(ctx, c); err != nil {
		return err
	}
	var reasons []string
	advice := ""
	for _, in := range clashes {
		reason := ed.ws.Clean(in.rel) + " " + in.why
		if len(in.at) > 0 {
			where := slice.Map(in.at[:min(len(in.at), 3)], lineNames)
			reason = fmt.Sprintf("%s %s changed since", ed.ws.Clean(in.rel), strings.Join(where, ", "))
		}
		by, err := ed.blockingCommit(ctx, c, in)
		if err != nil {
			return err
		}
		if by != nil {
			reason += " by " + short(*by)
			advice = cmp.Or(advice, fmt.Sprintf("undo that first (gitmem undo %s), or change the lines with gitmem edit %s",
				by.Hash[:12], ed.ws.Clean(in.rel)))
		} else {
			reason += ", which is not committed yet"
		}
		reasons = append(reasons, reason)
	}
	advice = cmp.Or(advice, "change the lines with gitmem edit "+ed.ws.Clean(clashes[0].rel))
	return &messages.Refusal{Reason: fmt.Sprintf("%s can't be undone: %s", short(c), strings.Join(reasons, "; ")),
		Advice: advice, Err: store.ErrConflict}
}

// lineNames formats a range of lines, counted from 1.
func lineNames(l markdown.Lines) string {
	switch l.Len() {
	case 0:
		return fmt.Sprintf("after line %d", l.Start)
	case 1:
		return fmt.Sprintf("line %d", l.End)
	}
	return fmt.Sprintf("lines %d-%d", l.Start+1, l.End)
}

// blockingCommit returns the newest commit after c that conflicts with its undo: one that wrote the lines, otherwise
// one that changed the file. It returns nil for uncommitted changes.
func (ed *Editor) blockingCommit(ctx context.Context, c store.CommitInfo, in *conflict) (*store.CommitInfo, error) {
	var later []store.CommitInfo
	for l, err := range ed.ws.Store.LogAfter(ctx, c.Hash, in.rel) {
		if err != nil {
			return nil, err
		}
		l.Subject = ed.src.ShownMessage(l.Subject)
		later = append(later, l)
	}
	origins, err := ed.ws.Store.Blame(ctx, "", in.rel)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	wrote, pending := map[string]bool{}, false
	for _, l := range in.at {
		for _, o := range origins[min(l.Start, len(origins)):min(l.End, len(origins))] {
			wrote[o.Commit] = true
			pending = pending || o.Commit == ""
		}
	}
	if i := slices.IndexFunc(later, func(l store.CommitInfo) bool { return wrote[l.Hash] }); i >= 0 {
		return &later[i], nil
	}
	if pending || len(later) == 0 {
		return nil, nil
	}
	return &later[0], nil
}
