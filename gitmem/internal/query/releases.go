package query

import (
	"context"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/providers/git"
)

// ReferenceTime finds the time of a tag of the current repository, by its name or by its
// version: "1.4" is v1.4.0 or release-1.4 where there is no tag of this very name. It
// is the committer's time of the commit. What is in v1.4.0 came after v1.3.0, and in
// v1.4.1 after v1.4.0. A repository that can't be read has none,
// which is reported where the history is searched.
func (rd *Reader) ReferenceTime(name string) (search.ReferenceTime, bool) {
	tag, ok := ingest.FindTag(rd.src.ReleaseTags(), name)
	if name == search.Latest {
		if all := rd.releases(); len(all) > 0 {
			tag, ok = all[len(all)-1], true
		}
	}
	if !ok {
		return search.ReferenceTime{}, false
	}
	at := search.ReferenceTime{At: tag.When}
	for _, t := range rd.src.ReleaseTags() {
		older := t.Version.Line == tag.Version.Line && len(t.Version.Numbers) > 0 && t.Version.Compare(tag.Version) < 0
		if older && (t.Version.Released() || !tag.Version.Released()) && t.When.Before(tag.When) && t.When.After(at.Before) && (patches(tag.Version) || !patches(t.Version)) {
			at.Before = t.When
		}
	}
	return at, true
}

// patches reports whether a version corrects another one: 1.2.1 and not 1.2.0.
func patches(v git.Version) bool { return len(v.Numbers) > 2 && v.Numbers[2] > 0 }

// Released names the releases of the current repository in a time, the oldest first.
func (rd *Reader) Released(r search.Range) (names []string) {
	for _, t := range rd.releases() {
		if r.Contains(t.When) {
			names = append(names, rd.ws.Clean(t.Name))
		}
	}
	return names
}

// releases are those of the current repository, the oldest first, without the versions
// before them, and of the main line alone where it has any.
func (rd *Reader) releases() []git.Tag {
	all := slices.DeleteFunc(slices.Clone(rd.src.ReleaseTags()), func(t git.Tag) bool { return !t.Version.Released() })
	sideLine := func(t git.Tag) bool { return t.Version.Line != "" }
	if slices.ContainsFunc(all, func(t git.Tag) bool { return !sideLine(t) }) {
		all = slices.DeleteFunc(all, sideLine)
	}
	slices.SortStableFunc(all, func(a, b git.Tag) int { return a.When.Compare(b.When) })
	return all
}

// FirstIn names the first release that holds each of some commits, "" where none does
// yet: nil where no release is known, or what is asked about is the past.
func (rd *Reader) FirstIn(ctx context.Context, hashes []string) map[string]string {
	if !rd.ws.Present() || len(rd.releases()) == 0 {
		return nil
	}
	p, err := rd.ws.Place(ctx)
	if err != nil {
		return nil
	}
	repo, err := rd.ws.Repository(p)
	if err != nil || repo == nil {
		return nil
	}
	names, err := repo.Releases(ctx, "", hashes...)
	if err != nil {
		rd.ws.Caveat("Which releases hold the commits could not be read: %v", rd.ws.Clean(plain.Text(err)))
		return nil
	}
	for hash := range names {
		names[hash] = rd.ws.Clean(names[hash])
	}
	return names
}
