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

// expansion returns the degree of query expansion: the requested one, else the configured one, else usual. Questions
// also use synonyms, because those who ask do not know the words of those who wrote.
func (rd *Reader) expansion(f Filter, usual search.Expansion) (search.Expansion, error) {
	by := search.Expansion(cmp.Or(f.Expand, rd.ws.Policy().Config.Expand, string(usual)))
	if !slices.Contains(search.Expansions(), by) {
		return by, fmt.Errorf("%w: --expand %q is not known: write none, minimal (acronyms) or full (synonyms too)",
			messages.ErrUsage, f.Expand)
	}
	return by, nil
}

// thesaurus returns gitmem's list of acronyms and synonyms and the user's, which is Markdown like all memory, with
// items such as "- acronym: PR | pull request".
func (rd *Reader) thesaurus() search.Thesaurus {
	groups, _ := search.ReadGroups(templates.Synonyms(), false)
	own := userList(rd, store.SynonymsFile, "line", func(text string) ([]search.Group, []markdown.Skip) {
		return search.ReadGroups(text, true)
	})
	return search.Thesaurus{Groups: slices.Concat(groups, rd.aliases().Groups, own)}
}

// aliases returns the names that the user lists as synonyms.
func (rd *Reader) aliases() (t search.Thesaurus) {
	for _, names := range rd.names().Aliases {
		sides := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return len(index.QueryTerms(name)) < len(strings.Fields(name)) // "the database" is too general
		})
		if len(sides) > 1 {
			t.Groups = append(t.Groups, search.Group{Acronym: true, Sides: sides})
		}
	}
	return t
}
