package gitmem

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/providers/git"
)

// What is read at most of a change to tell whether a name stands on behind it.
const (
	leftFiles = 40
	leftBytes = 512 << 10
	leftTime  = 40 * time.Millisecond
)

// left counts how often a name stands in the files that a commit changed, before it and
// after: in their paths and, but for documents and tests, in their text. What is cut
// short can't be told.
func (v *view) left(ctx context.Context, id, name string) (before, after int, ok bool) {
	hash, isCommit := strings.CutPrefix(id, string(cite.KindCommit)+":")
	repo, err := v.m.repository(v.place)
	if !isCommit || err != nil || repo == nil || v.m.past != nil {
		return 0, 0, false
	}
	src, err := v.resolve(id)
	if err != nil || len(src.Paths) == 0 || len(src.Paths) > leftFiles {
		return 0, 0, false
	}
	ctx, stop := deadline.After(ctx, v.m.o.Now, leftTime)
	defer stop()
	for _, file := range src.Paths {
		if ctx.Err() != nil {
			return 0, 0, false
		}
		before += standsIn(repo, hash+"^", file, name)
		after += standsIn(repo, hash, file, name)
	}
	return before, after, true
}

// standsIn counts how often a name stands in a file of a revision, 0 where there is none.
func standsIn(repo *git.Repository, rev, file, name string) int {
	entry, err := repo.Follow(rev, file)
	if err != nil {
		return 0
	}
	n := 0
	if inPath(file, name) {
		n = 1
	}
	if besideCode(file) {
		return n
	}
	if text, err := repo.Content(entry); err == nil && len(text) <= leftBytes {
		n += countWord(string(text), name)
	}
	return n
}

// inPath tells whether a name is a path, the end of one, or a part of it with or without
// what stands behind its dot.
func inPath(file, name string) bool {
	name = strings.Trim(name, "/")
	if strings.HasSuffix("/"+file, "/"+name) || strings.HasPrefix(file, name+"/") {
		return true
	}
	for part := range strings.SplitSeq(file, "/") {
		if strings.TrimSuffix(part, path.Ext(part)) == name {
			return true
		}
	}
	return false
}

// besideCode tells documents and tests, which speak of what is gone too.
func besideCode(file string) bool {
	lower := strings.ToLower(file)
	switch path.Ext(lower) {
	case ".md", ".rst", ".txt", ".adoc", ".html", ".sum", ".lock", ".po":
		return true
	}
	return strings.Contains(lower, "test") || strings.Contains(lower, "changelog") || strings.Contains(lower, "changes") || strings.HasPrefix(lower, "doc")
}

// countWord counts a name in a text as a word of its own: as it is written where it has
// capitals, and of a qualified name its last part.
func countWord(text, name string) (n int) {
	if file := path.Ext(name); file == "" || strings.Contains(name, "/") {
		name = strings.Trim(name, "-")
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 && !strings.Contains(name, "/") && i+1 < len(name) {
		name = name[i+1:]
	}
	if lower := strings.ToLower(name); lower == name {
		text = strings.ToLower(text)
	}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return n
		}
		from, to := at+i, at+i+len(name)
		if (from == 0 || !wordByte(text[from-1])) && (to == len(text) || !wordByte(text[to])) {
			n++
		}
		at = to
	}
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
