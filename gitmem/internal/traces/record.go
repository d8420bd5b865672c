package traces

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"
)

// Record is a line of a trace: what a hook did, or why it did nothing.
type Record struct {
	Time    time.Time `json:"time"`
	Hook    string    `json:"hook"`
	Session string    `json:"session"`
	Result  string    `json:"result"` // written, nothing or error
	Detail  string    `json:"detail"`
	MS      float64   `json:"ms"`
	Tool    string    `json:"tool,omitempty"`  // of the call that triggered the hook
	Chars   int       `json:"chars,omitempty"` // passed to the client for the model
}

// Limits of one record; lines beyond them are not from a hook. A hook may inject ten thousand characters, and the
// client ends it after ten minutes.
const (
	maxLine  = 64 << 10
	maxChars = 1 << 20
	maxMS    = 24 * 60 * 60 * 1000
)

// Each yields the records of a file of traces, one at a time, and counts invalid lines:
// incomplete ones, and those of other programs. If want is not nil, lines that it rejects
// are neither read nor counted.
func Each(name string, want func(line []byte) bool, do func(Record)) (bad int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	day, _ := DayOf(name)
	lines := bufio.NewReaderSize(f, maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		whole := !errors.Is(err, bufio.ErrBufferFull)
		if line = bytes.TrimSpace(line); len(line) > 0 && (want == nil || want(line)) {
			if r, ok := parse(line, day); whole && ok {
				do(r)
			} else {
				bad++
			}
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		if errors.Is(err, io.EOF) {
			return bad, nil
		}
		if err != nil {
			return bad, err
		}
	}
}

// parse parses a line. A record without a time gets its file's day.
func parse(line []byte, day string) (r Record, ok bool) {
	if line[0] != '{' || json.Unmarshal(line, &r) != nil {
		return r, false
	}
	if r.Time.IsZero() {
		r.Time, _ = time.Parse(time.DateOnly, day)
	}
	return r, r.Chars >= 0 && r.Chars <= maxChars && r.MS >= 0 && r.MS <= maxMS
}
