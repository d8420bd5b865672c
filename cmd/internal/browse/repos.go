package browse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/slice"
)

// SourceView is a source on a page: a commit, a blamed line, a document, or another citation.
type SourceView struct {
	ID, Title, Type, Author, Time, Text, Status, State, Release, RevertedBy, Page, URL, Path, Caveat string

	Markdown bool       // the text is a document's
	LeftOut  int32      // lines of patches
	Links    []LinkView // to other sources
	Changes  []ChangeView
	Later    []LinkView
	Lines    []LineView  // lines around a blamed one
	Commit   *SourceView // of a blamed line
}

// LinkView is a link to a source.
type LinkView struct{ Rel, ID, Title, Day, URL string }

// ChangeView is the change of a commit to a file.
type ChangeView struct {
	Path, Status   string
	Added, Removed int32
	Redacted       bool
	Lines          []LineView
}

// LineView is a line of a file or of a patch: Kind is added, removed, place, asked or "".
type LineView struct {
	Number int32
	Kind   string
	Text   string
}

const (
	mostLines  = 3000 // of patches per page
	mostLinked = 12   // linked sources whose titles are looked up
)

// source returns the source with a citation id, and its status.
func (s *site) source(ctx context.Context, id string) (SourceView, error) {
	o := gitmem.ShowOptions{Files: true, Lines: mostLines, Later: true, FollowUps: true}
	sh, err := s.m.Shown(ctx, id, o)
	if err != nil {
		return SourceView{}, outside(err)
	}
	v := SourceView{
		ID: sh.ID, Title: sh.Title, Type: sh.Type, Author: sh.Author, Time: strings.Replace(sh.Time, "T", " ", 1),
		Text: sh.Text, Status: string(sh.Status), State: sh.State, Release: sh.Release,
		RevertedBy: sh.RevertedBy, URL: sh.URL, Path: sh.Path, Caveat: sh.Caveat, LeftOut: int32(sh.LeftOut),
		Markdown: strings.HasPrefix(sh.ID, "docs:"), Changes: changesOf(sh.Changes),
	}
	if strings.HasPrefix(sh.BrowseURL, "/") && !strings.HasPrefix(sh.BrowseURL, "/repos") {
		v.Page = sh.BrowseURL
	}
	for n, l := range sh.Links {
		link := LinkView{Rel: l.Rel, ID: l.ID}
		if n < mostLinked { // for further links only the id is shown
			if to, err := s.m.Shown(ctx, l.ID, gitmem.ShowOptions{}); err == nil {
				link.Title, link.URL = to.Title, to.URL
			}
		}
		v.Links = append(v.Links, link)
	}
	for _, c := range sh.FollowUps {
		on, _, _ := strings.Cut(c.Time, "T")
		v.Later = append(v.Later, LinkView{ID: c.ID, Title: c.Title, Day: on})
	}
	return v, nil
}

func changesOf(list []gitmem.FileChange) []ChangeView {
	return slice.Map(list, func(c gitmem.FileChange) ChangeView {
		return ChangeView{c.Path, c.Status, int32(c.Added), int32(c.Removed), c.Redacted, patchLines(c.Patch)}
	})
}

func patchLines(patch string) (list []LineView) {
	inside := false // inside a hunk: the lines above it name the files
	for text := range strings.Lines(patch) {
		kind := ""
		switch {
		case strings.HasPrefix(text, "@@"):
			kind, inside = "place", true
		case !inside:
		case strings.HasPrefix(text, "+"):
			kind = "added"
		case strings.HasPrefix(text, "-"):
			kind = "removed"
		}
		list = append(list, LineView{Kind: kind, Text: strings.TrimRight(text, "\r\n")})
	}
	return list
}

// blamed returns lines of a file at a commit, with the lines around them, and the commit.
func (s *site) blamed(ctx context.Context, commit, file, lines string) (SourceView, error) {
	v, err := s.source(ctx, fmt.Sprintf("git:blame:%s:%s@%s", file, lines, commit))
	if err != nil {
		return v, err
	}
	whole, err := s.source(ctx, "git:commit:"+commit)
	if err != nil {
		return v, err
	}
	v.Commit = &whole
	first, last, _ := strings.Cut(lines, "-")
	from, _ := strconv.Atoi(first) // valid, because the source was found
	to, _ := strconv.Atoi(cmp.Or(last, first))
	const around = 5
	number, text := from, v.Text
	for end := to + around; end >= to; end-- { // the file may be shorter
		first := max(1, from-around)
		id := fmt.Sprintf("git:blame:%s:%d-%d@%s", file, first, end, commit)
		if near, err := s.m.Shown(ctx, id, gitmem.ShowOptions{}); err == nil {
			number, text = first, near.Text
			break
		}
	}
	for line := range strings.Lines(text) {
		kind := ""
		if number >= from && number <= to {
			kind = "asked"
		}
		v.Lines = append(v.Lines, LineView{int32(number), kind, strings.TrimRight(line, "\r\n")})
		number++
	}
	return v, nil
}

// repoPage returns the page of a commit, of lines that it wrote, or of a document.
func (s *site) repoPage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	var v SourceView
	var err error
	commit, file := q.Get("commit"), q.Get("file")
	switch {
	case commit != "" && file != "" && q.Get("lines") != "":
		v, err = s.blamed(ctx, commit, file, q.Get("lines"))
	case commit != "":
		v, err = s.source(ctx, "git:commit:"+commit)
	case file != "":
		if v, err = s.source(ctx, "docs:"+file); errors.Is(err, gitmem.ErrNotFound) {
			advice := "the page /people?path=" + url.QueryEscape(file) + " tells who knows a file"
			err = refusal(err, file+" is no document at the current commit", advice)
		}
	default:
		const advice = "write /repos?commit=<sha> or /repos?file=<path>"
		err = refusal(gitmem.ErrUsage, "no commit and no file is named", advice)
	}
	return page{cmp.Or(v.Title, v.ID), "source", v}, err
}

// sourcePage returns the page of any citation.
func (s *site) sourcePage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	v, err := s.source(ctx, q.Get("id"))
	return page{cmp.Or(v.Title, v.ID), "source", v}, err
}
