package report

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Experts contains the people of an area. The JSON form is a public contract.
type Experts struct {
	Query string `json:"query"`
	// how the area was found: path, words, commits, or all for the whole tree
	By        string          `json:"by"`
	Area      []string        `json:"area"`       // its paths, at most 20
	Files     int             `json:"files"`      // number of its files, including past ones
	People    []answer.Person `json:"people"`     // best first
	Others    int             `json:"others"`     // number of people omitted by the limit
	Commits   int             `json:"commits"`    // by people
	Bots      int             `json:"bots"`       // commits by bots, not counted
	BusFactor int             `json:"bus_factor"` // smallest number of people with more than half of it
	Owners    []string        `json:"owners"`     // as named in CODEOWNERS
	Caveats   []string        `json:"caveats"`
}

// followTime limits the search for old names of a file.
const followTime = 400 * time.Millisecond

// Who ranks the people of a path, or of the subject of some words; "" and "." are the whole tree. An empty result is
// not an error. The error wraps [ErrNoRepository] outside a repository.
func (t *Team) Who(ctx context.Context, asked string, f query.Filter) (Experts, error) {
	return ingest.RetryDamaged(ctx, func(damaged *bool) (Experts, error) { return t.who(ctx, asked, f, damaged) })
}

func (t *Team) who(ctx context.Context, asked string, f query.Filter, damaged *bool) (Experts, error) {
	v, c, o, err := t.open(ctx, f, damaged)
	if err != nil {
		return Experts{}, err
	}
	defer v.Close()
	out := Experts{Query: asked, By: "all", Area: []string{}, People: []answer.Person{}, Owners: []string{}}
	e := ask.Engine{Evidence: v, Vocabulary: v, Now: t.ws.Now(), Clock: t.ws.Options.Now}
	var area ask.Area
	if clean := strings.TrimSpace(asked); clean != "" && clean != "." {
		q, err := t.reader.Query(ctx, f)
		if err != nil {
			return Experts{}, err
		}
		if area, err = e.FindArea(ctx, t.inTree(v.Place, clean), c, ask.Options{Query: q}); err != nil {
			return Experts{}, err
		}
		t.follow(ctx, v, clean, c, area)
		if out.By = area.By; out.By == "" {
			out.Caveats = messages.Filled(append(v.Lost(), t.ws.Caveats...))
			return out, nil
		}
	}
	o.Relevance = area.Relevance
	r, surviving := c.RankNow(ctx, area.Area, o)
	out.Caveats = append(out.Caveats, surviving.Caveats...)
	out.fill(c, area.Area, r, cmp.Or(max(f.Limit, 0), 10))
	out.Caveats = messages.Filled(append(append(out.Caveats, v.Lost()...), t.ws.Caveats...))
	return out, nil
}

// open updates the team's indexes and reads the contributions.
func (t *Team) open(ctx context.Context, f query.Filter,
	damaged *bool) (*query.View, *query.Contributions, team.Options, error) {
	p, err := t.ws.Place(ctx)
	if err != nil {
		return nil, nil, team.Options{}, err
	}
	if !p.InRepo {
		return nil, nil, team.Options{}, p.NoRepository(t.ws.Options.Dir)
	}
	if err := t.ws.CheckReach(ctx, p.DisplayName(), p.Project.ID); err != nil {
		return nil, nil, team.Options{}, err
	}
	r, err := t.reader.TimeRange(f)
	if err != nil {
		return nil, nil, team.Options{}, err
	}
	v, err := t.reader.Begin(ctx, nil)
	if err != nil {
		return nil, nil, team.Options{}, err
	}
	v.Damaged = damaged
	v.Shards = slices.DeleteFunc(v.Shards, func(s ingest.Shard) bool { return !ingest.OfTeam(s.Name) })
	if err := v.Refresh(ctx); err != nil {
		return nil, nil, team.Options{}, err
	}
	c, err := v.Contributions(ctx)
	if err != nil {
		v.Close()
		return nil, nil, team.Options{}, err
	}
	return v, c, team.Options{Since: r.Since, Until: r.Until}, nil
}

// inTree converts a path typed in a folder to a path relative to the tree, if it exists there.
func (t *Team) inTree(p *workspace.Place, typed string) string {
	if p.Loc.WorkTree != "" && !strings.ContainsAny(typed, " \t") {
		for _, rel := range t.paths(p, typed, "") {
			if _, err := os.Stat(filepath.Join(p.Loc.WorkTree, filepath.FromSlash(rel))); err == nil && rel != "" {
				return rel
			}
		}
	}
	return typed
}

// follow adds the earlier names of a single file to its area.
func (t *Team) follow(ctx context.Context, v *query.View, typed string, c *query.Contributions, area ask.Area) {
	name := path.Clean(t.inTree(v.Place, typed))
	repo, err := t.ws.Repository(v.Place)
	if _, known := c.PathNumber(name); !known || err != nil || repo == nil {
		return
	}
	ctx, stop := deadline.After(ctx, t.ws.Options.Now, followTime)
	defer stop()
	head, err := repo.Head()
	if err != nil {
		return
	}
	for change, err := range repo.FollowPath(ctx, head.Hash, name, false) {
		if err != nil {
			break // a deleted file has no other names, and a timeout adds none
		}
		for _, p := range []string{change.Path, change.From} {
			if n, ok := c.PathNumber(t.ws.CleanPaths([]string{p})[0]); ok && p != "" {
				area.Area[n] = 1
			}
		}
	}
}

// fill copies a ranking to the result.
func (out *Experts) fill(c *query.Contributions, area team.Area, r team.Ranking, limit int) {
	out.People = ask.People(r.People, limit, c.ID)
	out.Others = max(0, len(r.People)-limit)
	out.Commits, out.Bots, out.BusFactor = r.Commits, r.Bots, r.BusFactor
	out.Caveats = append(out.Caveats, ask.UnknownLines(r.Unknown, r.Commits)...)
	const shown = 20
	for i, p := range c.Paths() {
		if area == nil || area[i] == 0 {
			continue
		}
		if out.Files++; len(out.Area) < shown {
			out.Area = append(out.Area, p)
		}
	}
	out.Owners = messages.Filled(c.OwnersOf(area, 0))
	slices.Sort(out.Area)
}
