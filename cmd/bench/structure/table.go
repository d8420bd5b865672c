package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

const (
	longFunction = 90 // lines, the maximum for a function of gitmem
	firstCalls   = 400
)

// figures are the measurements of one module.
type figures struct {
	language
	name, version, entry  string
	code, packages        int
	files, longFiles      int
	functions             []int // lines of each
	deep                  int   // functions that nest deeper than deepNesting
	errorReturns, wrapped int
	fields                int // fields of function types
	arrows                []string
	calls                 []call
}

// table prints one column per module.
func table(out io.Writer, all []figures) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(label string, value func(figures) string) {
		cells := []string{label}
		for _, f := range all {
			cells = append(cells, value(f))
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	count := func(label string, value func(figures) int) {
		row(label, func(f figures) string { return fmt.Sprint(value(f)) })
	}
	row("", func(f figures) string { return f.name })
	row("version", func(f figures) string { return f.version })
	count("code lines", func(f figures) int { return f.code })
	count("packages", func(f figures) int { return f.packages })
	count("files", func(f figures) int { return f.files })
	count(fmt.Sprintf("  over %d lines", longFile), func(f figures) int { return f.longFiles })
	count("functions", func(f figures) int { return len(f.functions) })
	count("  lines, median", func(f figures) int { return percentile(f.functions, 50) })
	count("  lines, p90", func(f figures) int { return percentile(f.functions, 90) })
	count("  lines, longest", func(f figures) int { return percentile(f.functions, 100) })
	row(fmt.Sprintf("  over %d lines", longFunction), func(f figures) string {
		return share(longFunctions(f), len(f.functions))
	})
	row(fmt.Sprintf("  nested deeper than %d", deepNesting), func(f figures) string {
		return share(f.deep, len(f.functions))
	})
	count(fmt.Sprintf("lines over %d columns", longLine), func(f figures) int { return f.longLines })
	count(fmt.Sprintf("conditions of %d operators or more", manyOperators), func(f figures) int { return f.conditions })
	row("  per 1,000 code lines", func(f figures) string { return f.perThousand(f.conditions) })
	row(strings.Join(stiffWords[:], "/")+", per 1,000 comment words", func(f figures) string {
		return fmt.Sprintf("%.2f", 1000*float64(f.stiff)/float64(max(f.commentWords, 1)))
	})
	row("letters of a name, mean", func(f figures) string {
		return fmt.Sprintf("%.1f", float64(f.letters)/float64(max(len(f.names), 1)))
	})
	row("  of one word", func(f figures) string { return share(f.singleWords, len(f.names)) })
	count("function fields", func(f figures) int { return f.fields })
	row("  per 1,000 code lines", func(f figures) string { return f.perThousand(f.fields) })
	count("upward arrows", func(f figures) int { return len(f.arrows) })
	row("  per 1,000 code lines", func(f figures) string { return f.perThousand(len(f.arrows)) })
	row("flow from", func(f figures) string { return f.entry })
	climbRows := func(label string, calls func(figures) []call) {
		count(label, func(f figures) int { return len(calls(f)) })
		row("    climb", func(f figures) string { return share(climbs(calls(f)), len(calls(f))) })
		count("      by a field", func(f figures) int { return climbs(calls(f), byField) })
		count("      by an interface of the module", func(f figures) int { return climbs(calls(f), byInterface) })
		count("      by an interface of others", func(f figures) int { return climbs(calls(f), byForeignInterface) })
		count("      by a variable", func(f figures) int { return climbs(calls(f), byVariable) })
	}
	climbRows(fmt.Sprintf("  calls, the first %d", firstCalls), func(f figures) []call {
		return f.calls[:min(len(f.calls), firstCalls)]
	})
	climbRows("  calls, all", func(f figures) []call { return f.calls })
	count("error returns", func(f figures) int { return f.errorReturns })
	row("  with %w", func(f figures) string { return share(f.wrapped, f.errorReturns) })
	return w.Flush()
}

// list prints the items that the table only counts.
func (f figures) list(out io.Writer) {
	fmt.Fprintf(out, "%s %s, upward arrows: %d\n", f.name, f.version, len(f.arrows))
	for _, a := range f.arrows {
		fmt.Fprintf(out, "\t%s\n", a)
	}
	fmt.Fprintf(out, "%s %s, climbs of %d calls from %s: %d\n", f.name, f.version, len(f.calls), f.entry, climbs(f.calls))
	for i, c := range f.calls {
		if len(c.higher) > 0 {
			fmt.Fprintf(out, "\t%d. %s\n", i+1, c)
		}
	}
	fmt.Fprintln(out)
}

func (c call) String() string {
	kind := [...]string{"", "field ", "interface ", "interface ", "variable "}[c.way]
	return c.caller + " calls " + kind + c.callee + ", that is " + strings.Join(c.higher, ", ")
}

// climbs counts the calls from a lower package to a higher one, limited to some ways if given.
func climbs(calls []call, by ...way) int {
	n := 0
	for _, c := range calls {
		if len(c.higher) > 0 && (len(by) == 0 || slices.Contains(by, c.way)) {
			n++
		}
	}
	return n
}

func (f figures) perThousand(n int) string {
	return fmt.Sprintf("%.2f", 1000*float64(n)/float64(max(f.code, 1)))
}

func longFunctions(f figures) int {
	n := 0
	for _, lines := range f.functions {
		if lines > longFunction {
			n++
		}
	}
	return n
}

// percentile returns the smallest number that at least p percent do not exceed, 0 for no numbers.
func percentile(numbers []int, p int) int {
	if len(numbers) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(numbers))
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

func share(part, whole int) string {
	if whole == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%.1f %%)", part, 100*float64(part)/float64(whole))
}
