package agent

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// helped is how a server of a provider did in the runs that are kept.
type helped struct {
	cited    int // runs that cite it
	failures int // runs in which it failed since it last gave something
}

// rank puts those providers first that helped most often, and leaves less time to servers that failed: half of it
// for each run in which they did, until they give something again.
func (a *Agent) rank(providers []Provider) {
	known := a.helped()
	cited := func(p Provider) (n int) {
		for _, s := range p.Servers {
			n += known[s.Name].cited
		}
		return n
	}
	slices.SortStableFunc(providers, func(a, b Provider) int { return cmp.Compare(cited(b), cited(a)) })
	for _, p := range providers {
		for i, s := range p.Servers {
			p.Servers[i].Timeout = max(s.Timeout>>min(known[s.Name].failures, mostHalved), min(s.Timeout, leastTimeout))
		}
	}
}

// leastTimeout is what a server that failed may take at least, and mostHalved how often its time is halved.
const leastTimeout, mostHalved = time.Second, 6

// helped is how each server did, by its name.
func (a *Agent) helped() map[string]helped {
	var runs [][]Event
	for _, id := range a.runs() {
		if events, _ := a.events(id); len(events) > 0 {
			runs = append(runs, events)
		}
	}
	slices.SortStableFunc(runs, func(a, b []Event) int { return a[0].Time.Compare(b[0].Time) })
	out := map[string]helped{}
	for _, events := range runs {
		failed := map[string]bool{} // by server, whether it failed at last
		for _, e := range events {
			if server := serverOfSource(e.Source); server != "" {
				failed[server] = e.Kind == Missing
			}
		}
		for server, now := range failed {
			h := out[server]
			if h.failures++; !now {
				h.failures = 0
			}
			ofServer := func(c Citation) bool { return serverOfSource(c.Source) == server }
			if last := events[len(events)-1].Result; last != nil && slices.ContainsFunc(last.Citations, ofServer) {
				h.cited++
			}
			out[server] = h
		}
	}
	return out
}

// serverOfSource is the server that a source is of, "" for none: mcp:server:tool:id.
func serverOfSource(id string) string {
	rest, ok := strings.CutPrefix(id, "mcp:")
	server, _, _ := strings.Cut(rest, ":")
	if !ok {
		return ""
	}
	return server
}
