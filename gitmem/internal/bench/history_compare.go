package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// compare lets both sides print all commits and sets them side by side.
func (r *historyRunner) compare(ctx context.Context, rep *HistoryReport) error {
	args := []string{"-c", "i18n.logOutputEncoding=UTF-8", "-c", "log.mailmap=true"}
	theirs, err := r.stream(r.command(ctx, r.git, append(args, r.gitArgs("log", "-z", "--no-renames", "--name-only", "--format="+recordFormat())...)...))
	if err != nil {
		return err
	}
	ours, err := r.stream(r.child(ctx, HistoryReading{Paths: true, Records: true}))
	if err != nil {
		return errors.Join(err, theirs.end())
	}
	rep.sideBySide(theirs.records, ours.records)
	if err := errors.Join(theirs.end(), ours.end()); err != nil {
		return err
	}
	b, err := os.ReadFile(r.figures())
	if err != nil {
		return err
	}
	var read HistoryRead
	if err := json.Unmarshal(b, &read); err != nil {
		return err
	}
	rep.Skipped = read.Skipped
	rep.Equal = rep.Different+rep.Texts == 0
	return nil
}

// recordStream is a process whose records are read while it prints them.
type recordStream struct {
	records func() (record, bool)
	end     func() error
}

func (r *historyRunner) stream(c *exec.Cmd) (recordStream, error) {
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err != nil {
		return recordStream{}, err
	}
	if err := c.Start(); err != nil {
		return recordStream{}, err
	}
	s := scanRecords(out)
	return recordStream{
		records: func() (record, bool) {
			if !s.Scan() {
				return record{}, false
			}
			return parseRecord(s.Bytes()), true
		},
		end: func() error {
			_, _ = io.Copy(io.Discard, out)
			if err := errors.Join(c.Wait(), s.Err()); err != nil {
				return fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
			}
			return nil
		},
	}, nil
}

// maxRecord bounds one commit with its files.
const maxRecord = 256 << 20

func scanRecords(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), maxRecord)
	mark := []byte(recordMark)
	s.Split(func(b []byte, atEOF bool) (int, []byte, error) {
		b2, _ := bytes.CutPrefix(b, mark)
		skipped := len(b) - len(b2)
		if i := bytes.Index(b2, mark); i >= 0 {
			return skipped + i, b2[:i], nil
		}
		if atEOF && len(b) > 0 {
			return len(b), b2, nil
		}
		return 0, nil, nil
	})
	return s
}

// record is a commit as both sides print it.
type record struct {
	hash, parents string
	texts         []string // tree, people, times, subject, body
	files         []string
}

func parseRecord(b []byte) record {
	parts := strings.Split(string(b), fieldMark)
	var r record
	r.files = strings.FieldsFunc(parts[len(parts)-1], func(c rune) bool { return c == 0 })
	// With -z git ends the text of a commit with a NUL and begins its files with a
	// line feed.
	if len(r.files) > 0 {
		if r.files[0] = strings.TrimPrefix(r.files[0], "\n"); r.files[0] == "" {
			r.files = r.files[1:]
		}
	}
	for i, s := range parts[:len(parts)-1] {
		switch s = strings.ToValidUTF8(s, "\uFFFD"); i {
		case 0:
			r.hash = s
		case 1:
			r.parents = s
		default:
			// Which white space stands between words is a matter of presentation.
			r.texts = append(r.texts, strings.Join(strings.Fields(s), " "))
		}
	}
	return r
}

// sideBySide compares two lists of commits, in order.
func (rep *HistoryReport) sideBySide(theirs, ours func() (record, bool)) {
	hard := false // First is not only about texts
	for {
		a, more := theirs()
		b, more2 := ours()
		if !more && !more2 {
			return
		}
		rep.Commits++
		rep.Files += len(a.files)
		switch {
		case more != more2 || a.hash != b.hash || a.parents != b.parents || !slices.Equal(a.files, b.files):
			rep.Different++
		case !slices.Equal(a.texts, b.texts):
			rep.Texts++
		default:
			continue
		}
		if rep.First == "" || rep.Different == 1 && !hard {
			rep.First = firstDifference(a, b)
		}
		hard = rep.Different > 0
	}
}

func firstDifference(a, b record) string {
	what := func(r record) string { return fmt.Sprintf("%s %s %q %q", r.hash, r.parents, r.texts, r.files) }
	return cutText("git: "+what(a), 1000) + "\nhere: " + cutText(what(b), 1000)
}

func cutText(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}
