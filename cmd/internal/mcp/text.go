package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

// How much of a source is shown: runes of text and lines of patches per call, and entries per list.
const (
	sourceRunes = 6000
	patchLines  = 150
	testLines   = 15 // of the patch of a test
	fewLines    = 3  // of a patch at least, while there is room
	mostListed  = 8
)

// answerText formats an answer: its evidence first, then what else is known and how to ask differently, and
// last its verdict with all caveats.
func answerText(a gitmem.Answer, more ...string) string {
	text := a.Answer + "\n" + strings.Join(more, "")
	if a.Verdict == gitmem.NotRecorded {
		text = unrecordedText(a) + strings.Join(more, "")
		a.Fallbacks, a.Suggestions = nil, nil
	}
	return text + "\n" + remarks(nil, a.Fallbacks, a.Suggestions) + verdictLine(a.Verdict, a.Confidence, a.Caveats)
}

// mostLeads is how many close sources are listed for a question without an answer.
const mostLeads = 2

// unrecordedText lists the records close to a question. Its last line states that none answers it, which
// sources were searched, and which words to try.
func unrecordedText(a gitmem.Answer) string {
	var b strings.Builder
	for _, c := range a.Citations[:min(len(a.Citations), mostLeads)] {
		fmt.Fprintf(&b, "near: %s\n", citationLine(c, ""))
		if c.Excerpt != "" && !strings.HasPrefix(c.Title, c.Excerpt) {
			fmt.Fprintf(&b, "  > %s\n", c.Quoted())
		}
	}
	line, _, _ := strings.Cut(a.Answer, "\n")
	for _, hint := range a.Suggestions {
		line += " " + strings.TrimSuffix(definition{}.inArguments(hint), ".") + "."
	}
	return b.String() + line + "\n"
}

// verdictLine returns one line with the verdict, the confidence and the caveats of an answer.
func verdictLine(v gitmem.Verdict, c gitmem.Confidence, caveats []string) string {
	line := "verdict: " + map[gitmem.Verdict]string{
		gitmem.Answered: "answered", gitmem.Closest: "closest, not claimed as the answer", gitmem.NotRecorded: "not recorded",
	}[v] + "; confidence: " + string(c)
	for i, caveat := range caveats {
		line += []string{"; caveats: ", " "}[min(i, 1)] + strings.Join(strings.Fields(definition{}.inArguments(caveat)), " ")
	}
	return line + "\n"
}

// researchText formats the answer of a researching model, and the claims that were cut.
func researchText(r gitmem.ResearchResult) string {
	text := r.Answer + "\n\n"
	for _, c := range r.Cut {
		text += "cut: " + c + "\n"
	}
	if !r.Success {
		r.Caveats = append(slices.Clip(r.Caveats), "the model gave no answer, so this is the one without it: "+r.Failure)
	}
	return text + verdictLine(r.Verdict, r.Confidence, r.Caveats)
}

// remarks lists what could not be done, what was done instead, and what to try.
func remarks(lists ...[]string) string {
	var b strings.Builder
	for i, list := range lists {
		for _, line := range list {
			fmt.Fprintf(&b, "%s: %s\n", []string{"caveat", "fallback", "hint"}[i], definition{}.inArguments(line))
		}
	}
	return b.String()
}

// hitRunes returns how many characters of a hit's text are shown. The first hits answer most questions, so
// they get more. A sentence is enough to judge the others, and documents can be read on disk.
func hitRunes(rank int, h gitmem.Hit) int {
	runes := []int{900, 450, 250, sentenceRunes}[min(rank, 3)]
	if h.Source == "docs" {
		runes = min(runes, 300)
	}
	return runes
}

func hitsText(res gitmem.Results) string {
	var b strings.Builder
	if len(res.Hits) == 0 {
		b.WriteString("Nothing found.\n" + remarks(nil, res.Fallbacks, res.Suggestions))
	}
	for i, h := range res.Hits {
		h = titled(h)
		fmt.Fprintf(&b, "%d. %s\n", i+1, citationLine(h.Citation, h.Release))
		if text := message(h, hitRunes(i, h)); text != "" {
			fmt.Fprintf(&b, "   %s\n", text)
		}
		for _, line := range h.Changed {
			fmt.Fprintf(&b, "   %s\n", line)
		}
	}
	if len(res.Missing) > 0 {
		fmt.Fprintf(&b, "Words in no record: %s\n", strings.Join(res.Missing, ", "))
	}
	return b.String()
}

