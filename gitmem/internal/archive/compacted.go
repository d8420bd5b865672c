package archive

import (
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Log summarises a session's log of a day, in addition to its digest.
type Log struct {
	Name    string   // of its file
	Lines   int      // parsed lines, including those of earlier sections
	Calls   int      // number of tool calls
	Failed  []string // log lines of failed calls
	Skipped int      // number of unparsable lines
}

// mostFailed is the maximum number of failed calls that a section quotes.
const mostFailed = 12

// Compacted returns the section that replaces a session's log. It copies log lines unchanged, so that a line that was
// forgotten in one is recognised in the other.
func Compacted(d transcript.Digest, ideas []Idea, l Log, before Session, day string) string {
	var b strings.Builder
	begin(&b, d, cite.Compacted, before.BlockID(d.Session))
	fmt.Fprintf(&b, "The log had %s, of which %d failed", messages.Plural(l.Calls, "tool call"), len(l.Failed))
	if l.Skipped > 0 {
		fmt.Fprintf(&b, ", and %s that could not be read", messages.Plural(l.Skipped, "line"))
	}
	b.WriteString(".\n\n")
	for _, line := range l.Failed[:min(len(l.Failed), mostFailed)] {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	if more := len(l.Failed) - mostFailed; more > 0 {
		fmt.Fprintf(&b, "- and %s that failed\n", messages.Plural(more, "more call"))
	}
	if len(l.Failed) > 0 {
		b.WriteString("\n")
	}
	writeTopics(&b, d, ideas, "", day)
	if did := touched(d); did != "" {
		b.WriteString(did + "\n")
	}
	fmt.Fprintf(&b, "%s%s · %s · log: %s, %s\n", cite.HeadStart, d.Session, span(day, d.Start, d.End), l.Name,
		messages.Plural(l.Lines, "line"))
	return b.String()
}

// Covered returns how many lines of a session's log the sections of a file cover. ok is false if no section covers this
// log.
func Covered(src []byte, session, log string) (lines int, ok bool) {
	for _, text := range cite.ArchiveSections(src) {
		if h := cite.ReadHead(time.Time{}, text); h.Session == session && h.Log == log {
			lines, ok = max(lines, h.LogLines), true
		}
	}
	return lines, ok
}
