package report

import (
	"context"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// State reports the state of the team's work: the most active areas and their owners, risks, and people who joined or
// left. It uses Since, Until, Path (one folder) and Limit of the filter. The error wraps [ErrNoRepository] outside a
// repository, and [ErrNotFound] if the folder has no history.
func (t *Team) State(ctx context.Context, f query.Filter) (team.Overview, error) {
	return ingest.RetryDamaged(ctx, func(damaged *bool) (team.Overview, error) { return t.state(ctx, f, damaged) })
}

func (t *Team) state(ctx context.Context, f query.Filter, damaged *bool) (team.Overview, error) {
	if len(f.Path) > 1 {
		return team.Overview{}, fmt.Errorf("%w: --path %s: one folder is told at a time", messages.ErrUsage,
			strings.Join(f.Path, " and "))
	}
	v, c, o, err := t.open(ctx, f, damaged)
	if err != nil {
		return team.Overview{}, err
	}
	defer v.Close()
	root := strings.Trim(strings.Join(f.Path, ""), "/")
	if root != "" && root != "." {
		root = t.inTree(v.Place, root)
		if c.Under(root).Size() == 0 {
			return team.Overview{}, fmt.Errorf("%s has no history: %w", root, messages.ErrNotFound)
		}
	}
	out := c.Overview(team.OverviewOptions{Options: o, Root: root, Limit: f.Limit, Exists: v.FilesNow()})
	out.Path, out.Caveats = root, ask.UnknownLines(out.Unknown, out.Commits)
	out.Caveats = messages.Filled(append(append(out.Caveats, v.Lost()...), t.ws.Caveats...))
	out.Activity, out.Areas, out.Risks, out.HotSpots = messages.Filled(out.Activity), messages.Filled(out.Areas),
		messages.Filled(out.Risks), messages.Filled(out.HotSpots)
	out.Joined, out.Left, out.Reviewers = messages.Filled(out.Joined), messages.Filled(out.Left),
		messages.Filled(out.Reviewers)
	return out, nil
}
