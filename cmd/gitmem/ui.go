package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/lazy"
)

var c1Control = lazy.Pattern(`[\x{7f}-\x{9f}]`)

// printJSON prints a value as indented JSON, without escaping <, > and &, which are
// frequent in excerpts. encoding/json leaves DEL and the C1 controls, which control
// terminals; they are escaped here.
func (a *app) printJSON(v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	text := c1Control().ReplaceAllStringFunc(b.String(), func(s string) string {
		return fmt.Sprintf(`\u%04x`, []rune(s)[0])
	})
	_, err := io.WriteString(a.out, text)
	return err
}

// emit prints the result of a command, as JSON with --json.
func emit[T any](a *app, v T, print func(T)) error {
	a.bar.clear()
	if a.json {
		return a.printJSON(v)
	}
	print(v)
	return nil
}

// orNothing returns the error of a command that printed its result: errNothing if it is empty.
func orNothing(err error, empty bool) error {
	if err == nil && empty {
		return errNothing
	}
	return err
}

// printCaveats prints the caveats of a result.
func (a *app) printCaveats(list []string) {
	for _, c := range list {
		fmt.Fprintf(a.out, "%s %s\n", a.paint(yellow, "caveat:"), shorten(printable(c)))
	}
}

// style marks text on a terminal; elsewhere it leaves text unchanged.
type style string

const (
	bold   style = "\x1b[1m"
	dim    style = "\x1b[2m"
	green  style = "\x1b[32m"
	yellow style = "\x1b[33m"
	red    style = "\x1b[31m"
	cyan   style = "\x1b[36m"
	reset        = "\x1b[0m"
)

// colour reports whether to colour output: on a terminal, unless NO_COLOR is set.
func (a *app) colour() bool {
	return a.outTTY && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"
}

func (a *app) paint(s style, text string) string {
	if !a.colour() || text == "" {
		return text
	}
	return string(s) + text + reset
}

// printAnswer prints an answer as Markdown, coloured on a terminal.
func (a *app) printAnswer(ans gitmem.Answer) {
	a.printMarkdown(ans.Answer)
	fmt.Fprintf(a.out, "verdict: %s\n", a.verdictOf(ans))
	a.printState(ans.State)
	a.printCaveats(ans.Caveats)
	a.printFallbacks(ans.Fallbacks, ans.Suggestions)
}

// printMarkdown prints the text of an answer and a blank line.
func (a *app) printMarkdown(text string) {
	text = shorten(printable(text))
	if a.outTTY || a.getenv("COLUMNS") != "" { // programs need unwrapped lines
		text = wrap(text, a.columns())
	}
	fmt.Fprintf(a.out, "%s\n\n", a.decorate(text))
}

// printState prints the state that was asked about.
func (a *app) printState(r gitmem.State) {
	if r.AsOf != "" {
		fmt.Fprintf(a.out, "as of: %s\n", r.AsOf)
	}
}

// verdictOf describes how certain an answer is, or that it reports the opposite of what was asked.
func (a *app) verdictOf(ans gitmem.Answer) string {
	if ans.IsReverse() {
		return a.paint(yellow, "closest, the reverse is recorded")
	}
	return a.verdict(ans.Confidence)
}

// verdict describes how certain an answer is.
func (a *app) verdict(c gitmem.Confidence) string {
	switch c {
	case gitmem.High:
		return a.paint(green, "answered, high confidence")
	case gitmem.Medium:
		return a.paint(green, "answered, medium confidence")
	case gitmem.Low:
		return a.paint(yellow, "closest, nothing is claimed")
	}
	return a.paint(red, "not recorded")
}

var listMark = lazy.Pattern(`^(- |> |[0-9]+\. )`)

// wrap breaks lines at spaces to a width in characters. Continuation lines are indented to the start of the
// text of their line, in a quote after its marker. Words are not broken.
func wrap(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimRight(line, "\n")
		bare := strings.TrimLeft(body, " ")
		indent := body[:len(body)-len(bare)]
		lead, more := indent, indent
		if mark := listMark().FindString(bare); mark != "" {
			bare, lead, more = bare[len(mark):], indent+mark, indent+strings.Repeat(" ", len(mark))
			if mark == "> " {
				more = lead
			}
		}
		if utf8.RuneCountInString(body) <= width { // unchanged, as in its source
			b.WriteString(line)
			continue
		}
		b.WriteString(filled(bare, lead, more, width) + line[len(body):])
	}
	return b.String()
}

