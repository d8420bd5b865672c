package ingest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Planner is the answer of a source to what has changed, see index.Plan.
type Planner = func(map[string]index.Mark, index.State) (index.Update, error)

// whenPolicyIsKnown indexes nothing while what is excluded can't be known: the index stays as
// it was.
func (src *Sources) whenPolicyIsKnown(plan Planner) Planner {
	return func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		if src.ws.Policy().Err != nil {
			return index.Update{}, nil
		}
		return plan(marks, st)
	}
}

// WithheldPlan reports whether a plan is excluded or was written while capture was paused.
// A plan names no project, so that any rule may be about it.
func (src *Sources) WithheldPlan(at time.Time) (rule string, paused bool) {
	if !src.ws.Policy().Rules.Empty() {
		rule = "exclude"
	}
	_, paused = src.ws.PausedRecord("", at)
	return rule, paused
}

// ExcludedTreeFile reports whether a file of memory is excluded.
func (src *Sources) ExcludedTreeFile(f cite.File) bool {
	if f.Area == cite.AreaPlan {
		rule, paused := src.WithheldPlan(f.Time)
		return paused || rule != ""
	}
	return src.ws.ExcludedMemory(f.Path, f.Project) != ""
}

// tally is what the mark of a transcript, or of the prompt history, remembers of what
// was read. Where a folder names none, its name is "".
type tally struct {
	Skipped  int             `json:"skipped,omitempty"`  // lines that were not understood
	Private  bool            `json:"private,omitempty"`  // a part was written while capture was paused
	Title    string          `json:"title,omitempty"`    // short hash of the title that was indexed last
	Tools    string          `json:"tools,omitempty"`    // what was indexed beside messages, if not all, see config.Config
	Folders  map[string]bool `json:"folders,omitempty"`  // that records name, with whether they were excluded
	Last     string          `json:"last,omitempty"`     // uuid of the last record of a transcript
	Origin   string          `json:"origin,omitempty"`   // the transcript that this one began with a copy of
	Sessions map[string]bool `json:"sessions,omitempty"` // of the prompt history, with whether their entries were left out
}

// String is the form in a mark.
func (t tally) String() string {
	b, _ := json.Marshal(t) // numbers, texts and maps of them always can be
	return string(b)
}

// ParseTally reads the data of a transcript's mark.
func ParseTally(data string) tally {
	t := tally{Folders: map[string]bool{}, Sessions: map[string]bool{}}
	_ = json.Unmarshal([]byte(data), &t) // "" is of a transcript that was not read
	return t
}

// skippedBefore is the count in a mark's data.
func skippedBefore(data string) int {
	if !strings.Contains(data, `"skipped":`) { // most marks are not worth reading
		return 0
	}
	return ParseTally(data).Skipped
}

// sameTools reports whether a transcript was indexed in a mode.
func sameTools(data, mode string) bool {
	if !strings.Contains(data, `"tools":`) {
		return mode == ""
	}
	return ParseTally(data).Tools == mode
}

// originGone reports whether a transcript was read without what it repeats of another one that is
// gone since.
func originGone(data string) bool {
	if !strings.Contains(data, `"origin":`) {
		return false
	}
	_, err := os.Stat(ParseTally(data).Origin)
	return errors.Is(err, fs.ErrNotExist)
}

func (t tally) clone() tally { return ParseTally(t.String()) }

// Results of comparing what was excluded when a transcript was read with now.
const (
	sameAsThen = iota
	nowHidden  // something that is indexed is excluded now
	nowShown   // something that was left out is not excluded any more
)

// exclusionChecks compares many transcripts: those of one folder mostly name the same.
type exclusionChecks struct {
	m     *Sources
	known map[[2]string]bool // whether a folder is excluded, by its name and the client's
}

// compare judges the folders in a mark's data again; name is the client's name of the
// transcript's own.
func (j *exclusionChecks) compare(data, name string) int {
	if j.m.ws.Policy().Rules.Empty() && !strings.Contains(data, ":true") {
		return sameAsThen
	}
	out := sameAsThen
	for folder, before := range ParseTally(data).Folders {
		key := [2]string{folder, name}
		now, known := j.known[key]
		if !known {
			now = j.m.ws.ExcludedRecord(folder, name) != ""
			j.known[key] = now
		}
		switch {
		case now && !before:
			return nowHidden
		case before && !now:
			out = nowShown
		}
	}
	return out
}
