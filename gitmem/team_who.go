package gitmem

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// Experts are the people of an area. The JSON form is a public contract.
type Experts struct {
	Query     string   `json:"query"`
	By        string   `json:"by"`         // what the area was found by: path, words, commits, or all for the whole tree
	Area      []string `json:"area"`       // its paths, 20 at most
	Files     int      `json:"files"`      // how many it has, those of the past among them
	People    []Person `json:"people"`     // best first
	Others    int      `json:"others"`     // people that the limit left out
	Commits   int      `json:"commits"`    // by people
	Bots      int      `json:"bots"`       // commits by bots, left out
	BusFactor int      `json:"bus_factor"` // least number of people who hold more than half of it
	Owners    []string `json:"owners"`     // as CODEOWNERS names them
	Caveats   []string `json:"caveats"`
}

// followTime is how long old names of a file are looked for.
const followTime = 400 * time.Millisecond

// Who ranks the people of a path, or of what some words are about; "" and "." are the
// whole tree. Nobody found is no error. It wraps [ErrNoRepository] outside a repository.
func (t *Team) Who(ctx context.Context, query string, f Filter) (Experts, error) {
	return mending(ctx, func(damaged *bool) (Experts, error) { return t.who(ctx, query, f, damaged) })
}

func (t *Team) who(ctx context.Context, query string, f Filter, damaged *bool) (Experts, error) {
	v, c, o, err := t.open(ctx, f, damaged)
	if err != nil {
		return Experts{}, err
	}
	defer v.close()
	out := Experts{Query: query, By: "all", Area: []string{}, People: []Person{}, Owners: []string{}}
	e := ask.Engine{Search: v.find, Synonyms: v.near, Now: v.m.now(), Clock: v.m.o.Now}
	var area ask.Area
	if clean := strings.TrimSpace(query); clean != "" && clean != "." {
		q, err := v.m.query(ctx, f)
		if err != nil {
			return Experts{}, err
		}
		if area, err = e.FindArea(ctx, v.m.inTree(v.place, clean), c, ask.Options{Query: q}); err != nil {
			return Experts{}, err
		}
		v.follow(ctx, clean, c, area)
		if out.By = area.By; out.By == "" {
			out.Caveats = filled(append(v.lost(), v.m.notices...))
			return out, nil
		}
	}
	o.Relevance = area.Relevance
	out.fill(c, area.Area, c.Rank(area.Area, o), max(f.Limit, 0))
	out.Caveats = filled(append(append(out.Caveats, v.lost()...), v.m.notices...))
	return out, nil
}

// open brings the team's indexes up to date and reads who did what.
func (t *Team) open(ctx context.Context, f Filter, damaged *bool) (*view, *ask.Crowd, team.Options, error) {
	m := t.m
	p, err := m.here(ctx)
	if err != nil {
		return nil, nil, team.Options{}, err
	}
	if !p.inRepo {
		return nil, nil, team.Options{}, p.noRepository(m.o.Dir)
	}
	if err := m.mayTell(ctx, p.called(), p.project.ID); err != nil {
		return nil, nil, team.Options{}, err
	}
	r, err := m.timeRange(f)
	if err != nil {
		return nil, nil, team.Options{}, err
	}
	v, err := m.begin(ctx, nil)
	if err != nil {
		return nil, nil, team.Options{}, err
	}
	v.damaged = damaged
	v.shards = slices.DeleteFunc(v.shards, func(s shard) bool { return !ofTeam(s.name) })
	if err := v.settle(ctx); err != nil {
		return nil, nil, team.Options{}, err
	}
	c, err := v.crowd(ctx)
	if err != nil {
		v.close()
		return nil, nil, team.Options{}, err
	}
	return v, c, team.Options{Since: r.Since, Until: r.Until}, nil
}

// inTree makes a path that somebody typed in a folder one of the tree, where it leads
// to something there.
func (m *Memory) inTree(p *place, typed string) string {
	if p.loc.WorkTree == "" || strings.ContainsAny(typed, " \t") {
		return typed
	}
	full := typed
	if !filepath.IsAbs(full) {
		full = filepath.Join(m.o.Dir, filepath.FromSlash(typed))
	}
	rel, err := filepath.Rel(realPath(p.loc.WorkTree), realPath(full))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || rel == "." {
		return typed
	}
	if _, err := filepath.EvalSymlinks(full); err != nil {
		return typed
	}
	return filepath.ToSlash(rel)
}

// follow adds to the area of one file what it was called before.
func (v *view) follow(ctx context.Context, typed string, c *ask.Crowd, area ask.Area) {
	name := path.Clean(v.m.inTree(v.place, typed))
	repo, err := v.m.repository(v.place)
	if _, known := c.PathNumber(name); !known || err != nil || repo == nil {
		return
	}
	ctx, stop := deadline.After(ctx, v.m.o.Now, followTime)
	defer stop()
	head, err := repo.Head()
	if err != nil {
		return
	}
	for change, err := range repo.FollowPath(ctx, head.Hash, name) {
		if err != nil {
			break // a file that is gone has no names but this one, and what took too long adds none
		}
		for _, p := range []string{change.Path, change.From} {
			if n, ok := c.PathNumber(v.m.cleanPaths([]string{p})[0]); ok && p != "" {
				area.Area[n] = 1
			}
		}
	}
}

// fill writes a ranking.
func (out *Experts) fill(c *ask.Crowd, area team.Area, r team.Ranking, limit int) {
	if limit == 0 {
		limit = 10
	}
	lines := 0
	for _, p := range r.People {
		lines += p.Lines
	}
	for _, p := range r.People[:min(len(r.People), limit)] {
		person := ask.PersonOf(p, lines)
		for _, row := range p.Rows[:min(len(p.Rows), 2)] {
			person.Citations = append(person.Citations, c.ID(row))
		}
		out.People = append(out.People, person)
	}
	out.Others = max(0, len(r.People)-limit)
	out.Commits, out.Bots, out.BusFactor = r.Commits, r.Bots, r.BusFactor
	if r.Unknown > 0 {
		out.Caveats = append(out.Caveats, fmt.Sprintf("Of %d of %s the changed lines are not known yet; they count as middling ones.", r.Unknown, plural(r.Commits, "commit")))
	}
	const shown = 20
	for i, p := range c.Paths() {
		if area == nil || area[i] == 0 {
			continue
		}
		if out.Files++; len(out.Area) < shown {
			out.Area = append(out.Area, p)
		}
		if c.Owners != nil {
			for _, o := range c.Owners(p) {
				if !slices.Contains(out.Owners, o) {
					out.Owners = append(out.Owners, o)
				}
			}
		}
	}
	slices.Sort(out.Area)
}
