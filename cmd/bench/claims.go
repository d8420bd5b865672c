package main

import (
	"os"
	"slices"
	"strings"
)

// claimed is the claim model's assessment of a source: its probability and features, separated by spaces.
type claimed struct{ ID, Gave string }

// blocks are the features of sources that are known not to answer, which are useless as training examples.
var blocks = [...]string{"unnamed", "negated", "untold", "opposite"}

// writeClaims writes a line for each cited source that might answer: right or wrong, and its features.
func writeClaims(file string, questions []judged, replies []replied) error {
	var lines []string
	for i, q := range questions {
		for _, c := range replies[i].Claims {
			if line := q.example(c, replies[i].Sources); line != "" {
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(lines)
	return os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// example returns the line of one source, or "" for one that can't answer.
func (j judged) example(c claimed, sources []source) string {
	features := strings.Fields(c.Gave)[1:]
	if slices.ContainsFunc(blocks[:], func(b string) bool { return slices.Contains(features, b) }) {
		return ""
	}
	class := "wrong"
	for _, s := range sources {
		if s.ID == c.ID && !j.None && slices.ContainsFunc(j.Gold, s.is) {
			class = "right"
		}
	}
	return class + " " + strings.Join(features, " ")
}
