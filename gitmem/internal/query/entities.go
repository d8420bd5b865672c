package query

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// Entities are the entities that the ideas of a project name. The JSON form is a public contract.
type Entities struct {
	Entities []EntityUse `json:"entities"` // by type, then by descending number of ideas
	Caveats  []string    `json:"caveats"`
}

// EntityUse is an entity and its use in ideas. The JSON form is a public contract.
type EntityUse struct {
	graph.Entity
	Aliases  []string `json:"aliases"` // other names in ideas
	Ideas    int      `json:"ideas"`   // number of ideas that name it
	Sessions int      `json:"sessions"`
	First    string   `json:"first"` // day of the oldest of these ideas
	Last     string   `json:"last"`
}

// Entities lists the entities in ideas of the session archive, for a project ("" for the current one, "all" for every
// one) and a type ("" for all).
func (rd *Reader) Entities(ctx context.Context, project, typ string) (Entities, error) {
	out := Entities{Entities: []EntityUse{}}
	if err := completeType(&typ); err != nil {
		return out, err
	}
	g, err := rd.Graph(ctx, project)
	if err != nil {
		return out, err
	}
	for e, uses := range rd.entitiesIn(g) {
		if typ == "" || e.Type == typ {
			out.Entities = append(out.Entities, rd.shownUse(e, uses))
		}
	}
	rank := func(e EntityUse) int { return slices.Index(graph.EntityTypes(), e.Type) }
	slices.SortFunc(out.Entities, func(a, b EntityUse) int {
		return cmp.Or(rank(a)-rank(b), b.Ideas-a.Ideas, cmp.Compare(a.Name, b.Name))
	})
	out.Caveats = messages.Filled(rd.ws.Caveats)
	return out, nil
}

// completeType expands a prefix of a type's name; "" is unchanged.
func completeType(typ *string) error {
	if *typ == "" {
		return nil
	}
	fit := slices.DeleteFunc(graph.EntityTypes(), func(name string) bool { return !strings.HasPrefix(name, *typ) })
	if len(fit) != 1 {
		return fmt.Errorf("%w: no type %q: it is one of %s", messages.ErrUsage, *typ, strings.Join(graph.EntityTypes(), ", "))
	}
	*typ = fit[0]
	return nil
}

// use is an idea that names an entity, and the name it uses.
type use struct {
	idea graph.Idea
	as   string
}

// entitiesIn returns the entities that the ideas of a graph name, with these ideas.
func (rd *Reader) entitiesIn(g *graph.Graph) map[graph.Entity][]use {
	found := map[graph.Entity][]use{}
	for _, i := range g.Ideas {
		if !isIdea(i.Intent) || graph.IsTask(i.ID) {
			continue
		}
		for _, m := range rd.mentions(i) {
			found[m.Entity] = append(found[m.Entity], use{i, m.As})
		}
	}
	return found
}

func (rd *Reader) shownUse(e graph.Entity, uses []use) EntityUse {
	out := EntityUse{Entity: graph.Entity{Type: e.Type, Name: rd.ws.Clean(e.Name)}, Ideas: len(uses), Aliases: []string{}}
	aliases, sessions := map[string]bool{}, map[string]bool{}
	for _, u := range uses {
		day := u.idea.Time.UTC().Format(time.DateOnly)
		out.First, out.Last = min(cmp.Or(out.First, day), day), max(out.Last, day)
		sessions[u.idea.Session] = true
		if e.Type != graph.TypeFile && u.as[0] != '#' && !graph.SameName(strings.TrimPrefix(u.as, "@"), e.Name) {
			aliases[strings.ToLower(u.as)] = true
		}
	}
	for _, as := range slices.Sorted(maps.Keys(aliases)) {
		out.Aliases = append(out.Aliases, rd.ws.Clean(as))
	}
	out.Sessions = len(sessions)
	return out
}

// mentions returns the entities that an idea names, without its own project, which carries no information.
func (rd *Reader) mentions(i graph.Idea) []graph.Mention {
	return slices.DeleteFunc(rd.names().Mentions(i.Text, i.Tags...), func(m graph.Mention) bool {
		return m.Type == graph.TypeProject &&
			(graph.SameName(m.Name, i.Project) || graph.SameName(m.Name, path.Base(i.Project)))
	})
}

// naming reports whether an idea names an entity of a type ("" for any), by any of its names.
func (rd *Reader) naming(name, typ string) func(i graph.Idea) bool {
	if of, rest := graph.CutType(name); of != "" {
		name, typ = rest, cmp.Or(typ, of)
	}
	if file, ok := lint.Path(strings.Trim(name, "`")); ok {
		name = file // without its line
	}
	meant := slices.DeleteFunc(rd.names().Mentions("- "+name), func(m graph.Mention) bool {
		return !graph.SameName(m.As, name)
	})
	return func(i graph.Idea) bool {
		return slices.ContainsFunc(rd.mentions(i), func(m graph.Mention) bool {
			return (typ == "" || m.Type == typ) && (graph.SameName(m.Name, name) ||
				slices.ContainsFunc(meant, func(o graph.Mention) bool { return o.Entity == m.Entity }))
		})
	}
}

// names returns the entities that the user lists, read once.
func (rd *Reader) names() *graph.Names {
	if rd.listed == nil {
		rd.listed = userList(rd, store.EntitiesFile, "name", graph.ReadNames)
	}
	return rd.listed
}

// userList reads a list that the user writes. Unreadable or invalid parts are reported.
func userList[T any](rd *Reader, rel, what string, read func(text string) (T, []markdown.Skip)) T {
	file := rd.ws.Path(rel)
	b, err := rd.ws.ReadOwn(file)
	if err != nil {
		rd.ws.Caveat("%s can't be read, and what it lists was not known: %v", file, err)
	}
	list, faults := read(string(rd.ws.WithoutConflicts(rel, b)))
	if len(faults) > 0 {
		rd.ws.Caveat("%s: %s left out; line %d: %s", file, messages.Plural(len(faults), what), faults[0].Line,
			rd.ws.Clean(faults[0].Reason))
	}
	return list
}
