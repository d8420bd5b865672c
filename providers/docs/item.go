package docs

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers"
)

const (
	// MaxSize is the maximum size of a document in bytes: larger ones are generated.
	MaxSize = 1 << 20
	// maxSections is the maximum number of sections of a document, and of entries of a changelog.
	maxSections = 5000
	maxText     = 64 << 10
	scheme      = providers.Docs + ":"
)

// LastChange is the author and the time of the last change to a document. The zero value is unknown.
type LastChange struct {
	Time   time.Time
	Author providers.Person
}

// Section is a citable part of a document.
type Section struct {
	providers.Item
	Line int // line of the document where Text begins, from 1
	// Undated is set if the notes of a release have no date: Time is the document's.
	Undated bool
}

// Cut splits a document into its sections, in their order, except for those without text. Release notes are
// split into their entries. name is the slash-separated path; siblings are the paths of the documents in the
// same folder, which its status may mention.
func Cut(name string, src []byte, last LastChange, siblings []string) []Section {
	var out []Section
	d := parse(name, src, siblings)
	for _, p := range d.parts {
		if len(out) >= maxSections {
			break
		}
		out = append(out, d.cut(p, last)...)
	}
	return out[:min(len(out), maxSections)]
}

// part is a section of a document, or a release with all its sections.
type part struct {
	section
	released bool
}

// outlined is a document that was split at its headings. Its parts are converted to sections one at a time,
// because a lookup needs one of them.
type outlined struct {
	about about
	src   []byte // valid, without comments
	parts []part
}

// cut returns the sections of a part: the entries of a release, or the part itself; nil if it has no text.
func (d outlined) cut(p part, last LastChange) []Section {
	s, ok := d.section(p, last)
	if !ok {
		return nil
	}
	if p.released {
		if list := entries(s.Text); len(list) > 1 {
			return s.releaseEntries(list)
		}
		s.Links = changes(s.Text)
	}
	return []Section{s}
}

// section converts a whole part; the bool is false if it has no text.
func (d outlined) section(p part, last LastChange) (Section, bool) {
	text := readable(d.about.name, string(p.body.Of(d.src)))
	if p.level == 0 {
		text = d.about.opening(text)
	}
	if strings.TrimSpace(text) == "" || d.about.docType == decision && d.about.isMeta(p.section) {
		return Section{}, false
	}
	return d.about.section(p.section, text, p.released, last), true
}

// partsOf joins the sections of a release to one part.
func (a about) partsOf(list []section) (out []part) {
	for i := 0; i < len(list); i++ {
		s := list[i]
		released := a.docType == changelog && isRelease(s)
		if released { // with all its entries
			above := len(s.path) - 1
			s.path = append(slices.DeleteFunc(slices.Clone(s.path[:above]), releaseHead().MatchString), s.path[above])
			s.body.End = s.end
			for i+1 < len(list) && list[i+1].level > s.level && !isPatch(list[i+1]) {
				i++
			}
			if i+1 < len(list) {
				s.body.End = min(s.body.End, list[i+1].start)
			}
		}
		out = append(out, part{s, released})
	}
	return out
}

// parse splits a document at its headings. It returns no parts if the file is not a document.
func parse(name string, src []byte, siblings []string) (d outlined) {
	k := docTypeOf(name)
	if k == ignored || len(src) > MaxSize {
		return d
	}
	valid := []byte(strings.ToValidUTF8(string(src), "?"))
	switch markupOf(name) {
	case markdownText:
		valid = markdown.WithoutComments(valid)
	case roff:
		if !manHeader().Match(valid) {
			return d
		}
	}
	list, front := sections(name, valid)
	d.src, d.about = valid, read(name, k, valid, list, front, siblings)
	d.parts = d.about.partsOf(list)
	return d
}

// Whole returns a document as one section.
func Whole(name string, src []byte, last LastChange, siblings []string) (Section, bool) {
	return parse(name, src, siblings).whole(last)
}

func (d outlined) whole(last LastChange) (Section, bool) {
	if len(d.parts) == 0 {
		return Section{}, false
	}
	first := d.parts[0]
	text := string(d.src[first.body.Start:])
	return d.about.section(section{line: first.line}, readable(d.about.name, text), false, last), true
}

var versionNumber = lazy.Pattern(version)