// filled arranges words in lines of a width, the first one after lead and the others after more.
func filled(text, lead, more string, width int) string {
	var b strings.Builder
	b.WriteString(lead)
	at := utf8.RuneCountInString(lead)
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + more)
			at = utf8.RuneCountInString(more)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

var (
	citationMark = lazy.Pattern(`\[[a-z:]+:[^\]\s]+\]`)
	boldText     = lazy.Pattern(`\*\*([^*]+)\*\*`)
	quotedLine   = lazy.Pattern(`(?m)^(\s*> .*)$`)
)

// decorate marks the citations and quotes of a Markdown answer on a terminal.
func (a *app) decorate(text string) string {
	if !a.colour() {
		return text
	}
	text = citationMark().ReplaceAllStringFunc(text, func(s string) string { return a.paint(cyan, s) })
	text = boldText().ReplaceAllString(text, string(bold)+"$1"+reset)
	return quotedLine().ReplaceAllString(text, string(dim)+"$1"+reset)
}

var (
	transcriptID = lazy.Pattern(`(transcript:(?:[a-z]+-[0-9a-f]{8}-[0-9a-f]{4}` +
		`|[0-9a-f]{8}))(?:-[0-9a-f]{4}){2,3}-[0-9a-f]{12}:`)
	commitID = lazy.Pattern(`(git:commit:[0-9a-f]{12})[0-9a-f]{28}`)
)

// shorten abbreviates commit ids to 12 digits and session ids to 8, or of other agents than Claude Code to
// 12, for people; JSON has them in full.
func shorten(text string) string {
	if strings.Contains(text, "transcript:") { // most texts have neither, and the regular expression is slow
		text = transcriptID().ReplaceAllString(text, "$1:")
	}
	if !strings.Contains(text, "git:commit:") {
		return text
	}
	return commitID().ReplaceAllString(text, "$1")
}

// visible is a writer that removes invisible characters and the client's own tag, see [gitmem.Visible]. Each
// Write must be a complete text.
type visible struct{ to io.Writer }

func (v visible) Write(p []byte) (int, error) {
	if _, err := io.WriteString(v.to, gitmem.Visible(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// unfiltered returns the stream inside a visible one, for an editor that draws on it.
func unfiltered(w io.Writer) io.Writer {
	if v, ok := w.(visible); ok {
		return v.to
	}
	return w
}

// printable removes control characters, because text in other people's commits must not control the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if (r < ' ' && r != '\n' && r != '\t') || (r >= 0x7f && r < 0xa0) {
			return -1
		}
		return r
	}, s)
}

// bar is a progress bar on standard error, if it is a terminal.
type bar struct {
	w     io.Writer
	drawn bool
	next  int
}

// progress draws a bar while an index is built, on a terminal, unless there is a receiver for progress.
func (a *app) progress() func(gitmem.Progress) {
	if a.reportProgress != nil || !a.errTTY {
		return a.reportProgress
	}
	a.bar = &bar{w: a.err}
	return a.bar.show
}

// show draws once per 500 documents at most: a terminal is slower than an index. If the total is unknown
// until the end, the bar shows movement and the count.
func (b *bar) show(p gitmem.Progress) {
	if p.Waiting != "" {
		b.wait(p)
		return
	}
	if b.drawn && p.Done >= b.next-500 && p.Done < b.next {
		return
	}
	b.drawn, b.next = true, p.Done+500
	const width = 20
	if p.Total > 0 {
		at := min(p.Done, p.Total) * width / p.Total
		fmt.Fprintf(b.w, "\r\x1b[Kindexing %s [%s%s] %d of %d", p.Shard, strings.Repeat("=", at),
			strings.Repeat(" ", width-at), p.Done, p.Total)
		return
	}
	at := p.Done / 500 % width
	fmt.Fprintf(b.w, "\r\x1b[K%s [%s=%s] %d", "indexing "+p.Shard, strings.Repeat(" ", at),
		strings.Repeat(" ", width-1-at), p.Done)
}

// wait draws what the command waits for instead of a bar. The fetcher stores what arrived so far, and another
// process can continue.
func (b *bar) wait(p gitmem.Progress) {
	b.drawn, b.next = true, 0
	soFar := ""
	if p.Done > 0 {
		soFar = ", " + count(p.Done, "item") + " so far"
	}
	fmt.Fprintf(b.w, "\r\x1b[Kwaiting for %s%s (Ctrl-C ends it and loses nothing)", printable(p.Waiting), soFar)
}

// clear removes the bar before anything else is printed.
func (b *bar) clear() {
	if b != nil && b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.drawn = false
	}
}
