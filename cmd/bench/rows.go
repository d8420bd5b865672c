package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"
)

// row is one figure. It is judged by its ratio to FTS5 or, if By is "gitmem", by its own value; Limit and Aim
// are in the same terms.
type row struct {
	Name   string   `json:"name"`
	Figure string   `json:"figure"`
	Unit   string   `json:"unit"`
	Gitmem *float64 `json:"gitmem,omitempty"` // nil: not measured
	FTS5   *float64 `json:"fts5,omitempty"`
	Ratio  *float64 `json:"ratio,omitempty"`
	By     string   `json:"by"`
	Limit  float64  `json:"limit"` // 0: no limit, the figure is only reported
	Aim    float64  `json:"aim"`
	// Verdict is aim, limit, missed, not measured, or "" for a figure without a limit.
	Verdict string `json:"verdict"`
	Note    string `json:"note"`
}

// indexReport has the measurements of the index.
type indexReport struct {
	Messages int    `json:"messages"`
	Sessions int    `json:"sessions"`
	Text     int64  `json:"text_bytes"`    // of the messages
	Kept     int64  `json:"indexed_bytes"` // bytes that gitmem indexes
	Queries  int    `json:"queries"`
	Rounds   int    `json:"rounds"`
	Rows     []row  `json:"rows"`
	Missing  string `json:"missing"` // why FTS5 was not measured
}

const (
	byRatio  = "ratio"
	byGitmem = "gitmem"
)

// plan returns the figures with their limits. Measuring sets the values.
func plan() []row {
	return []row{
		{Name: "build", Figure: "engine alone: full build from parsed messages, CPU", Unit: "s", By: byRatio,
			Limit: 7, Aim: 5},
		{Name: "memory", Figure: "peak memory of that", Unit: "MB", By: byGitmem, Limit: 600, Aim: 400},
		{Name: "size", Figure: "index with document table / text", By: byGitmem, Limit: 1, Aim: 0.85},
		{Name: "index", Figure: "gitmem index of all transcripts, CPU", Unit: "s", By: byRatio},
		{Name: "warm", Figure: "query in a running process, CPU, top 20", Unit: "ms", By: byRatio, Limit: 0.25, Aim: 0.12},
		{Name: "cold", Figure: "search as a process, wall p50", Unit: "ms", By: byRatio, Limit: 1.6, Aim: 1.2},
		{Name: "cold p95", Figure: "search as a process, wall p95", Unit: "ms", By: byGitmem, Limit: 100, Aim: 40},
		{Name: "refresh", Figure: "gitmem index of 200 new messages, wall", Unit: "ms", By: byGitmem, Limit: 150, Aim: 60},
		{Name: "deletes", Figure: "gitmem index without a session, wall", Unit: "ms", By: byGitmem, Limit: 150, Aim: 60},
	}
}

// figures returns the names that a run can be limited to.
func figures() []string {
	var names []string
	for _, r := range plan() {
		names = append(names, r.Name)
	}
	return names
}

// judge sets ratio and verdict.
func (r *row) judge() {
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

// number returns a value of a row, nil for NaN and infinities.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// value formats one side of a row.
func (r row) value(v *float64) string {
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

func (rep *indexReport) print(out io.Writer) error {
	fmt.Fprintf(out, "%d messages in %d sessions, %.1f MB of text, %.1f MB of it indexed, %d queries, medians of %d\n\n",
		rep.Messages, rep.Sessions, float64(rep.Text)/megabyte, float64(rep.Kept)/megabyte, rep.Queries, rep.Rounds)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "figure\tgitmem\tFTS5\tratio\tat most\taim\t\t")
	for _, r := range rep.Rows {
		ratio, limit, aim := "–", "–", "–"
		if r.Ratio != nil {
			ratio = strconv.FormatFloat(*r.Ratio, 'f', 2, 64)
		}
		switch {
		case r.Limit == 0:
		case r.By == byRatio:
			limit, aim = fmt.Sprintf("ratio %.2f", r.Limit), fmt.Sprintf("%.2f", r.Aim)
		default:
			limit, aim = r.value(&r.Limit), r.value(&r.Aim)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Figure, r.value(r.Gitmem), r.value(r.FTS5), ratio, limit, aim,
			r.Verdict, r.Note)
	}
	if err := w.Flush(); err != nil || rep.Missing == "" {
		return err
	}
	_, err := fmt.Fprintf(out, "\nFTS5 was not measured: %s\n", rep.Missing)
	return err
}
