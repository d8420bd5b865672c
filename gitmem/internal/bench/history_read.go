package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// HistoryReading says how a history is printed.
type HistoryReading struct {
	Repository string
	Figures    string // file for what the reading took
	Paths      bool
	Lines      bool // with the changed lines of each file and what they do
	Records    bool // in the form that is compared, else to be read
}

// HistoryRead is what a reading took, in bytes, and what it left out.
type HistoryRead struct {
	Commits   int      `json:"commits"`
	HeapInUse uint64   `json:"heap_in_use"`
	HeapSys   uint64   `json:"heap_sys"`
	Skipped   []string `json:"skipped"`
}

// ReadHistory prints the whole history behind HEAD.
func ReadHistory(ctx context.Context, o HistoryReading, to io.Writer) (err error) {
	loc, err := git.Discover(o.Repository, nil)
	if err != nil {
		return err
	}
	r, err := git.Open(loc)
	if err != nil {
		return err
	}
	defer r.Close()
	heap := watchHeap()
	read := HistoryRead{Skipped: []string{}}
	w := bufio.NewWriterSize(to, 1<<16)
	for c, err := range r.Walk(ctx, []string{"HEAD"}, git.WalkOptions{Paths: o.Paths, Substance: o.Lines}) {
		if err != nil {
			return err
		}
		read.Commits++
		switch {
		case o.Records && o.Lines:
			printCounts(w, &c)
		case o.Records:
			printRecord(w, &c)
		default:
			printCommit(w, &c)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	read.HeapInUse, read.HeapSys = heap.stop()
	for _, s := range r.Skipped() {
		read.Skipped = append(read.Skipped, s.Object+": "+s.Reason)
	}
	b, err := json.Marshal(read)
	if err != nil {
		return err
	}
	return os.WriteFile(o.Figures, b, 0o600)
}

// printCommit prints about what git log does.
func printCommit(w *bufio.Writer, c *git.Commit) {
	write(w, "commit ", c.Hash, "\nAuthor: ", c.Author.Name, " <", c.Author.Email, ">\nDate:   ")
	var date [64]byte
	_, _ = w.Write(c.Author.When.AppendFormat(date[:0], "Mon Jan 2 15:04:05 2006 -0700"))
	write(w, "\n\n    ", c.Subject, "\n")
	for line := range strings.Lines(c.Body) {
		write(w, "    ", line)
	}
	write(w, "\n\n")
	if c.Substance != nil {
		for _, f := range c.Substance.Files {
			write(w, strconv.Itoa(f.Added), "\t", strconv.Itoa(f.Removed), "\t", f.Path, "\n")
		}
		write(w, c.Substance.Gist, "\n")
		return
	}
	for _, ch := range c.Changes {
		write(w, ch.Path, "\n")
	}
}

// write needs no error: a bufio.Writer keeps the first one for Flush.
func write(w *bufio.Writer, parts ...string) {
	for _, s := range parts {
		_, _ = w.WriteString(s)
	}
}

const (
	recordMark = "\x1e\x01"
	fieldMark  = "\x1f\x01"
)

// hexed is text as git's formats have it.
func hexed(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%x%02x", s[i])
	}
	return b.String()
}

// recordFormat makes git print what printRecord prints.
func recordFormat() string {
	return hexed(recordMark) + strings.Join([]string{"%H", "%P", "%T", "%aN", "%aE", "%at", "%cN", "%cE", "%ct", "%s", "%b"}, hexed(fieldMark)) + hexed(fieldMark)
}

// printRecord prints everything of a commit, for a program.
func printRecord(w *bufio.Writer, c *git.Commit) {
	write(w, recordMark)
	for _, s := range []string{c.Hash, strings.Join(c.Parents, " "), c.Tree,
		c.Author.Name, c.Author.Email, strconv.FormatInt(c.Author.When.Unix(), 10),
		c.Committer.Name, c.Committer.Email, strconv.FormatInt(c.Committer.When.Unix(), 10), c.Subject, c.Body} {
		write(w, s, fieldMark)
	}
	for _, ch := range c.Changes {
		write(w, ch.Path, "\x00")
	}
}

// heapWatch samples the heap of this process.
type heapWatch struct {
	end   chan struct{}
	done  sync.WaitGroup
	inUse uint64
}

func watchHeap() *heapWatch {
	h := &heapWatch{end: make(chan struct{})}
	tick := time.NewTicker(time.Millisecond)
	h.done.Go(func() {
		defer tick.Stop()
		for {
			h.look()
			select {
			case <-tick.C:
			case <-h.end:
				return
			}
		}
	})
	return h
}

// look notes what the heap holds: objects, dead ones too, and the gaps between them.
// It returns what the heap has from the system.
func (h *heapWatch) look() (sys uint64) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	h.inUse = max(h.inUse, samples[0].Value.Uint64()+samples[1].Value.Uint64())
	for _, s := range samples {
		sys += s.Value.Uint64()
	}
	return sys
}

func (h *heapWatch) stop() (inUse, sys uint64) {
	close(h.end)
	h.done.Wait()
	sys = h.look()
	return h.inUse, sys
}
