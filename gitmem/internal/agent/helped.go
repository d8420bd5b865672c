package agent

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// helped counts how useful a server of a provider was in the recorded runs.
type helped struct {
	cited    int // runs that cite it
	failures int // runs in which it failed since its last result
}

// rank sorts the providers by how often they were cited, most first. It halves the timeout of a server for each run in
// which it failed since its last result.
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

// leastTimeout is the minimum timeout of a server that failed, and mostHalved the maximum number of halvings.
const leastTimeout, mostHalved = time.Second, 6

// helped returns the statistics by server name.
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
		failed := map[string]bool{} // by server, whether its last call failed
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

// serverOfSource returns the server of a source id mcp:server:tool:id, or "".
func serverOfSource(id string) string {
	rest, ok := strings.CutPrefix(id, "mcp:")
	server, _, _ := strings.Cut(rest, ":")
	if !ok {
		return ""
	}
	return server
}
