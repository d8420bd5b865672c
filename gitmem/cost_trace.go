package gitmem

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// traceRecord is what is read of a line that a hook left.
type traceRecord struct {
	Time    time.Time `json:"time"`
	Hook    string    `json:"hook"`
	Session string    `json:"session"`
	Tool    string    `json:"tool"`
	Result  string    `json:"result"`
	Detail  string    `json:"detail"`
	MS      float64   `json:"ms"`
	Chars   int       `json:"chars"` // injected
}

// Bounds of what one record can say; a line beyond is no record of ours. A hook may
// inject ten thousand characters, and the client ends it after ten minutes.
const (
	maxTraceLine  = 64 << 10
	maxTraceChars = 1 << 20
	maxTraceMS    = 24 * 60 * 60 * 1000
)

// traceKept is for how many days a hook's record is kept.
const traceKept = 30

// traceFiles lists the files of traces from one day to another, both included and
// "" for no bound, oldest first. A day that has none is no error.
func traceFiles(dirs []string, from, to string) []string {
	var out []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // no hook left a trace there
		}
		for _, e := range entries {
			if day, ok := traceDay(e.Name()); ok && !e.IsDir() && day >= from && (to == "" || day <= to) {
				out = append(out, filepath.Join(dir, e.Name()))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return out
}

// traceDay is the day of a trace's file.
func traceDay(name string) (string, bool) {
	day, ok := strings.CutSuffix(filepath.Base(name), ".jsonl")
	if _, err := time.Parse(time.DateOnly, day); !ok || err != nil {
		return "", false
	}
	return day, true
}

// eachTrace passes on the records of a file of traces, one at a time, and counts the
// lines that are none: torn ones, and what others wrote. Where want is not nil, lines
// that it refuses are neither read nor counted.
func eachTrace(name string, want func(line []byte) bool, do func(traceRecord)) (bad int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	day, _ := traceDay(name)
	err = eachLine(f, func(line []byte, whole bool) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || (want != nil && !want(line)) {
			return
		}
		r, ok := parseTrace(line, day)
		if !whole || !ok {
			bad++
			return
		}
		do(r)
	})
	return bad, err
}

// parseTrace reads a line. A record without a time is of its file's day.
func parseTrace(line []byte, day string) (r traceRecord, ok bool) {
	if line[0] != '{' || json.Unmarshal(line, &r) != nil {
		return r, false
	}
	if r.Time.IsZero() {
		r.Time, _ = time.Parse(time.DateOnly, day)
	}
	return r, r.Chars >= 0 && r.Chars <= maxTraceChars && r.MS >= 0 && r.MS <= maxTraceMS
}

// eachLine passes on the lines of a file with one small buffer. Of a longer line the
// beginning is passed on, with whole false.
func eachLine(f io.Reader, do func(line []byte, whole bool)) error {
	r := bufio.NewReaderSize(f, maxTraceLine)
	for {
		line, err := r.ReadSlice('\n')
		whole := !errors.Is(err, bufio.ErrBufferFull)
		if len(line) > 0 {
			do(line, whole)
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.ReadSlice('\n')
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// ofSession tells whether a line may be of a session.
func ofSession(session string) func(line []byte) bool {
	needle := []byte(`"` + session + `"`)
	return func(line []byte) bool { return bytes.Contains(line, needle) }
}

// dirsOfTraces are the folders where hooks leave their trace; other is what a caller
// knows better, nil for none.
func (m *Memory) dirsOfTraces(other []string) []string {
	if other != nil {
		return other
	}
	return TraceDirs(m.o.Getenv, m.o.Home, m.o.CacheDir)
}

// PruneTraces deletes the traces of hooks that are older than 30 days. What they
// said of sessions that were archived stands there. It is what a process in the
// background does; an error leaves the files for the next one.
func (m *Memory) PruneTraces() error {
	before := m.o.Now().UTC().AddDate(0, 0, -traceKept-1).Format(time.DateOnly)
	var errs []error
	for _, name := range traceFiles(m.dirsOfTraces(nil), "", before) {
		errs = append(errs, os.Remove(name))
	}
	return errors.Join(errs...)
}

// tracesHeld is the first day of which traces are there, and what all of them take.
func (m *Memory) tracesHeld() (first string, bytes int64) {
	for _, name := range traceFiles(m.dirsOfTraces(nil), "", "") {
		info, err := os.Stat(name)
		if err != nil {
			continue // deleted meanwhile
		}
		if day, _ := traceDay(name); first == "" {
			first = day
		}
		bytes += info.Size()
	}
	return first, bytes
}
