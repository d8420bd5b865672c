package query

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/templates"
)

// synonymsFile is the user's own list of acronyms and synonyms, Markdown like all
// memory: items as "- acronym: PR | pull request".
func (rd *Reader) synonymsFile() string { return filepath.Join(rd.ws.Root, "gitmem", "synonyms.md") }

// expansion is how far a search is expanded: as asked for, else as configured, or else
// as usual. A question is looked for by synonyms too: people who ask don't know what words
// those used who wrote.
func (rd *Reader) expansion(f Filter, usual search.Expansion) (search.Expansion, error) {
	by := search.Expansion(cmp.Or(f.Expand, rd.ws.Policy().Config.Expand, string(usual)))
	if !slices.Contains(search.Expansions(), by) {
		return by, fmt.Errorf("%w: --expand %q is not known: write none, minimal (acronyms) or full (synonyms too)", messages.ErrUsage, f.Expand)
	}
	return by, nil
}

// thesaurus is gitmem's list of acronyms and synonyms and the user's. Lines of the
// latter that can't be used are counted and reported.
func (rd *Reader) thesaurus() search.Thesaurus {
	groups, _ := search.ReadGroups(templates.Synonyms(), false)
	b, err := rd.ws.ReadOwn(rd.synonymsFile())
	if err != nil {
		rd.ws.Caveat("%s can't be read, and its synonyms were not looked for: %v", rd.synonymsFile(), err)
	}
	groups = append(groups, rd.aliases().Groups...)
	own, faults := search.ReadGroups(string(b), true)
	for _, g := range own {
		if fault := g.Fault(); fault != "" {
			faults = append(faults, search.Fault{Line: g.Line, Text: fault})
			continue
		}
		groups = append(groups, g)
	}
	if len(faults) > 0 {
		first := slices.MinFunc(faults, func(a, b search.Fault) int { return cmp.Compare(a.Line, b.Line) })
		rd.ws.Caveat("%s: %d lines can't be used for searches; line %d: %s", rd.synonymsFile(), len(faults), first.Line, rd.ws.Clean(first.Text))
	}
	return search.Thesaurus{Groups: groups}
}

// aliases are the names that the user lists as words of the same meaning.
func (rd *Reader) aliases() (t search.Thesaurus) {
	for _, names := range rd.names().Aliases {
		sides := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return len(index.QueryTerms(name)) < len(strings.Fields(name)) // "the database" may be any
		})
		if len(sides) > 1 {
			t.Groups = append(t.Groups, search.Group{Acronym: true, Sides: sides})
		}
	}
	return t
}
