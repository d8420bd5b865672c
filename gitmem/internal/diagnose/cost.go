package diagnose

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
)

// Cost is the amount of text that gitmem's hooks gave to models, and the time that they took. The JSON form is a public
// contract.
type Cost struct {
	Since string `json:"since"` // first day that is counted, "" for all
	// Traced is the first day with traces, "" if there are none. The times of hooks are known from that day on.
	Traced string `json:"traced"`
	traces.Injected
	Days     []traces.Day      `json:"days"`     // newest first, in UTC
	Sessions []traces.Session  `json:"sessions"` // newest first
	Hooks    []traces.HookTime `json:"hooks"`    // largest total time first
	// Unread counts trace lines that could not be parsed.
	Unread  int      `json:"unread_lines"`
	Caveats []string `json:"caveats"`
}

// CostOptions selects what is counted.
type CostOptions struct {
	Since string // a time: 7d, yesterday, 2026-11-01; "" for all
}

// Cost counts what hooks gave to models, on all days and in all projects with traces or archives, and how long they
// took. Traces are kept for 30 days; the archive has the sums of older sessions. A session that continued after its
// traces were deleted is undercounted.
func (in *Inspector) Cost(ctx context.Context, o CostOptions) (Cost, error) {
	c := Cost{Caveats: []string{}}
	if o.Since != "" {
		at, err := search.ParseTime(o.Since, in.ws.Options.Now())
		if err != nil {
			return c, fmt.Errorf("%w: --since %s: write 7d, yesterday or 2026-11-01", messages.ErrUsage, o.Since)
		}
		c.Since = at.Since.UTC().Format(time.DateOnly)
	}
	sums := traces.NewSums(c.Since)
	for _, name := range traces.Files(in.ws.DirsOfTraces(), "", "") {
		bad, err := traces.Each(name, nil, sums.Record)
		if err != nil {
			c.Caveats = append(c.Caveats, "A trace could not be read: "+in.ws.Clean(plain.Text(err)))
			continue
		}
		c.Unread += bad
		if day, _ := traces.DayOf(name); c.Traced == "" && day >= c.Since {
			c.Traced = day
		}
	}
	if err := in.archivedCost(ctx, sums.Archived); err != nil {
		return c, err
	}
	c.Days, c.Sessions, c.Hooks, c.Injected = sums.ByDay(), sums.BySession(), sums.ByHook(), sums.Total()
	return c, nil
}

// archivedCost calls do once for each session in the archive.
func (in *Inspector) archivedCost(ctx context.Context, do func(session, day string, t traces.Injection)) error {
	if in.ws.Store == nil {
		return nil
	}
	most, day := map[string]traces.Injection{}, map[string]string{}
	for f, err := range in.ws.Store.Files() {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if cite.AreaOf(f.Path) != cite.AreaArchive {
			continue
		}
		b, err := in.ws.Store.Read("", f.Path)
		if err != nil {
			return err
		}
		date := strings.TrimSuffix(path.Base(f.Path), ".md")
		for session, t := range archive.Costs(b) {
			if t.Chars > most[session].Chars { // a copy of the archive under another name is not a second session
				most[session], day[session] = t, date
			}
		}
	}
	for session, t := range most {
		do(session, day[session], t)
	}
	return nil
}

// PruneTraces deletes hook traces older than 30 days, whose costs are in the archive by then. It runs in a background
// process; after an error the next run deletes the files.
func (in *Inspector) PruneTraces() error {
	return traces.Prune(in.ws.DirsOfTraces(), in.ws.Options.Now())
}
