package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// expansion is how far a search is expanded: as asked for, else as configured, or else
// as usual. A question is looked for by synonyms too: people who ask don't know what words
// those used who wrote.
func (rd *Reader) expansion(f Filter, usual search.Expansion) (search.Expansion, error) {
	by := search.Expansion(cmp.Or(f.Expand, rd.ws.Policy().Config.Expand, string(usual)))
	if !slices.Contains(search.Expansions(), by) {
		return by, fmt.Errorf("%w: --expand %q is not known: write none, minimal (acronyms) or full (synonyms too)",
			messages.ErrUsage, f.Expand)
	}
	return by, nil
}

// thesaurus is gitmem's list of acronyms and synonyms and the user's, which is Markdown like all
// memory: items as "- acronym: PR | pull request".
func (rd *Reader) thesaurus() search.Thesaurus {
	groups, _ := search.ReadGroups(templates.Synonyms(), false)
	own := userList(rd, store.SynonymsFile, "line", func(text string) ([]search.Group, []markdown.Skip) {
		return search.ReadGroups(text, true)
	})
	return search.Thesaurus{Groups: slices.Concat(groups, rd.aliases().Groups, own)}
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
