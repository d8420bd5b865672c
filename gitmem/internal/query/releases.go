package query

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// ReferenceTime returns the time of a tag of the current repository, found by name or by version: "1.4" is v1.4.0 or
// release-1.4 if no tag has exactly this name. With several packages it is the tag of the package that about names. The
// time is the committer time of the commit. The content of v1.4.0 comes after v1.3.9, the previous version. An
// unreadable repository has no tags, which is reported where the history is searched.
func (rd *Reader) ReferenceTime(name, about string) (search.ReferenceTime, bool) {
	tag, ok := rd.src.FindTag(name, about)
	if name == search.Latest {
		of, _ := rd.src.NamedPackage(about)
		if all := rd.releases(of.Version.Package()); len(all) > 0 {
			tag, ok = all[len(all)-1], true
		}
	}
	if !ok {
		return search.ReferenceTime{}, false
	}
	at, before := search.ReferenceTime{At: tag.When, Commit: tag.Hash, Package: rd.folderOf(tag)}, git.Tag{}
	for _, t := range rd.src.ReleaseTags() {
		v := t.Version
		older := v.Line == tag.Version.Line && len(v.Numbers) > 0 && v.Compare(tag.Version) < 0 && !t.When.After(tag.When)
		counts := v.Released() || !tag.Version.Released()
		if older && counts && (before.Name == "" || v.Compare(before.Version) > 0) {
			before = t
		}
	}
	at.Before, at.Previous = before.When, before.Hash
	return at, true
}

// Package returns the package that a text names, as the name of its folder and its name in the text; the whole
// repository has no folder and the name of the project.
func (rd *Reader) Package(text string) (folder, name string) {
	tag, name := rd.src.NamedPackage(text)
	return rd.folderOf(tag), name
}

// folderOf returns the name of the folder of a tag's package, "" if its commit has no folder of that name.
func (rd *Reader) folderOf(tag git.Tag) string {
	name := tag.Version.Package()
	repo := rd.repository(context.Background()) // already open
	if name == "" || repo == nil {
		return ""
	}
	packages := map[string]bool{name: true}
	files, err := repo.List(tag.Hash, "")
	inIt := func(f git.Entry) bool { return git.PackageOf(f.Path, packages) != "" }
	if err != nil || !slices.ContainsFunc(files, inIt) {
		return ""
	}
	return name
}

// Released returns the names of the releases of the current repository in a range, oldest first.
func (rd *Reader) Released(ctx context.Context, r search.Range) (names []string) {
	in := search.Query{Range: r, History: rd.history(ctx, r)}
	for _, t := range rd.releases(r.Package) {
		if in.InRange(ingest.CommitPrefix+t.Hash, "", t.When) {
			names = append(names, rd.ws.Clean(t.Name))
		}
	}
	return names
}

// releases returns the releases of a package of the current repository, oldest first, without pre-releases; for an
// empty name those of the whole repository, or of all packages if there are no others.
func (rd *Reader) releases(of string) []git.Tag {
	all := slices.DeleteFunc(slices.Clone(rd.src.ReleaseTags()), func(t git.Tag) bool { return !t.Version.Released() })
	other := func(t git.Tag) bool { return t.Version.Package() != of }
	if slices.ContainsFunc(all, func(t git.Tag) bool { return !other(t) }) {
		all = slices.DeleteFunc(all, other)
	}
	slices.SortStableFunc(all, func(a, b git.Tag) int { return a.When.Compare(b.When) })
	return all
}

// history returns the commits of some ranges, which are read once; nil if no range is bounded by a release. A range
// whose commits can't be read, which is reported elsewhere, has no entry.
func (rd *Reader) history(ctx context.Context, ranges ...search.Range) *search.History {
	bounded := false
	for _, r := range ranges {
		if r.From == "" && r.To == "" {
			continue
		}
		ends := [2]string{r.From, r.To}
		if _, read := rd.ranges[ends]; !read {
			rd.ranges[ends] = rd.between(ctx, r)
		}
		bounded = true
	}
	if !bounded {
		return nil
	}
	// A late search still reads it.
	h := &search.History{Commits: maps.Clone(rd.ranges), Tags: map[string]string{}}
	for _, t := range rd.src.ReleaseTags() {
		h.Tags[t.Name] = t.Hash
	}
	return h
}