// titled adds the first words of a changelog entry to its title, before the title of its release, which is
// the same for all entries.
func titled(h gitmem.Hit) gitmem.Hit {
	_, anchor, _ := strings.Cut(h.ID, "#")
	if h.Source != "docs" || !strings.Contains(anchor, "/") {
		return h
	}
	entry := strings.TrimLeft(strings.Join(strings.Fields(h.Body), " "), "-*+ ")
	title := clip.Words(entry, titleRunes, " …")
	if title == entry {
		h.Body, h.Excerpt = "", ""
	}
	h.Title = title + " (" + h.Title + ")"
	return h
}

// titleRunes is how much of an entry is used as its title.
const titleRunes = 160

// sentenceRunes is how much of the best matching sentence is shown for a hit that is not among the first.
const sentenceRunes = 160

// message returns the text of a hit without its title if it fits, otherwise its matching sentences, with a
// mark.
func message(h gitmem.Hit, runes int) string {
	body := strings.Join(strings.Fields(h.Body), " ")
	switch {
	case utf8.RuneCountInString(body) <= runes:
		return body
	case runes <= sentenceRunes && h.Excerpt != "" && !strings.HasPrefix(h.Title, h.Excerpt):
		return clip.Words(h.Quoted(), runes, " …")
	}
	text := clip.Words(strings.Join(h.Sentences, " … "), runes, " …")
	if !strings.HasSuffix(text, "…") {
		text += " …"
	}
	return text
}

// citationLine describes a source: title, id, author, date, release and anything unusual.
func citationLine(c gitmem.Citation, release string) string {
	about := []string{}
	for _, s := range []string{c.Author, c.OtherAgent(), day(c.Time)} {
		if s != "" && s != c.Title {
			about = append(about, s)
		}
	}
	if i := slices.IndexFunc(c.Also, isCommit); c.Source == "docs" && i >= 0 {
		about = append(about, "line of ["+c.Also[i]+"]")
	}
	if release != "" {
		about = append(about, "first tag "+release)
	}
	if c.RevertedBy != "" {
		about = append(about, "REVERTED by "+c.RevertedBy)
	}
	if c.Status != "holds" && c.RevertedBy == "" {
		about = append(about, string(c.Status))
	}
	return strings.TrimSpace(fmt.Sprintf("%s [%s] %s", c.Title, c.ID, strings.Join(about, ", ")))
}

func isCommit(id string) bool { return strings.HasPrefix(id, "git:commit:") }

// day returns the date of a time in RFC 3339.
func day(t string) string { return t[:min(len(t), len(time.DateOnly))] }

// shares returns how many characters of each source's text are shown: all of short ones, and equal shares of
// the remaining room for the others.
func shares(sources []gitmem.Shown) []int {
	out, room, open := make([]int, len(sources)), sourceRunes, len(sources)
	byLength := make([]int, len(sources))
	for i, s := range sources {
		byLength[i], out[i] = i, utf8.RuneCountInString(strings.TrimSpace(s.Text))
	}
	slices.SortStableFunc(byLength, func(a, b int) int { return cmp.Compare(out[a], out[b]) })
	for _, i := range byLength {
		out[i] = min(out[i], room/open)
		room, open = room-out[i], open-1
	}
	return out
}

// sourceText formats a source with this many characters of its text, as one of of sources.
func sourceText(s gitmem.Shown, runes, of int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s]", s.ID)
	for _, part := range []struct{ name, value string }{
		{"by", s.Author}, {"on", day(s.Time)}, {"state", s.State}, {"first tag", s.Release}, {"REVERTED by", s.RevertedBy},
		{"with", folded(s.Also)}, {"url", s.URL}, {"session", s.Session},
	} {
		if part.value != "" && (part.name != "url" || s.Source != "git") {
			fmt.Fprintf(&b, " %s %s;", part.name, part.value)
		}
	}
	text := strings.TrimSpace(s.Text)
	if n := utf8.RuneCountInString(text); n > runes {
		text = fmt.Sprintf("%s\n… %d more characters: search for words in it", string([]rune(text)[:runes]), n-runes)
	}
	fmt.Fprintf(&b, "\n%s\n", text)
	var links []string
	for _, l := range s.Links {
		links = append(links, fmt.Sprintf("%s [%s]", l.Rel, l.ID))
	}
	list(&b, "links", links)
	list(&b, "later", slice.Map(s.FollowUps, func(c gitmem.Citation) string { return citationLine(c, "") }))
	b.WriteString(changesText(s, patchLines/of))
	if s.Caveat != "" {
		b.WriteString(remarks([]string{s.Caveat}))
	}
	return b.String()
}

// list writes a list, with a count of the entries beyond the first ones.
func list(b *strings.Builder, name string, entries []string) {
	if len(entries) > 0 {
		fmt.Fprintf(b, "%s: %s\n", name, folded(entries))
	}
}

