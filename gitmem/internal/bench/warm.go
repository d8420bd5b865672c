package bench

import (
	"context"
	"time"
)

// Timed is what answering queries took within one process: FTS5's side tells the
// same.
type Timed struct {
	Queries int       `json:"queries"`
	CPU     float64   `json:"cpu_seconds"` // of all queries of all rounds
	Known   bool      `json:"cpu_known"`
	WallMS  []float64 `json:"wall_ms"` // one for each query of each round
	Hits    int       `json:"hits"`    // of one round
}

// PerQuery is the processor's time of one query in milliseconds.
func (t Timed) PerQuery() float64 { return t.CPU * 1000 / float64(max(1, len(t.WallMS))) }

// Warm answers each query once to warm up and then so many rounds of all. search
// returns the number of hits.
func Warm(ctx context.Context, queries []string, rounds int, now func() time.Time, search func(ctx context.Context, text string) (int, error)) (Timed, error) {
	res := Timed{Queries: len(queries)}
	for _, q := range queries {
		n, err := search(ctx, q)
		if err != nil {
			return res, err
		}
		res.Hits += n
	}
	before, known := CPUTime()
	for range rounds {
		for _, q := range queries {
			start := now()
			if _, err := search(ctx, q); err != nil {
				return res, err
			}
			res.WallMS = append(res.WallMS, milliseconds(now().Sub(start)))
		}
	}
	after, _ := CPUTime()
	res.CPU, res.Known = (after - before).Seconds(), known
	return res, nil
}