// HeldIn reports whether the release at the end of a range contains a commit, or the content of a release's notes;
// known is false if that can't be determined.
func (rd *Reader) HeldIn(ctx context.Context, in search.Range, id, release string) (held, known bool) {
	whole := search.Range{To: in.To}
	return rd.history(ctx, whole).Holds(whole, id, release)
}

// mostOffBranch is the maximum number of commits outside the indexed history that are read for one range.
const mostOffBranch = 500

// OffBranch returns the commits of a range that the index lacks, such as those of an abandoned release branch: of the
// range's package, newest first.
func (v *View) OffBranch(ctx context.Context, r search.Range) (hits []search.Hit) {
	repo := v.Reader.repository(ctx)
	indexed := v.indexedHistory()
	if repo == nil || indexed == nil || r.To == "" || indexed.Has(r.To) {
		return nil
	}
	packages := git.Packages(v.Reader.src.ReleaseTags())
	of := func(ch git.Change) bool { return r.Package == "" || git.PackageOf(ch.Path, packages) == r.Package }
	for hash := range v.Reader.history(ctx, r).Commits[[2]string{r.From, r.To}] {
		if len(hits) == mostOffBranch || indexed.Has(hash) {
			continue
		}
		c, err := repo.Commit(hash)
		if err != nil || len(c.Parents) > 1 || !slices.ContainsFunc(c.Changes, of) {
			continue
		}
		paths := slice.Map(c.Changes, func(ch git.Change) string { return ch.Path })
		hits = append(hits, search.Hit{Doc: index.Row{
			ID: ingest.CommitPrefix + hash, Layer: cite.LayerTeam, Role: "commit",
			Type:   providers.InferType(c.Subject, c.Body, paths),
			Author: v.Reader.ws.Clean(c.Author.Name + " <" + c.Author.Email + ">"),
			Time:   c.Author.When.UTC(), Paths: v.Reader.ws.CleanPaths(paths),
		}})
	}
	slices.SortFunc(hits, func(a, b search.Hit) int {
		return cmp.Or(b.Doc.Time.Compare(a.Doc.Time), cmp.Compare(a.Doc.ID, b.Doc.ID))
	})
	return hits
}

// between returns the commits of a range, nil if they can't be read.
func (rd *Reader) between(ctx context.Context, r search.Range) map[string]bool {
	repo := rd.repository(ctx)
	if repo == nil {
		return nil
	}
	tip, o := r.To, git.WalkOptions{}
	if tip == "" {
		head, err := repo.Head()
		if err != nil {
			return nil
		}
		tip = head.Hash
	}
	if r.From != "" {
		o.Not = []string{r.From}
	}
	commits := map[string]bool{}
	for c, err := range repo.Walk(ctx, []string{tip}, o) {
		if err != nil {
			rd.ws.Caveat("Which commits belong to the releases could not be read: %v", rd.ws.Clean(plain.Text(err)))
			return nil
		}
		commits[c.Hash] = true
	}
	return commits
}

// repository returns the current repository, nil if there is none; failures to open it are reported elsewhere.
func (rd *Reader) repository(ctx context.Context) *git.Repository {
	p, err := rd.ws.Place(ctx)
	if err != nil {
		return nil
	}
	repo, err := rd.ws.Repository(p)
	if err != nil {
		return nil
	}
	return repo
}

// FirstIn returns for each commit the name of the first release that contains it, of package of if not empty, "" if
// there is none yet. It returns nil if there are no releases, or in a past state.
func (rd *Reader) FirstIn(ctx context.Context, of string, hashes []string) map[string]string {
	repo := rd.repository(ctx)
	if !rd.ws.Present() || repo == nil || len(rd.releases("")) == 0 {
		return nil
	}
	names, err := repo.Releases(ctx, of, hashes...)
	if err != nil {
		rd.ws.Caveat("Which releases hold the commits could not be read: %v", rd.ws.Clean(plain.Text(err)))
		return nil
	}
	for hash := range names {
		names[hash] = rd.ws.Clean(names[hash])
	}
	return names
}
