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
	// MaxSize is the maximal size of a document in bytes: larger ones are generated.
	MaxSize = 1 << 20
	// maxSections is the maximal number of sections of a document, and of entries of a
	// changelog.
	maxSections = 5000
	maxText     = 64 << 10
	scheme      = providers.Docs + ":"
)

// LastChange is who changed a document last, and when. The zero value is unknown.
type LastChange struct {
	Time   time.Time
	Author providers.Person
}

// Section is a citable part of a document.
type Section struct {
	providers.Item
	Line int // line of the document at which Text begins, from 1
	// Undated means that the notes of a release have no date: Time is the document's.
	Undated bool
}

// Cut splits a document into its sections, in their order, those without text left out. The
// notes of a release are split into their entries. name is its path with slashes; siblings
// are the paths of the documents in the same folder, which its status may name.
func Cut(name string, src []byte, last LastChange, siblings []string) []Section {
	var out []Section
	for _, s := range byHeadings(name, src, last, siblings) {
		if list := entries(s.Text); s.Release != "" && len(list) > 1 {
			out = append(out, s.releaseEntries(list)...)
			continue
		}
		if s.Release != "" {
			s.Links = changes(s.Text)
		}
		out = append(out, s)
	}
	return out[:min(len(out), maxSections)]
}

// byHeadings are the sections of a document by its headings, a release as one.
func byHeadings(name string, src []byte, last LastChange, siblings []string) []Section {
	about, src, list := parse(name, src, siblings)
	var out []Section
	for i := 0; i < len(list) && len(out) < maxSections; i++ {
		s := list[i]
		body := s.body
		released := about.docType == changelog && isRelease(s)
		if released { // with all its entries
			above := len(s.path) - 1
			s.path = append(slices.DeleteFunc(slices.Clone(s.path[:above]), releaseHead().MatchString), s.path[above])
			body.End = s.end
			for i+1 < len(list) && list[i+1].level > s.level && !isPatch(list[i+1]) {
				i++
			}
			if i+1 < len(list) {
				body.End = min(body.End, list[i+1].start)
			}
		}
		text := readable(name, string(body.Of(src)))
		if s.level == 0 {
			text = about.opening(text)
		}
		if strings.TrimSpace(text) == "" || about.docType == decision && about.isMeta(s) {
			continue
		}
		out = append(out, about.section(s, text, released, last))
	}
	return out
}

// parse splits a document by its headings; list is empty for a file that is not read.
func parse(name string, src []byte, siblings []string) (a about, valid []byte, list []section) {
	k := docTypeOf(name)
	if k == ignored || len(src) > MaxSize {
		return a, nil, nil
	}
	valid = []byte(strings.ToValidUTF8(string(src), "?"))
	switch markupOf(name) {
	case markdownText:
		valid = markdown.WithoutComments(valid)
	case roff:
		if !manHeader().Match(valid) {
			return a, nil, nil
		}
	}
	list, front := sections(name, valid)
	return read(name, k, valid, list, front, siblings), valid, list
}

// Whole is a document as one section.
func Whole(name string, src []byte, last LastChange, siblings []string) (Section, bool) {
	about, src, list := parse(name, src, siblings)
	if len(list) == 0 {
		return Section{}, false
	}
	s := list[0]
	s.body.End = len(src)
	return about.section(section{line: s.line}, readable(name, string(s.body.Of(src))), false, last), true
}

var versionNumber = lazy.Pattern(version)

// section makes an item of a part of the document.
func (a about) section(s section, text string, released bool, last LastChange) Section {
	undated := false
	it := providers.Item{
		ID: id(a.name, s.anchor), Kind: "doc", Type: "docs", Title: cmp.Or(s.title(), a.title, path.Base(a.name)), Text: cutText(text),
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

// id is the citation id of a section. A path with a # in it is always followed by another.
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

// version is the version in the heading of a release.
const version = `v?[0-9]+\.[0-9]+(\.[0-9]+)*([-+.][0-9A-Za-z.]+)?`

var (
	releaseHead = lazy.Pattern(`(?i)^\W*(([a-z][\w-]*\s+){0,4}\[?` + version + `|unreleased\b)`)
	patchHead   = lazy.Pattern(`^\W*v?[0-9]+\.[0-9]+\.[0-9]+`)
)

func isRelease(s section) bool {
	return s.level > 0 && releaseHead().MatchString(s.path[len(s.path)-1])
}

// isPatch recognizes a release whose heading is below that of another one, as conventional-changelog
// writes those that only fix: it begins with three numbers.
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

// dateIn is the first date in a line, zero for none.
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
