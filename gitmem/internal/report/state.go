package report

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/providers/git/diffterms"
)

// TeamState is the state of a team's work on a tree. The JSON form is a public contract.
type TeamState struct {
	Path       string         `json:"path"`    // "" for the whole tree
	Commits    int            `json:"commits"` // by people, without merges
	Merges     int            `json:"merges"`
	Bots       int            `json:"bots"` // commits by bots, left out
	First      time.Time      `json:"first"`
	Last       time.Time      `json:"last"`
	People     int            `json:"people"`
	Active     int            `json:"active"`      // who of them still contributes
	ActiveDays int            `json:"active_days"` // how long before the last commit that may be
	Activity   []TeamActivity `json:"activity"`
	Areas      []TeamArea     `json:"folders"` // most active first
	MoreAreas  int            `json:"more_folders"`
	Made       int            `json:"made"` // files that no one writes by hand (lock, generated, vendored), left out of folders and hot spots
	Risks      []TeamRisk     `json:"risks"`
	HotSpots   []TeamHotSpot  `json:"hot_spots"`
	Joined     []TeamMember   `json:"joined"`
	Left       []TeamMember   `json:"left"`
	Reviews    int            `json:"reviews"`   // told by forges and by the messages of commits
	Reviewers  []TeamReviewer `json:"reviewers"` // who reviewed most first
	Caveats    []string       `json:"caveats"`
}

// What a state lists: stretches of time, files that many changed often within the last year
// of the history, who came or went, and who reviewed the work of others.
type (
	TeamActivity = team.Bucket
	TeamHotSpot  = team.HotSpot
	TeamMember   = team.Member
	TeamReviewer = team.Reviewer
)

// TeamArea is a part of the tree.
type TeamArea struct {
	Path        string    `json:"path"`     // of a folder with a slash at its end; a * behind it: only the files right in it
	Activity    float64   `json:"activity"` // share of all that is done in the tree, newer work weighing more
	Files       int       `json:"files"`
	Commits     int       `json:"commits"`
	Lines       int       `json:"lines"` // changed; 0 also where that is not known
	People      int       `json:"people"`
	BusFactor   int       `json:"bus_factor"`
	Lost        float64   `json:"lost"`  // share held by people who no longer contribute
	Owner       string    `json:"owner"` // who has most of it
	OwnerEmail  string    `json:"owner_email"`
	OwnerShare  float64   `json:"owner_share"`
	OwnerActive bool      `json:"owner_active"`
	OwnerLast   time.Time `json:"owner_last"`
}

// TeamRisk is something that may cost the team what it knows.
type TeamRisk struct {
	Kind string `json:"kind"` // owner gone, one person, or knowledge lost
	Path string `json:"path"`
	Text string `json:"text"`
}

// State tells how the team's work stands: the areas in which most is done and whose
// they are, what is at risk, and who came and went. Of the filter Since, Until, Path
// (one folder) and Limit count. It wraps [ErrNoRepository] outside a repository,
// and [ErrNotFound] where the folder has no history.
func (t *Team) State(ctx context.Context, f query.Filter) (TeamState, error) {
	return ingest.RetryDamaged(ctx, func(damaged *bool) (TeamState, error) { return t.state(ctx, f, damaged) })
}

func (t *Team) state(ctx context.Context, f query.Filter, damaged *bool) (TeamState, error) {
	if len(f.Path) > 1 {
		return TeamState{}, fmt.Errorf("%w: --path %s: one folder is told at a time", messages.ErrUsage, strings.Join(f.Path, " and "))
	}
	v, c, o, err := t.open(ctx, f, damaged)
	if err != nil {
		return TeamState{}, err
	}
	defer v.Close()
	root := strings.Trim(strings.Join(f.Path, ""), "/")
	if root != "" && root != "." {
		root = t.inTree(v.Place, root)
		if c.Under(root).Size() == 0 {
			return TeamState{}, fmt.Errorf("%s has no history: %w", root, messages.ErrNotFound)
		}
	}
	over := c.Overview(team.OverviewOptions{Options: o, Root: root, Limit: f.Limit, Exists: v.FilesNow(), Made: diffterms.IsGenerated})
	out := stateOf(over)
	out.Path = root
	if over.Unknown > 0 {
		out.Caveats = append(out.Caveats, fmt.Sprintf("Of %d of %s the changed lines are not known yet; they count as middling ones.", over.Unknown, messages.Plural(over.Commits, "commit")))
	}
	out.Caveats = append(append(out.Caveats, v.Lost()...), t.ws.Caveats...)
	return out, nil
}

func share(v float64) float64 { return math.Round(1000*v) / 1000 }

func stateOf(v team.Overview) TeamState {
	out := TeamState{
		Commits: v.Commits, Merges: v.Merges, Bots: v.Bots, First: v.First, Last: v.Last, People: v.People, Active: v.Active,
		ActiveDays: int(v.Window.Hours() / 24), MoreAreas: v.MoreAreas, Made: v.Made,
		Activity: messages.Filled(v.Activity), Areas: []TeamArea{}, Risks: []TeamRisk{}, HotSpots: messages.Filled(v.Hot),
		Joined: messages.Filled(v.Joined), Left: messages.Filled(v.Left), Reviews: v.Reviews, Reviewers: messages.Filled(v.Reviewers), Caveats: []string{},
	}
	for _, s := range v.Areas {
		a := areaOf(s)
		out.Areas = append(out.Areas, a)
		if risk, ok := riskOf(a); ok {
			out.Risks = append(out.Risks, risk)
		}
	}
	return out
}

func areaOf(s team.AreaState) TeamArea {
	a := TeamArea{
		Path: s.Path, Activity: share(s.Activity), Files: s.Files, Commits: s.Commits, Lines: s.Lines, People: s.People, BusFactor: s.BusFactor, Lost: share(s.Lost),
		Owner: s.Owner.Name, OwnerEmail: s.Owner.Email, OwnerShare: share(s.Owner.Share), OwnerActive: s.Owner.Active, OwnerLast: s.Owner.Last,
	}
	if s.FilesOnly {
		if a.Path == "" {
			a.Path = "./"
		}
		a.Path += "*"
	}
	return a
}

// lostShare is how much of an area people who left must hold for it to be told.
const lostShare = 0.5

// riskOf is the worst that is to be said of an area.
func riskOf(a TeamArea) (TeamRisk, bool) {
	r := TeamRisk{Path: a.Path}
	switch {
	case a.BusFactor == 1 && !a.OwnerActive:
		r.Kind, r.Text = "owner gone", fmt.Sprintf("%s holds %.0f %% of it and last contributed on %s", a.Owner, 100*a.OwnerShare, a.OwnerLast.Format(time.DateOnly))
	case a.Lost >= lostShare:
		r.Kind, r.Text = "knowledge lost", fmt.Sprintf("people who no longer contribute hold %.0f %% of it", 100*a.Lost)
	case a.BusFactor == 1 && a.People > 1:
		r.Kind, r.Text = "one person", fmt.Sprintf("%s holds %.0f %% of it", a.Owner, 100*a.OwnerShare)
	case a.BusFactor == 1:
		r.Kind, r.Text = "one person", fmt.Sprintf("nobody but %s ever worked on it", a.Owner)
	default:
		return r, false
	}
	return r, true
}
