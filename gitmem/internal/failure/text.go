package failure

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

// Error is an error text without what differs from run to run.
type Error struct {
	lines   []line // that describe the error
	longest line
	tests   []line // that name the test
}

// line is a line of output. Its text has no positions, and only the last names of paths.
type line struct {
	said, text string
	paths      [][]string
}

var (
	// varying matches what differs from run to run: times, addresses, positions, identifiers, hashes, durations.
	varying = lazy.Pattern(`\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?` +
		`|\[?\b\d\d:\d\d:\d\d(?:[.,]\d+)?\]?|\b0x[0-9a-fA-F]+` +
		`|(?i:\b(?:lines?|column|col|ln|goroutine|pid|process|thread)[ =:#]+\d+(?:-\d+)?)` +
		`|:\d+:\d+\b|[(\[]\d+[:,] ?\d+[)\]]|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]*\d[0-9a-f]{6,64}\b` +
		`|\b(?:\d+(?:\.\d+)?(?:ns|µs|us|ms|h|m|s))+\b|\b\d+(?:\.\d+)? (?:seconds?|secs?|minutes?|ms)\b`)
	// file matches a path or file name, with a line number after it.
	file = lazy.Pattern(`(?:\b[A-Za-z]:)?[~\w.@+-]*(?:[\\/][\w.@+-]+)+(?::\d+)?` +
		`|\b(?:[\w-]+\.[A-Za-z]\w*|[Mm]akefile|Dockerfile)(?::\d+)?`)
	ansi      = lazy.Pattern(`\x1b\[[0-9;?]*[A-Za-z]`)
	lineOf    = lazy.Pattern(`:\d+$`)
	temporary = lazy.Pattern(`^/(?:private/)?(?:var/)?(?:tmp|folders)/|(?i)\\temp\\`)

	// blames matches a line that describes an error, and position one that begins with a position in a file.
	blames = lazy.Pattern(`(?i)\b(?:errors?|err!|fail(?:s|ed|ure|ures)?|fatal|panic|exception|cannot|can't|` +
		`could ?n[o']t|unable|undefined|undeclared|unresolved|not|no|denied|refused|rejected|invalid|missing|unknown|` +
		`unexpected|expected|conflicts?|already|must|timed? ?out|killed|abort(?:ed|ing)?|mismatch(?:ed)?)\b` +
		`|(?-i:(?:Error|Exception)\b)`)
	position = lazy.Pattern(`^\S+(?::\d+|\(\d+,\d+\)): ?\S|^\S+:\d+:\d+|^E {2,}\S`)
	// states matches a line that only reports that or how much failed, and lines of code and logs.
	states = lazy.Pattern(`(?i)\bexit(?:ed)?(?: with)?(?: code| status|:)|\*\*\* .*error \d+|^npm (?:err!|error) ` +
		`(?:code|errno|path|command|syscall)\b|^fail\s+\S+|` +
		`\b\d+ (?:\w+ )?(?:failed|failures?|passed|errors?|problems?|issues?)(?:$|[,;.)]| in | found)|` +
		`\b(?:task|build|tests?|command) failed\b|could not compile|most recent call last|aborting due|` +
		`lifecycle script|complete log|[{;]$|(?-i:\b(?:INFO|WARN|DEBUG)\b)`)
	// testName matches the name of a failed test, passes a line about a passed one, and zero a count of no failures.
	testName = lazy.Pattern(`^(?:--- FAIL: |FAILED |FAIL: |ERROR: test|[●✗✕×] |_{3,} |---- )\S|^test \S+ \.\.\. FAILED`)
	passes   = lazy.Pattern(`^(?:ok|PASS|✓|√|\?|--- PASS|===)\s|\.\.\. ok$|\bPASSED\b`)
	zero     = lazy.Pattern(`(?i)\b(?:0|no) (?:\w+ )?(?:errors?|failures?|failed|failing|problems?|issues?)\b|` +
		`failed[:=] ?0\b`)
)

// mostLines is the maximum number of compared lines: later errors follow from the first ones.
const mostLines = 12

