package bench

import (
	"fmt"
	"math"
)

// Row is one figure. A figure is judged by its ratio to FTS5 or, where By is
// "gitmem", by its own value; limit and aim are in the same terms.
type Row struct {
	Name   string   `json:"name"`
	Figure string   `json:"figure"`
	Unit   string   `json:"unit"`
	Gitmem *float64 `json:"gitmem,omitempty"` // nil: not measured
	FTS5   *float64 `json:"fts5,omitempty"`
	Ratio  *float64 `json:"ratio,omitempty"`
	By     string   `json:"by"`
	Limit  float64  `json:"limit"` // 0: none, the figure is told only
	Aim    float64  `json:"aim"`
	// Verdict is aim, limit, missed, not measured, or "" for a figure without a limit.
	Verdict string `json:"verdict"`
	Note    string `json:"note"`
}

// Report is what a run has measured.
type Report struct {
	Messages  int    `json:"messages"`
	Sessions  int    `json:"sessions"`
	Documents int    `json:"documents"`  // that the product makes of the messages
	Text      int64  `json:"text_bytes"` // of the messages
	Queries   int    `json:"queries"`
	Rounds    int    `json:"rounds"`
	Rows      []Row  `json:"rows"`
	Missing   string `json:"missing"` // why FTS5 was not measured
}

const (
	byRatio  = "ratio"
	byGitmem = "gitmem"
)

// plan lists the figures with what they must reach. The values are filled in by
// measuring.
func plan() []Row {
	return []Row{
		{Name: "build", Figure: "full build from parsed messages, CPU", Unit: "s", By: byRatio, Limit: 3.6, Aim: 2.5},
		{Name: "size", Figure: "index with document table / text", Unit: "", By: byGitmem, Limit: 0.65, Aim: 0.45},
		{Name: "memory", Figure: "peak memory of the build", Unit: "MB", By: byGitmem, Limit: 1200, Aim: 500},
		{Name: "warm", Figure: "warm query, CPU, top 20 with field weights", Unit: "ms", By: byRatio, Limit: 0.25, Aim: 0.12},
		{Name: "cold", Figure: "search as a cold process, wall p50", Unit: "ms", By: byRatio, Limit: 0.60, Aim: 0.35},
		{Name: "cold p95", Figure: "search as a cold process, wall p95", Unit: "ms", By: byGitmem, Limit: 100, Aim: 40},
		{Name: "refresh", Figure: "refresh of 200 new messages, cold process wall", Unit: "ms", By: byGitmem, Limit: 150, Aim: 60},
		{Name: "growth", Figure: "growth of warm query CPU with ten times the messages", Unit: "×", By: byGitmem, Limit: 10, Aim: 6},
		{Name: "storm", Figure: "ten readers beside two indexers, wall p95", Unit: "ms", By: byGitmem, Limit: 150, Aim: 150},
	}
}

// Figures are the names that a run can be narrowed to.
func Figures() []string {
	var names []string
	for _, r := range plan() {
		names = append(names, r.Name)
	}
	return names
}

// judge fills in ratio and verdict.
func (r *Row) judge() {
	if r.Gitmem != nil && r.FTS5 != nil && *r.FTS5 != 0 {
		r.Ratio = number(*r.Gitmem / *r.FTS5)
	}
	value := r.Gitmem
	if r.By == byRatio {
		value = r.Ratio
	}
	switch {
	case value == nil:
		r.Verdict = "not measured"
	case r.Limit == 0:
		r.Verdict = ""
	case *value <= r.Aim:
		r.Verdict = "aim"
	case *value <= r.Limit:
		r.Verdict = "limit"
	default:
		r.Verdict = "missed"
	}
}

// number is a value of a row, nil for none.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Value writes one side of a row as people read it.
func (r Row) Value(v *float64) string {
	switch {
	case v == nil:
		return "–"
	case r.Unit == "":
		return fmt.Sprintf("%.2f", *v)
	case *v >= 100:
		return fmt.Sprintf("%.0f %s", *v, r.Unit)
	}
	return fmt.Sprintf("%.3g %s", *v, r.Unit)
}
