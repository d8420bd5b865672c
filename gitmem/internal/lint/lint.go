package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/gitmem/gitmem/internal/slice"
)

// The part of MEMORY.md that the client loads at every start; the agent does not see the rest. As measured, the client
// loads lines 1 to 200 of a file of 260 lines, and of a file of 26,000 bytes the lines that end within 25,000.
const (
	LoadedLines = 200
	LoadedBytes = 25_000
)

// File is an input file.
type File struct {
	Path   string // as used in findings
	Text   []byte // redacted
	Loaded bool   // the client loads it at every start: MEMORY.md
}

// Input contains the files to check.
type Input struct {
	Memory []File
	Rules  []File
	// Exclusive are groups of things of which a project uses one.
	Exclusive [][]string
}

// The names of the checks in findings.
const (
	TooLong       = "too-long"
	StalePath     = "stale-path"
	Duplicate     = "duplicate"
	Contradiction = "contradiction"
	Unread        = "not-understood"
)

// Finding is one problem for a person to look at.
type Finding struct {
	Check  string `json:"check"`
	File   string `json:"file"`
	Line   int    `json:"line"` // 1-based
	Text   string `json:"text"` // text of the line
	Detail string `json:"detail"`
	Advice string `json:"advice"`
	// OtherFile and OtherLine locate the second line of a pair, if any.
	OtherFile string `json:"other_file,omitempty"`
	OtherLine int    `json:"other_line,omitempty"`
}

// Check checks the memory of one project. Findings are sorted by file and line. exists reports whether a path in a file
// exists; known is false if that can't be determined. A nil exists disables the check of paths.
func Check(in Input, exists func(from, path string) (exists, known bool)) []Finding {
	var out []Finding
	var memory, rules []Statement
	for _, f := range in.Memory {
		out = append(out, size(f)...)
		out = append(out, unread(f)...)
		if exists != nil {
			out = append(out, stale(f, exists)...)
		}
		memory = append(memory, Statements(f.Path, f.Text)...)
	}
	for _, f := range in.Rules {
		rules = append(rules, Statements(f.Path, f.Text)...)
	}
	out = append(out, pairs(memory, rules, newExclusiveTerms(in.Exclusive))...)
	order := map[string]int{}
	for i, f := range in.Memory {
		order[f.Path] = i
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line))
	})
	return out
}

// size reports where the client stops loading a file.
func size(f File) []Finding {
	if !f.Loaded {
		return nil
	}
	lines := bytes.Count(f.Text, []byte("\n"))
	if len(f.Text) > 0 && f.Text[len(f.Text)-1] != '\n' {
		lines++
	}
	finding := Finding{
		Check: TooLong, File: f.Path,
		Advice: "Move whole sections to files beside it and name each in one line; the agent reads those when it needs them.",
	}
	switch {
	case lines > LoadedLines:
		finding.Line = LoadedLines + 1
		finding.Detail = fmt.Sprintf("%d lines, and the client loads %d: it never sees the rest", lines, LoadedLines)
	case len(f.Text) > LoadedBytes:
		finding.Line = bytes.Count(f.Text[:LoadedBytes], []byte("\n")) + 1
		finding.Detail = fmt.Sprintf("%d bytes, and the client loads %d: it never sees the rest", len(f.Text), LoadedBytes)
	default:
		return nil
	}
	return []Finding{finding}
}

// pairs compares the memory's statements with each other and with the rules.
func pairs(memory, rules []Statement, exclusives []exclusiveTerms) []Finding {
	all := slice.Map(slices.Concat(memory, rules), prepare)
	var out []Finding
	for i := range memory {
		for j := i + 1; j < len(all); j++ {
			if f, ok := compare(all[i], all[j], j >= len(memory), exclusives); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// prepared is a statement with precomputed data for comparisons.
type prepared struct {
	Statement
	words  map[string]bool
	said   []string // see inOrder
	claims []claim
}

func prepare(s Statement) prepared {
	return prepared{s, subject(s.Text), inOrder(s.Text), claims(s.Text)}
}

// leastWords is the minimum number of words of a statement for a comparison: headwords such as "Tests" carry no
// information.
const leastWords = 2

func compare(a, b prepared, rule bool, exclusives []exclusiveTerms) (Finding, bool) {
	f := Finding{File: a.File, Line: a.Line, Text: a.Text, OtherFile: b.File, OtherLine: b.Line}
	where := fmt.Sprintf("%s:%d", b.File, b.Line)
	switch {
	case len(a.words) < leastWords || len(b.words) < leastWords:
		return f, false
	case contradicts(a.claims, b.claims, exclusives):
		f.Check = Contradiction
		f.Detail = fmt.Sprintf("%s says otherwise: %s", where, b.Text)
		f.Advice = "Keep the one that holds and take the other out: an agent that reads both follows either."
		if rule {
			f.Advice = "Rules are reviewed by the team: take the line out of memory, or change the rule."
		}
	case same(a, b):
		f.Check = Duplicate
		f.Detail = fmt.Sprintf("%s says this, too: %s", where, b.Text)
		f.Advice = "Take one of them out: what is loaded at every start costs at every start."
	default:
		return f, false
	}
	return f, true
}