// section converts a part of the document to a Section.
func (a about) section(s section, text string, released bool, last LastChange) Section {
	undated := false
	it := providers.Item{
		ID: id(a.name, s.anchor), Kind: "doc", Type: "docs", Title: cmp.Or(s.title(), a.title, path.Base(a.name)),
		Text:   cutText(text),
		Author: last.Author, Time: cmp.Or(a.date, last.Time), Paths: []string{a.name}, State: a.status, Links: a.links,
	}
	switch a.docType {
	case decision:
		it.Kind, it.Type = "adr", "decision"
	case proposal, blueprint:
		it.Type = "idea"
		if a.status == "accepted" {
			it.Type = "decision"
		}
	case changelog:
		it.Title = path.Base(a.name) + " › " + cmp.Or(s.title(), a.title)
		if released {
			it.Release = cmp.Or(versionNumber().FindString(s.title()), providers.Unreleased)
			on := cmp.Or(dateIn(s.title()), dateIn(firstLine(text)))
			it.Time, undated = cmp.Or(on, it.Time), on.IsZero()
			if strings.Contains(strings.ToLower(s.title()+"\n"+firstLine(text)), "unreleased") {
				it.State = "unreleased"
			}
			it.Author = providers.Person{} // the author of the last change did not write all of it
		}
	default:
		it.Title = path.Base(a.name) + " › " + cmp.Or(s.title(), a.title)
	}
	if a.status != "" && a.status != "accepted" {
		it.Title += " (" + a.status + ")"
	}
	it.Title = strings.Join(strings.Fields(strings.TrimSuffix(markdown.WithoutLinks(it.Title), " › ")), " ")
	it.Refs = providers.References(it.Title + "\n" + it.Text)
	return Section{it, s.line, undated}
}

// id returns the citation id of a section. The id of a path that contains # always ends with # and an anchor,
// which may be empty.
func id(name, anchor string) string {
	if anchor == "" && !strings.Contains(name, "#") {
		return scheme + name
	}
	return scheme + name + "#" + anchor
}

func cutText(s string) string {
	if len(s) <= maxText {
		return s
	}
	return s[:strings.LastIndexByte(s[:maxText], '\n')+1] + "[…]\n"
}

// version matches the version in the heading of a release.
const version = `v?[0-9]+\.[0-9]+(\.[0-9]+)*([-+.][0-9A-Za-z.]+)?`

var (
	releaseHead = lazy.Pattern(`(?i)^\W*(([a-z][\w-]*\s+){0,4}\[?` + version + `|unreleased\b)`)
	patchHead   = lazy.Pattern(`^\W*v?[0-9]+\.[0-9]+\.[0-9]+`)
)

func isRelease(s section) bool {
	return s.level > 0 && releaseHead().MatchString(s.path[len(s.path)-1])
}

// isPatch reports whether a release has its heading below that of another one, as conventional-changelog
// writes patch releases: the heading begins with three numbers.
func isPatch(s section) bool { return patchHead().MatchString(s.path[len(s.path)-1]) }

var dateForms = [...]struct {
	pattern func() *regexp.Regexp
	layout  string
}{
	{lazy.Pattern(`[0-9]{4}-[0-9]{2}-[0-9]{2}`), time.DateOnly},
	{lazy.Pattern(`[0-9]{4}/[0-9]{2}/[0-9]{2}`), "2006/01/02"},
	{lazy.Pattern(`[A-Z][a-z]{2,8} [0-9]{1,2}, [0-9]{4}`), "January 2, 2006"},
	{lazy.Pattern(`[A-Z][a-z]{2} [0-9]{1,2}, [0-9]{4}`), "Jan 2, 2006"},
	{lazy.Pattern(`[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4}`), "2 January 2006"},
	{lazy.Pattern(`[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4}`), "2 Jan 2006"},
}

var ordinalDay = lazy.Pattern(`\b([0-9]{1,2})(?:st|nd|rd|th)\b`)

// dateIn returns the first date in a line, or the zero time.
func dateIn(line string) time.Time {
	line = ordinalDay().ReplaceAllString(line, "$1")
	for _, form := range dateForms {
		if t, err := time.Parse(form.layout, form.pattern().FindString(line)); err == nil {
			return t
		}
	}
	return time.Time{}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