func folded(entries []string) string {
	text := strings.Join(entries[:min(len(entries), mostListed)], "; ")
	if n := len(entries) - mostListed; n > 0 {
		text += fmt.Sprintf("; and %d more", n)
	}
	return text
}

// changesText formats the changes of a commit: its files, those with the most changed lines first, and the
// requested patches, limited to lines.
func changesText(s gitmem.Shown, lines int) string {
	var b strings.Builder
	if s.Changes == nil {
		list(&b, "files", s.Paths)
		return b.String()
	}
	changes := slices.Clone(s.Changes)
	slices.SortStableFunc(changes, func(x, y gitmem.FileChange) int {
		return cmp.Compare(y.Added+y.Removed, x.Added+x.Removed)
	})
	list(&b, "files", slice.Map(changes, func(c gitmem.FileChange) string {
		return fmt.Sprintf("%s +%d -%d", c.Path, c.Added, c.Removed)
	}))
	slices.Reverse(changes) // the small ones leave room for the others
	slices.SortStableFunc(changes, func(x, y gitmem.FileChange) int { return cmp.Compare(isTest(x.Path), isTest(y.Path)) })
	more := 0
	for i, c := range changes {
		patch := strings.SplitAfter(strings.TrimSuffix(c.Patch, "\n"), "\n")
		if c.Patch == "" || c.Status == "deleted" {
			continue
		}
		shown := min(len(patch), max(lines/(len(changes)-i), min(lines, len(patch), fewLines)))
		if isTest(c.Path) > 0 {
			shown = min(shown, testLines)
		}
		if shown == 0 {
			more++
			continue
		}
		lines -= shown
		fmt.Fprintf(&b, "%s\n", strings.TrimSuffix(strings.Join(patch[:shown], ""), "\n"))
		if rest := len(patch) - shown; rest > 0 {
			fmt.Fprintf(&b, "… %d more lines of %s\n", rest, c.Path)
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "… %d more files of the change\n", more)
	}
	if s.LeftOut > 0 {
		fmt.Fprintf(&b, "… %d more lines of the change\n", s.LeftOut)
	}
	return b.String()
}

var testPath = lazy.Pattern(`(?i)(^|/)(tests?|testdata|specs?|__tests__)/|(^|/)test_|[_.-](test|tests|spec)\.[^/]*$`)

// isTest returns 1 for the path of a test, which explains least why a change was made.
func isTest(path string) int {
	if testPath().MatchString(path) {
		return 1
	}
	return 0
}

// peopleText lists who works on a path.
func peopleText(path string, e gitmem.Experts) string {
	var b strings.Builder
	fmt.Fprintf(&b, "People of %s:\n", path)
	for _, p := range e.People {
		active := ""
		if !p.Active {
			active = ", no longer active"
		}
		fmt.Fprintf(&b, "- %s: %d commits, %d lines, %d reviews, last %s%s\n", p.Name, p.Commits, p.Lines, p.Reviews,
			p.Last.Format(time.DateOnly), active)
	}
	return b.String()
}

func whyText(w gitmem.Why) string {
	var b strings.Builder
	for _, l := range w.Lines[:min(len(w.Lines), mostListed)] {
		from := "not committed"
		if l.Commit != "" {
			from = "[git:commit:" + l.Commit + "]"
		}
		if l.Session != "" {
			from += " by [" + l.Session + "]"
		}
		text, _, _ := strings.Cut(strings.TrimSpace(l.Text), "\n")
		fmt.Fprintf(&b, "%s:%d %s %s\n", w.Path, l.From, text, from)
	}
	for _, c := range w.Commits {
		fmt.Fprintf(&b, "%s: %s [%s] %s\n", c.Part, c.Title, c.ID, folded(commitFacts(c)))
	}
	for _, r := range w.Reasons {
		fmt.Fprintf(&b, "why: %s [%s] %s\n", r.Quoted(), r.ID, day(r.Time))
	}
	if !w.Recorded {
		b.WriteString("The reason is not recorded.\n")
	}
	return b.String()
}

// commitFacts lists data about a commit besides its message.
func commitFacts(c gitmem.WhyCommit) []string {
	facts := []string{c.Author, day(c.Time)}
	if c.Release != "" {
		facts = append(facts, "first tag "+c.Release)
	}
	if via := cmp.Or(c.Via, c.PullRequest); via != "" {
		facts = append(facts, "by ["+via+"]")
	}
	if len(c.Closes) > 0 {
		facts = append(facts, "closes "+strings.Join(c.Closes, ", "))
	}
	if c.RevertedBy != "" {
		facts = append(facts, "REVERTED by "+c.RevertedBy)
	}
	return facts
}