// ReadError parses an error text. The Error is empty if the text does not describe an error.
func ReadError(text string) (e Error) {
	all := linesOf(text)
	for _, l := range all {
		switch {
		case testName().MatchString(l.said) && !strings.Contains(l.said, " - "):
			e.tests = append(e.tests, l)
		case len(e.lines) < mostLines && !states().MatchString(l.said) &&
			(len(all) == 1 || blames().MatchString(l.text) || position().MatchString(l.said)):
			e.lines = append(e.lines, l)
		}
	}
	if len(e.lines)+len(e.tests) == 0 {
		e.lines = slices.DeleteFunc(all, func(l line) bool { return states().MatchString(l.said) })
	}
	for _, l := range e.lines {
		if len(l.text) > len(e.longest.text) {
			e.longest = l
		}
	}
	return e
}

// Lines returns the lines that describe the error, as written.
func (e Error) Lines() []string { return slice.Map(e.lines, func(l line) string { return l.said }) }

// Literal returns a part of the error that each output with the same error contains, also a coloured one.
func (e Error) Literal() (longest string) {
	text := file().ReplaceAllString(varying().ReplaceAllString(e.longest.said, ":"), ":")
	for part := range strings.SplitSeq(text, ":") {
		if part = strings.TrimSpace(part); len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// In returns the lines of an output with the same error, the longest one first, or nil.
func (e Error) In(output string) (said []string) {
	if len(e.lines) == 0 || !strings.Contains(strings.ToLower(output), strings.ToLower(e.Literal())) {
		return nil
	}
	out := linesOf(output)
	find := func(l line) bool {
		i := slices.IndexFunc(out, l.same)
		if i >= 0 {
			said = append(said, out[i].said)
		}
		return i >= 0
	}
	if !find(e.longest) || !find(e.lines[0]) || 3*slice.Count(e.lines, find) < 2*len(e.lines) ||
		len(e.tests) > 0 && !slices.ContainsFunc(e.tests, find) {
		return nil
	}
	return said
}

// same reports whether another line equals or contains the line.
func (l line) same(other line) bool {
	if l.text != other.text && (strings.Count(l.text, " ") < 2 || !holds(other.text, l.text)) {
		return false
	}
	return !slices.ContainsFunc(l.paths, func(p []string) bool {
		return !slices.ContainsFunc(other.paths, func(o []string) bool {
			n := min(len(p), len(o), 2)
			return slices.Equal(p[len(p)-n:], o[len(o)-n:])
		})
	})
}

// holds reports whether a text contains another one, at word boundaries.
func holds(text, part string) bool {
	return strings.Contains(" "+text+" ", " "+part+" ")
}

// clean reports whether an output contains no failure.
func clean(output string) bool {
	return !slices.ContainsFunc(linesOf(output), func(l line) bool {
		said := zero().ReplaceAllString(file().ReplaceAllString(l.said, ""), "")
		return blames().MatchString(said) || states().MatchString(said)
	})
}

// linesOf returns the lines of a text with at least two words.
func linesOf(text string) (out []line) {
	for said := range strings.Lines(text) {
		said = strings.Trim(ansi().ReplaceAllString(said, ""), " \t\r\n│|")
		if l := newLine(said); strings.Contains(l.text, " ") && strings.ContainsFunc(l.text, unicode.IsLetter) {
			out = append(out, l)
		}
	}
	return out
}

func newLine(said string) line {
	const most = 2000 // bytes that are compared
	l := line{said: said}
	text := varying().ReplaceAllString(said[:min(len(said), most)], "")
	text = file().ReplaceAllStringFunc(text, func(s string) string {
		path := strings.FieldsFunc(lineOf().ReplaceAllString(s, ""), func(r rune) bool { return r == '/' || r == '\\' })
		path = slices.DeleteFunc(path, func(name string) bool { return name == "." || name == ".." })
		switch {
		case len(path) == 0:
			return s
		case temporary().MatchString(s) && !strings.Contains(path[len(path)-1], "."):
			return "tmp"
		case temporary().MatchString(s):
			path = path[len(path)-1:]
		}
		l.paths = append(l.paths, path)
		return path[len(path)-1]
	})
	l.text = strings.Join(strings.Fields(text), " ")
	return l
}
