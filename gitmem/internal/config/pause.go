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

// Pause is a time in which nothing is captured.
type Pause struct {
	Folder string    `json:"folder"` // in and below it; "" everywhere
	Since  time.Time `json:"since"`
	Until  time.Time `json:"until,omitzero"` // zero: until gitmem resume
}

// covers reports whether a time is within the pause.
func (p Pause) covers(t time.Time) bool {
	return !t.Before(p.Since) && (p.Until.IsZero() || t.Before(p.Until))
}

// Pauses are those of one machine. They stay listed for a while after they ended, since
// what was written in one must not be captured later.
type Pauses []Pause

type pausesFile struct {
	Pauses Pauses `json:"pauses"`
}

// ParsePauses reads what [Pauses.Encode] wrote. It is strict, because an entry that is not
// understood may be a running pause.
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

// Encode writes the list.
func (p Pauses) Encode() ([]byte, error) {
	b, err := json.MarshalIndent(pausesFile{append(Pauses{}, p...)}, "", "  ")
	return append(b, '\n'), err
}

// At returns the pause that covers a time in a folder; of several the one that ends last.
// below reports whether it is a pause of a folder above.
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

// keptFor is how long pauses stay listed after their end: longer than clients keep their
// transcripts.
const keptFor = 365 * 24 * time.Hour

// Begin adds a pause, and drops those that ended long ago. A running one of the same folder
// is replaced.
func (p Pauses) Begin(x Pause) Pauses {
	return append(p.End(x.Since, x.Folder), x)
}

// End ends the running pauses of one folder ("": the global ones).
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

// Running lists the pauses that cover a time.
func (p Pauses) Running(t time.Time) Pauses {
	return slices.DeleteFunc(slices.Clone(p), func(x Pause) bool { return !x.covers(t) })
}
