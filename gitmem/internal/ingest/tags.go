package ingest

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers/git"
)

// ReleaseTags returns the tags of the current repository, which are read once.
func (src *Sources) ReleaseTags() []git.Tag {
	if src.tagsRead {
		return src.tags
	}
	src.tagsRead = true
	p, err := src.ws.Place(context.Background()) // already known, so there is no wait
	if err != nil {
		return nil
	}
	repo, err := src.ws.Repository(p)
	if err != nil || repo == nil {
		return nil
	}
	if src.tags, err = repo.Tags(); err != nil {
		src.ws.Caveat("The tags of the repository could not be read: %v", src.ws.Clean(plain.Text(err)))
	}
	return src.tags
}

// FindTag finds a tag of the current repository by its name, ignoring case, or by its version, optionally preceded by
// its package, as in "cli 1.4". If several packages have that version, it returns the one that about names, otherwise
// that of the whole project, of the package with the project's name, or the only one.
func (src *Sources) FindTag(name, about string) (git.Tag, bool) {
	tags := src.ReleaseTags()
	if i := slices.IndexFunc(tags, func(t git.Tag) bool { return strings.EqualFold(t.Name, name) }); i >= 0 {
		return tags[i], true
	}
	project := src.projectNames()
	is := func(t git.Tag, word string) bool {
		return strings.EqualFold(t.Version.Name(), word) || strings.EqualFold(t.Version.Package(), word) ||
			t.Version.Line == "" && slices.Contains(project, strings.ToLower(word))
	}
	of, version, given := strings.Cut(name, " ")
	if !given {
		of, version = "", name
	}
	v, _ := git.ParseVersion(strings.ToLower(version))
	tags = slice.Filter(withVersion(tags, v), func(t git.Tag) bool {
		return (v.Line == "" || strings.EqualFold(t.Version.Line, v.Line)) && (!given || is(t, of))
	})
	words := aboutWords(about)
	for _, wanted := range [...]func(git.Tag) bool{
		func(t git.Tag) bool { return v.Line != "" || slices.Contains(words, strings.ToLower(t.Version.Name())) },
		func(t git.Tag) bool {
			return slices.ContainsFunc(words, func(w string) bool {
				return is(t, w) || strings.HasSuffix(t.Version.Package(), "-"+w)
			})
		},
		func(t git.Tag) bool { return t.Version.Line == "" },
		func(t git.Tag) bool { return slices.Contains(project, t.Version.Package()) },
		func(git.Tag) bool { return len(tags) == 1 },
	} {
		if i := slices.IndexFunc(tags, wanted); i >= 0 {
			return tags[i], true
		}
	}
	return git.Tag{}, false
}

// withVersion returns the tags with the numbers of a version, of any line.
func withVersion(tags []git.Tag, v git.Version) []git.Tag {
	return slice.Filter(tags, func(t git.Tag) bool {
		same := t.Version
		same.Line = v.Line
		return len(v.Numbers) > 0 && len(same.Numbers) > 0 && same.Compare(v) == 0
	})
}

// aboutWords returns the words of a text that may name a package.
func aboutWords(text string) []string {
	words := strings.Fields(strings.ToLower(text))
	for i, w := range words {
		words[i] = strings.TrimSuffix(strings.Trim(w, "?!.,;:()\"'`"), "'s")
	}
	return words
}

// NamedPackage returns a tag of the package that a text names, and that name as in its tags. For the whole project it
// returns the project's name without a tag, and for no package the zero tag and "".
func (src *Sources) NamedPackage(text string) (git.Tag, string) {
	words, project := aboutWords(text), src.projectNames()
	whole := ""
	for _, t := range src.ReleaseTags() {
		switch name := strings.ToLower(t.Version.Name()); {
		case name != "" && slices.Contains(words, name):
			return t, name
		case name == "" && len(t.Version.Numbers) > 0:
			if i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(project, w) }); i >= 0 {
				whole = words[i]
			}
		}
	}
	return git.Tag{}, whole
}

// projectNames returns the last parts of the current project's id and of its folder.
func (src *Sources) projectNames() []string {
	p, err := src.ws.Place(context.Background()) // already known, so there is no wait
	if err != nil {
		return nil
	}
	return []string{strings.ToLower(path.Base(p.Project.ID)), strings.ToLower(filepath.Base(p.Folder))}
}

// noteTag returns the tag of the release whose notes are in a changelog: of the package in whose folder the changelog
// is, or of the whole project for a changelog in the root or a folder directly below.
func noteTag(tags []git.Tag, version, file string) (git.Tag, bool) {
	v, _ := git.ParseVersion(version)
	owner := git.PackageOf(file, git.Packages(tags))
	tags = withVersion(tags, v)
	i := slices.IndexFunc(tags, func(t git.Tag) bool { return t.Version.Package() == owner })
	if i < 0 || owner == "" && strings.Count(file, "/") > 1 {
		return git.Tag{}, false
	}
	return tags[i], true
}
