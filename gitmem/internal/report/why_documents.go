package report

import (
	"context"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/markdown/linediff"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/providers/git"
)

const (
	// whyMerged is the maximum number of commits of a merge to search for accompanying files.
	whyMerged = 50
	// whyFirst is the number of most important commits that are examined closely.
	whyFirst = 3
)

// documents finds documents related to the most important changes: decisions in the same commits, and documents named
// in their messages.
func (w *why) documents(ctx context.Context) error {
	files, _, err := ingest.DocumentsAt(w.repo, w.target.rev)
	if err != nil {
		return err
	}
	var messages strings.Builder
	came := map[string]string{}
	for i, c := range w.found[:min(len(w.found), whyFirst)] {
		messages.WriteString(c.commit.Subject + "\n" + c.commit.Body + "\n")
		if src, err := w.cite.Resolve(w.out.Commits[i].Via); err == nil {
			messages.WriteString(src.Text + "\n")
		}
		w.changedWith(ctx, c.commit.Hash, w.out.Commits[i].Via, came)
	}
	text := messages.String()
	refs := providers.References(text)
	for _, f := range files {
		decides := docs.Decides(f.Path)
		numbered := decides && slices.ContainsFunc(refs, func(ref string) bool {
			kind, n, _ := strings.Cut(ref, "-")
			return (kind == "ADR" || kind == "RFC" || kind == "KEP") && n == strconv.Itoa(docs.Number(f.Path))
		})
		w.nearness = mentioning
		if numbered || decides && came[f.Path] != "" {
			w.nearness = otherWork
		}
		if w.nearness == otherWork || strings.Contains(text, path.Base(f.Path)) && strings.Contains(path.Base(f.Path), ".") {
			if err := w.follow(ctx, docs.ID(f.Path), 1, 0); err != nil {
				return err
			}
		}
	}
	w.nearness = otherWork
	for _, name := range slices.Sorted(maps.Keys(came)) {
		b, err := w.repo.Blob(came[name], name)
		if err != nil || len(b) > docs.MaxSize || !isFragment(name) {
			continue // deleted, or not a document
		}
		if err := w.follow(ctx, cite.BlameID(name, 1, linediff.CountLines(b), came[name]).String(), 1, 0); err != nil {
			return err
		}
	}
	return nil
}

// isFragment reports whether a path is one change's fragment of the next release notes, as collected by tools.
func isFragment(name string) bool {
	switch path.Base(path.Dir(name)) {
	case "unreleased", "newsfragments", ".changeset", "changelog.d", "news.d":
		return true
	}
	return false
}

// changedWith adds the paths changed together with a commit, with their commits: its own paths, and those of the branch
// that a merge brought.
func (w *why) changedWith(ctx context.Context, commit, via string, came map[string]string) {
	tips, o := []string{commit}, git.WalkOptions{Paths: true}
	n := 1
	if merge, err := w.repo.Commit(strings.TrimPrefix(via, string(cite.KindCommit)+":")); err == nil &&
		len(merge.Parents) == 2 {
		tips, o.Not, n = merge.Parents[1:], merge.Parents[:1], whyMerged
	}
	for c, err := range w.repo.Walk(ctx, tips, o) {
		if n--; err != nil || n < 0 {
			return // the answer omits these
		}
		if len(c.Parents) == 0 || len(c.Changes) > whyMoved {
			continue // it added everything
		}
		for _, ch := range c.Changes {
			if came[ch.Path] == "" { // newest first
				came[ch.Path] = c.Hash
			}
		}
	}
}
