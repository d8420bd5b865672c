package ingest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Planner is the answer of a source to what has changed, see index.Plan.
type Planner = func(map[string]index.Mark, index.State) (index.Update, error)

// knowing feeds nothing while what is excluded can't be known: the index stays as
// it was.
func (m *Sources) knowing(plan Planner) Planner {
	return func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		if m.ws.Policy().Err != nil {
			return index.Update{}, nil
		}
		return plan(marks, st)
	}
}

// WithheldPlan tells whether a plan is none of memory's business: nothing in it tells which
// project it is of, so that any rule may be about it.
func (m *Sources) WithheldPlan(at time.Time) (rule string, paused bool) {
	if !m.ws.Policy().Rules.Empty() {
		rule = "exclude"
	}
	_, paused = m.ws.PausedRecord("", at)
	return rule, paused
}

// ExcludedTreeFile tells whether a file of memory is excluded.
func (m *Sources) ExcludedTreeFile(f cite.File) bool {
	if f.Area == cite.AreaPlan {
		rule, paused := m.WithheldPlan(f.Time)
		return paused || rule != ""
	}
	_, ok := m.ws.ExcludedMemory(f.Path, f.Project)
	return ok
}

// tally is what the mark of a transcript remembers of what was read: how many lines
// were not understood, and the folders its records name, each with whether it was
// excluded then. "" stands for records that name none.
type tally struct {
	skipped int
	sealed  bool   // the transcript goes on behind the reference time, so that what is appended is of no concern
	private bool   // a part was said while capture was paused
	title   string // short hash of the title that was fed last
	tools   string // what was fed beside what is said, if not all, see config.Config
	Folders map[string]bool
}

// String is the form in a mark: the count, with whether it is sealed, then a line for each folder.
func (t tally) String() string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(t.skipped))
	for _, part := range [...]struct{ sign, text string }{{titled, t.title}, {lessTools, t.tools}} {
		if part.text != "" {
			b.WriteString(part.sign + part.text)
		}
	}
	if t.private {
		b.WriteString(private)
	}
	if t.sealed {
		b.WriteString(sealed)
	}
	for _, folder := range slices.Sorted(maps.Keys(t.Folders)) {
		sign := "\n+"
		if t.Folders[folder] {
			sign = "\n-"
		}
		b.WriteString(sign + strings.ReplaceAll(folder, "\n", "\x00")) // which no path has
	}
	return b.String()
}

// What stands behind the count of a mark.
const (
	sealed    = " sealed"
	private   = " private"
	titled    = " title:"
	lessTools = " tools:"
)

// ParseTally reads the data of a transcript's mark.
func ParseTally(data string) tally {
	head, rest, _ := strings.Cut(data, "\n")
	t := tally{Folders: map[string]bool{}}
	t.skipped, t.sealed = counted(data)
	t.private = strings.Contains(head, private)
	t.title, t.tools = after(head, titled), after(head, lessTools)
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" {
			t.Folders[strings.ReplaceAll(line[1:], "\x00", "\n")] = line[0] == '-'
		}
	}
	return t
}

// after is the word behind a sign, "" where the sign is missing.
func after(head, sign string) string {
	_, rest, _ := strings.Cut(head, sign)
	word, _, _ := strings.Cut(rest, " ")
	return word
}

// skippedBefore is the count in a mark's data.
func skippedBefore(data string) int {
	n, _ := counted(data)
	return n
}

// counted reads the first line of a mark's data.
func counted(data string) (skipped int, seal bool) {
	head, _, _ := strings.Cut(data, "\n")
	head, seal = strings.CutSuffix(head, sealed)
	head, _, _ = strings.Cut(head, " ")
	skipped, _ = strconv.Atoi(head) // "" counts as none
	return skipped, seal
}

func (t tally) clone() tally {
	if t.Folders = maps.Clone(t.Folders); t.Folders == nil {
		t.Folders = map[string]bool{}
	}
	return t
}

// Results of comparing what was excluded when a transcript was read with now.
const (
	sameAsThen = iota
	nowHidden  // something that is indexed is excluded now
	nowShown   // something that was left out is not excluded any more
)

// exclusionChecks compares many transcripts: those of one folder mostly say the same.
type exclusionChecks struct {
	m     *Sources
	known map[[2]string]int
}

// compare is Memory.compare for what a mark remembers.
func (j *exclusionChecks) compare(data, name string) int {
	_, folders, _ := strings.Cut(data, "\n")
	if j.m.ws.Policy().Rules.Empty() {
		if strings.HasPrefix(folders, "-") || strings.Contains(folders, "\n-") {
			return nowShown
		}
		return sameAsThen
	}
	key := [2]string{folders, name}
	judged, ok := j.known[key]
	if !ok {
		judged = j.m.compare(ParseTally(data), name)
		if j.known == nil {
			j.known = map[[2]string]int{}
		}
		j.known[key] = judged
	}
	return judged
}

// compare judges the folders of a transcript again; name is the client's name of
// the transcript's own.
func (m *Sources) compare(was tally, name string) int {
	out := sameAsThen
	for folder, before := range was.Folders {
		_, now := m.ws.ExcludedRecord(folder, name)
		switch {
		case now && !before:
			return nowHidden
		case before && !now:
			out = nowShown
		}
	}
	return out
}
