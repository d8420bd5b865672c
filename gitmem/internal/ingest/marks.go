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

// Planner returns the changes of a source, see index.Plan.
type Planner = func(map[string]index.Mark, index.State) (index.Update, error)

// whenPolicyIsKnown returns a plan that changes nothing while the exclusions are unknown.
func (src *Sources) whenPolicyIsKnown(plan Planner) Planner {
	return func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		if src.ws.Policy().Err != nil {
			return index.Update{}, nil
		}
		return plan(marks, st)
	}
}

// WithheldPlan reports whether a plan is excluded or was written during a pause. A plan names no project, so any rule
// may apply to it.
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

// tally is the data in the mark of a transcript or of the prompt history. Records without a folder have the folder "".
type tally struct {
	Skipped  int             `json:"skipped,omitempty"`  // unparsable lines
	Private  bool            `json:"private,omitempty"`  // a part was written during a pause
	Title    string          `json:"title,omitempty"`    // short hash of the last indexed title
	Tools    string          `json:"tools,omitempty"`    // see config.Config.IndexTools; "" for everything
	Folders  map[string]bool `json:"folders,omitempty"`  // folders that records name, and whether they were excluded
	Last     string          `json:"last,omitempty"`     // uuid of the last record of a transcript
	Origin   string          `json:"origin,omitempty"`   // the transcript from which this one's start was copied
	Sessions map[string]bool `json:"sessions,omitempty"` // of the prompt history, and whether their entries were skipped
}

// String encodes the tally for a mark.
func (t tally) String() string {
	b, _ := json.Marshal(t) // always encodable
	return string(b)
}

// ParseTally parses the data of a transcript's mark.
func ParseTally(data string) tally {
	t := tally{Folders: map[string]bool{}, Sessions: map[string]bool{}}
	_ = json.Unmarshal([]byte(data), &t) // "" means a transcript that was not read
	return t
}

// skippedBefore returns the count in a mark's data.
func skippedBefore(data string) int {
	if !strings.Contains(data, `"skipped":`) { // most marks need no parsing
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

// originGone reports whether a transcript was read without its copy of another one that was deleted since.
func originGone(data string) bool {
	if !strings.Contains(data, `"origin":`) {
		return false
	}
	_, err := os.Stat(ParseTally(data).Origin)
	return errors.Is(err, fs.ErrNotExist)
}

func (t tally) clone() tally { return ParseTally(t.String()) }

// Results of comparing the exclusions when a transcript was read with the current ones.
const (
	sameAsThen = iota
	nowHidden  // indexed content is now excluded
	nowShown   // skipped content is no longer excluded
)

// exclusionChecks caches the checks for many transcripts: those of one folder usually name the same folders.
type exclusionChecks struct {
	m     *Sources
	known map[[2]string]bool // whether a folder is excluded, by its name and the client's name
}

// compare checks the folders in a mark's data again; name is the client's name of the transcript's folder.
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
