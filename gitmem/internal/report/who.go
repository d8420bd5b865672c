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

// Experts are the people of an area. The JSON form is a public contract.
type Experts struct {
	Query string `json:"query"`
	// what the area was found by: path, words, commits, or all for the whole tree
	By        string          `json:"by"`
	Area      []string        `json:"area"`       // its paths, 20 at most
	Files     int             `json:"files"`      // how many it has, those of the past among them
	People    []answer.Person `json:"people"`     // best first
	Others    int             `json:"others"`     // people that the limit left out
	Commits   int             `json:"commits"`    // by people
	Bots      int             `json:"bots"`       // commits by bots, left out
	BusFactor int             `json:"bus_factor"` // least number of people who hold more than half of it
	Owners    []string        `json:"owners"`     // as CODEOWNERS names them
	Caveats   []string        `json:"caveats"`
}

// followTime is how long old names of a file are looked for.
const followTime = 400 * time.Millisecond

// Who ranks the people of a path, or of what some words are about; "" and "." are the
// whole tree. Nobody found is no error. It wraps [ErrNoRepository] outside a repository.
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

// open brings the team's indexes up to date and reads who did what.
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

// inTree makes a path that somebody typed in a folder one of the tree, where it leads
// to something there.
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

// follow adds to the area of one file what it was called before.
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
			break // a file that is gone has no names but this one, and what took too long adds none
		}
		for _, p := range []string{change.Path, change.From} {
			if n, ok := c.PathNumber(t.ws.CleanPaths([]string{p})[0]); ok && p != "" {
				area.Area[n] = 1
			}
		}
	}
}

// fill writes a ranking.
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
