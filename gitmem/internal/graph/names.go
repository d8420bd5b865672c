package graph

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// A longer name or alias is a sentence.
const maxName, maxWords = 100, 5 // bytes and words

// quoted is the maximum length of a quoted line in a message, in characters.
const quoted = 40

// Names finds the entities that a text names: those that a person lists with their aliases, and those known by their
// form or a usual name.
type Names struct {
	Aliases  [][]string        // of each listed entity: its name and its aliases
	listed   map[string]Entity // by names and aliases
	met      map[string]Entity // unlisted entities, by type and name
	notNames map[string]bool   // see notName
	once     sync.Once
}

// ReadNames parses the list of entities, one per item:
//
//   - tech/PostgreSQL: pg, postgres, the database
//
// Other lines are prose. Invalid items are skipped and returned as faults, and so is an alias of two entities, which
// stays with the first.
func ReadNames(src string) (n *Names, faults []markdown.Skip) {
	n = &Names{listed: map[string]Entity{}, met: map[string]Entity{}}
	for line := range markdown.ProseLines(strings.TrimPrefix(src, "\ufeff")) {
		if line.Kind != markdown.LineItem {
			continue
		}
		for _, reason := range n.list(line.Words) {
			faults = append(faults, markdown.Skip{Line: line.Number, Reason: reason})
		}
	}
	return n, faults
}

// notName reports whether a word in a use is not a name, see [templates.NotNames].
func (n *Names) notName(use string) bool {
	n.once.Do(func() { n.notNames = templates.NotNames() })
	return n.notNames[use]
}

// list adds the names of an item and returns its errors.
func (n *Names) list(item string) (reasons []string) {
	head, aliases, _ := strings.Cut(item+" ", ": ")
	typ, name := CutType(strings.Trim(head, "`*#[]: "))
	if typ == "" {
		return []string{fmt.Sprintf("%q begins with no type: write tech/, project/, concept/, person/ or file/ and a name",
			messages.PlainLine(head, quoted))}
	}
	e, group := Entity{typ, name}, []string{name}
	if reason := n.add(name, &e); reason != "" {
		return []string{reason}
	}
	for as := range strings.SplitSeq(aliases, ",") {
		as = strings.Trim(as, " \t`*")
		if reason := n.add(as, &e); reason != "" {
			reasons = append(reasons, reason)
		} else if as != "" {
			group = append(group, as)
		}
	}
	n.Aliases = append(n.Aliases, group)
	return reasons
}

// add adds a name of an entity. If the name is already listed for the entity, e becomes the listed one. It returns the
// reason if the name cannot be added.
func (n *Names) add(as string, e *Entity) (reason string) {
	old, taken := n.listed[fold(as)]
	switch {
	case as == "": // nothing between two commas
		return ""
	case fold(as) == "" || strings.ContainsFunc(as, unicode.IsControl):
		return fmt.Sprintf("%q is no name", messages.PlainLine(as, quoted))
	case len(as) > maxName || len(strings.Fields(as)) > maxWords:
		return fmt.Sprintf("%q is no name: it has more than %d words or %d bytes", messages.PlainLine(as, quoted),
			maxWords, maxName)
	case taken && (old.Type != e.Type || fold(old.Name) != fold(e.Name)):
		return fmt.Sprintf("%q is %s/%s already", as, old.Type, old.Name)
	case taken:
		*e = old
	}
	n.listed[fold(as)] = *e
	return ""
}
