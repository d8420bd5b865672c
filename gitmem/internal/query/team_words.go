package query

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/providers/git"
	"github.com/gitmem/gitmem/providers/git/diffterms"
)

const (
	// nameTime limits the search for the commit that added or removed a name, and nameCommits the number of candidate
	// commits for a removal.
	nameTime    = 1200 * time.Millisecond
	nameCommits = 400
)

// ChangeOfName finds the commit that added a file or a name of code to the current repository, or that removed it if
// gone is set. It returns the citation id, "" if the diffs do not show it.
func (v *View) ChangeOfName(ctx context.Context, name string, gone bool) string {
	repo, err := v.Reader.ws.Repository(v.Place)
	if err != nil || repo == nil || v.InScope != nil && !v.InScope(v.Place.Project.ID) {
		return ""
	}
	limited, stop := deadline.After(ctx, v.Reader.ws.Options.Now, nameTime)
	defer stop()
	commit := ""
	if strings.ContainsAny(name, "./") {
		commit = changeOfFile(limited, repo, name, gone)
	}
	words := repo.Words(isCode, formsOfName(name)...)
	switch {
	case commit != "":
	case gone:
		commit = v.removalOfName(limited, words, name)
	default:
		commit, err = words.Introduced(limited, "HEAD")
		if errors.Is(err, git.ErrNotFound) {
			commit, err = repo.Words(isWritten, formsOfName(name)...).Introduced(limited, "HEAD")
		}
		if err != nil {
			return ""
		}
	}
	if commit == "" || repo.IsShallowEnd(commit) {
		return ""
	}
	return string(cite.KindCommit) + ":" + commit
}

// changeOfFile finds the commit that first wrote a file of HEAD, or that removed one.
func changeOfFile(ctx context.Context, repo *git.Repository, path string, gone bool) (commit string) {
	if gone {
		commit, _ = repo.RemovedBy(ctx, "HEAD", path)
		return commit
	}
	if !strings.Contains(path, "/") { // in any folder, if unique
		entries, err := repo.List("HEAD", "")
		entries = slices.DeleteFunc(entries, func(e git.Entry) bool { return !strings.HasSuffix("/"+e.Path, "/"+path) })
		if err != nil || len(entries) != 1 {
			return ""
		}
		path = entries[0].Path
	}
	for c, err := range repo.FollowPath(ctx, "HEAD", path, false) {
		if err != nil {
			return ""
		}
		commit = c.Commit.Hash
	}
	return commit
}

// removalOfName finds the newest commit that removed the last occurrence of a name from the code.
func (v *View) removalOfName(ctx context.Context, words *git.WordSearch, name string) string {
	if there, err := words.Has(ctx, "HEAD"); err != nil || there {
		return ""
	}
	res, err := search.Run(ctx, v.Snaps, search.Query{Text: name, Layers: []string{cite.LayerTeam}, Limit: nameCommits})
	if err != nil {
		return ""
	}
	slices.SortFunc(res.Hits, func(a, b search.Hit) int { return b.Doc.Time.Compare(a.Doc.Time) })
	for _, h := range res.Hits {
		hash, ok := strings.CutPrefix(h.Doc.ID, string(cite.KindCommit)+":")
		if !ok {
			continue
		}
		switch removed, err := words.Removed(ctx, hash); {
		case ctx.Err() != nil:
			return ""
		case err == nil && removed:
			return hash
		}
	}
	return ""
}

// formsOfName returns the forms of a name in code: a method without its receiver, an option in quotes or as a variable.
func formsOfName(name string) []string {
	bare := strings.TrimSuffix(name, "()")
	if !strings.HasPrefix(name, "-") {
		bare = bare[strings.LastIndexAny(bare, ".:")+1:]
	}
	plain := strings.TrimLeft(bare, "-")
	switch {
	case strings.Contains(plain, "-"):
		return []string{plain, strings.ReplaceAll(plain, "-", "_")}
	case plain != bare:
		return []string{bare, `"` + plain + `"`, "'" + plain + "'"}
	}
	return []string{plain}
}

// isCode reports whether people write a file and it is neither prose nor a test.
func isCode(path string) bool { return isWritten(path) && !besideCode().MatchString(path) }

// isWritten is isCode with tests included.
func isWritten(path string) bool { return !isProse(path) && !diffterms.IsGenerated(path) }
