package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Pause is a period in which nothing is captured.
type Pause struct {
	Folder string    `json:"folder"` // with its subfolders; "" means everywhere
	Since  time.Time `json:"since"`
	Until  time.Time `json:"until,omitzero"` // zero: until gitmem resume
}

// covers reports whether a time is within the pause.
func (p Pause) covers(t time.Time) bool {
	return !t.Before(p.Since) && (p.Until.IsZero() || t.Before(p.Until))
}

// Pauses are the pauses of one machine. Ended pauses stay in the list for a while, since what was written during one
// must not be captured later.
type Pauses []Pause

type pausesFile struct {
	Pauses Pauses `json:"pauses"`
}

// ParsePauses parses the output of [Pauses.Encode]. It is strict, because an unknown entry may be a running pause.
func ParsePauses(src []byte) (Pauses, error) {
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.DisallowUnknownFields()
	var f pausesFile
	err := dec.Decode(&f)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the list")
		}
	}
	for _, p := range f.Pauses {
		if err == nil && p.Since.IsZero() {
			err = errors.New("a pause has no beginning")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the list of pauses can't be read (gitmem resume writes it anew): %w", err)
	}
	return f.Pauses, nil
}

// Encode returns the list as JSON.
func (p Pauses) Encode() ([]byte, error) {
	b, err := json.MarshalIndent(pausesFile{append(Pauses{}, p...)}, "", "  ")
	return append(b, '\n'), err
}

// At returns the pause that covers a time in a folder, the one that ends last if there are several. below reports
// whether the folder is in or below the folder of a pause.
func (p Pauses) At(t time.Time, below func(folder string) bool) (Pause, bool) {
	var best Pause
	found := false
	for _, x := range p {
		if !x.covers(t) || (x.Folder != "" && !below(x.Folder)) {
			continue
		}
		if !found || (!best.Until.IsZero() && (x.Until.IsZero() || x.Until.After(best.Until))) {
			best, found = x, true
		}
	}
	return best, found
}

// keptFor is how long ended pauses stay in the list: longer than clients keep their transcripts.
const keptFor = 365 * 24 * time.Hour

// Begin adds a pause and drops those that ended long ago. It replaces a running pause of the same folder.
func (p Pauses) Begin(x Pause) Pauses {
	return append(p.End(x.Since, x.Folder), x)
}

// End ends the running pauses of one folder; "" ends the global ones.
func (p Pauses) End(now time.Time, folder string) Pauses {
	out := slices.Clone(p)
	for i, x := range out {
		if x.Folder == folder && x.covers(now) {
			out[i].Until = now
		}
	}
	return slices.DeleteFunc(out, func(x Pause) bool {
		return !x.Until.IsZero() && (now.Sub(x.Until) > keptFor || !x.Since.Before(x.Until))
	})
}

// Running returns the pauses that cover a time.
func (p Pauses) Running(t time.Time) Pauses {
	return slices.DeleteFunc(slices.Clone(p), func(x Pause) bool { return !x.covers(t) })
}
