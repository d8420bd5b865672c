package bench

import (
	"bufio"
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// compareLines lets both sides print the changed lines of every file and counts the
// files with the same numbers.
func (r *historyRunner) compareLines(ctx context.Context, rep *HistoryReport) error {
	format := "--format=" + hexed(recordMark) + "%H" + hexed(fieldMark)
	theirs, err := r.stream(r.command(ctx, r.git, r.gitArgs("log", "-z", "--no-renames", "--numstat", format)...))
	if err != nil {
		return err
	}
	ours, err := r.stream(r.child(ctx, HistoryReading{Lines: true, Records: true}))
	if err != nil {
		return errors.Join(err, theirs.end())
	}
	rep.countSideBySide(theirs.records, ours.records)
	return errors.Join(theirs.end(), ours.end())
}

// countSideBySide compares two lists of commits, of which each file is "added, tab,
// removed, tab, path". Files that are on one side only are not compared: binary ones,
// and those that were renamed, which count differently.
func (rep *HistoryReport) countSideBySide(theirs, ours func() (record, bool)) {
	for {
		a, more := theirs()
		b, more2 := ours()
		if !more || !more2 || a.hash != b.hash {
			return
		}
		known := map[string]string{}
		for _, row := range a.files {
			if counts, path, ok := cutCounts(row); ok && !strings.Contains(counts, "-") {
				known[path] = counts
			}
		}
		for _, row := range b.files {
			counts, path, _ := cutCounts(row)
			if want, ok := known[path]; ok {
				rep.Counted++
				if counts == want {
					rep.CountedEqual++
				}
			}
		}
	}
}

// cutCounts divides a row before its path.
func cutCounts(row string) (counts, path string, ok bool) {
	added, rest, _ := strings.Cut(row, "\t")
	removed, path, ok := strings.Cut(rest, "\t")
	return added + " " + removed, path, ok
}

// printCounts prints the changed lines of a commit for countSideBySide.
func printCounts(w *bufio.Writer, c *git.Commit) {
	write(w, recordMark, c.Hash, fieldMark)
	if c.Substance == nil {
		return
	}
	renamed := map[string]bool{}
	for _, f := range c.Substance.Files {
		if f.From != "" {
			renamed[f.From], renamed[f.Path] = true, true
		}
	}
	for _, f := range c.Substance.Files {
		if !renamed[f.Path] {
			write(w, strconv.Itoa(f.Added), "\t", strconv.Itoa(f.Removed), "\t", f.Path, "\x00")
		}
	}
}
