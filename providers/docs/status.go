package docs

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers"
)

// about is the metadata of a document.
type about struct {
	name, title     string
	docType         docType
	status, summary string
	date            time.Time
	links           []providers.Link
}

// read finds the metadata of a document: in its frontmatter, in a separate section, or in lines such as
// "Status: accepted" before the first such section.
func read(name string, k docType, src []byte, list []section, front *markdown.Frontmatter, siblings []string) about {
	field := func(key string) string { return strings.TrimSpace(front.Field(key)) }
	a := about{name: name, docType: k, title: cmp.Or(field("name"), field("title")),
		summary: cmp.Or(field("summary"), field("description"))}
	if a.docType == plainDoc && field("name") != "" && field("summary") != "" {
		a.docType = blueprint
	}
	for _, s := range list {
		if s.level > 0 && a.title == "" {
			a.title = s.path[0]
		}
	}
	if k != decision && k != proposal && k != blueprint {
		return a
	}
	text := statusText(src, list)
	a.status = Status(cmp.Or(field("status"), text))
	a.date = dateIn(cmp.Or(field("date"), lineOf(src, dateLine), metaText(src, list, "date")))
	a.links = a.linked(strings.Join([]string{text, field("status"), "supersedes " + field("supersedes"),
		"superseded by " + cmp.Or(field("superseded_by"), field("superseded-by"))}, "\n"), siblings)
	if a.status == "" && slices.ContainsFunc(a.links, func(l providers.Link) bool {
		return l.Rel == providers.SupersededBy
	}) {
		a.status = "superseded"
	}
	return a
}

// opening returns the text before the first heading, preceded by the summary.
func (a about) opening(text string) string {
	if a.summary == "" {
		return text
	}
	return strings.TrimRight(a.summary+"\n\n"+strings.TrimLeft(text, "\r\n"), "\n") + "\n"
}

// isMeta reports whether a section only contains known metadata.
func (a about) isMeta(s section) bool {
	if s.level < 1 || len(s.path) == 0 {
		return false
	}
	last := strings.ToLower(strings.TrimSpace(s.path[len(s.path)-1]))
	return last == "status" || last == "date"
}

// statusText returns the text about the status of a document.
func statusText(src []byte, list []section) string {
	if text := metaText(src, list, "status"); text != "" {
		return text
	}
	return strings.Join([]string{lineOf(src, statusLine), prefixed("supersedes ", lineOf(src, supersedesLine)),
		prefixed("superseded by ", lineOf(src, supersededByLine))}, "\n")
}

// metaText returns the text of the section with this title, or "".
func metaText(src []byte, list []section, title string) string {
	for _, s := range list {
		if s.level > 0 && strings.EqualFold(strings.TrimSpace(s.path[len(s.path)-1]), title) {
			return string(s.body.Of(src))
		}
	}
	return ""
}

func prefixed(word, text string) string {
	if text == "" {
		return ""
	}
	return word + text
}

// What may precede a field name at the beginning of a line, and what follows it.
const beforeWord, behindWord = `(?i)^[\s>*_:|-]*`, `[*_\s]*[:|][*_\s]*(.+)$`

var (
	dateLine         = lazy.Pattern(beforeWord + `date` + behindWord)
	statusLine       = lazy.Pattern(beforeWord + `status` + behindWord)
	supersedesLine   = lazy.Pattern(beforeWord + `supersedes` + behindWord)
	supersededByLine = lazy.Pattern(beforeWord + `superseded by` + behindWord)
)

// lineOf returns the value of a field that matches form in one of the first lines, or "".
func lineOf(src []byte, form func() *regexp.Regexp) string {
	const near = 40
	n := 0
	for line := range strings.Lines(string(src)) {
		if n++; n > near {
			break
		}
		if m := form().FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			return strings.TrimSpace(m[1])
		}
	}
	return ""
}

var knownStatus = lazy.Pattern(`(?i)\b(accepted|approved|adopted|implemented|proposed|draft|pending|superseded` +
	`|replaced|deprecated|obsolete|rejected|declined|withdrawn)\b`)

// misspelled matches the ways in which people, and adr-tools, misspell superseded.
var misspelled = lazy.Pattern(`(?i)\bsupers?c(ed)`)

func spelled(text string) string { return misspelled().ReplaceAllString(text, "supers$1") }

// Status returns the first known status in a text, as one of accepted, proposed, superseded, deprecated and
// rejected, or "".
func Status(text string) string {
	m := knownStatus().FindAllString(spelled(text), -1)
	words := map[string]string{
		"approved": "accepted", "adopted": "accepted", "implemented": "accepted", "pending": "proposed", "draft": "proposed",
		"replaced": "superseded", "obsolete": "deprecated", "declined": "rejected", "withdrawn": "rejected",
	}
	first := ""
	for _, w := range m {
		w = strings.ToLower(w)
		w = cmp.Or(words[w], w)
		if first == "" || w == "superseded" { // it overrides other statuses, wherever it occurs
			first = w
		}
	}
	return first
}

// linked returns the documents that a status mentions, by link or by number.
func (a about) linked(text string, siblings []string) []providers.Link {
	var out []providers.Link
	for line := range strings.Lines(text) {
		lower := strings.ToLower(spelled(line))
		rel := providers.Rel("")
		switch {
		case strings.Contains(lower, "superseded by"), strings.Contains(lower, "replaced by"):
			rel = providers.SupersededBy
		case strings.Contains(lower, "supersedes"), strings.Contains(lower, "replaces"):
			rel = providers.Supersedes
		default:
			continue
		}
		for _, target := range a.named(line, siblings) {
			l := providers.Link{Rel: rel, ID: id(target, "")}
			if target != a.name && !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out
}

var (
	linkTarget   = lazy.Pattern(`\]\(([^)\s#]+)`)
	numberedName = lazy.Pattern(`(?i)\b(?:adr|decision|rfc)?[- #]*0*([1-9][0-9]{0,4})\b`)
)

// named returns the documents of the same folder that a line mentions.
func (a about) named(line string, siblings []string) []string {
	var out []string
	for _, m := range linkTarget().FindAllStringSubmatch(line, -1) {
		if target := path.Join(path.Dir(a.name), m[1]); slices.Contains(siblings, target) {
			out = append(out, target)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range numberedName().FindAllStringSubmatch(line, -1) {
		n, _ := strconv.Atoi(m[1])
		for _, s := range siblings {
			if path.Dir(s) == path.Dir(a.name) && Number(s) == n {
				out = append(out, s)
			}
		}
	}
	return out
}

var leadingNumber = lazy.Pattern(`(?i)^(?:adr|rfc)?[-_]?0*([0-9]+)`)

// Number returns the number at the beginning of the name of a document, or -1.
func Number(name string) int {
	m := leadingNumber().FindStringSubmatch(path.Base(name))
	if m == nil {
		return -1
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return -1
	}
	return n
}
