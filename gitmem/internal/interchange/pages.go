package interchange

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

// Files returns entries as files of a tool, by path.
func Files(to string, entries []Entry) (map[string][]byte, error) {
	l := newLayout(entries)
	out := map[string][]byte{}
	switch to {
	case Obsidian:
		for _, p := range l.pages {
			out[p.file(".md")] = l.obsidian(p)
		}
	case Notion:
		for _, p := range l.pages {
			text, err := l.notion(p)
			if err != nil {
				return nil, err
			}
			out[p.notionFile()] = text
		}
	case Confluence:
		for _, p := range l.pages {
			text, err := l.storage(p)
			if err != nil {
				return nil, err
			}
			out[p.file(".xhtml")] = text
		}
	}
	return out, nil
}

// page is an entry as a file of its own, or a list of tasks or values.
type page struct {
	Entry
	IDs       []string // citations of its entries
	items     []Entry  // of a list
	dir, name string   // of the file: dir is "" or ends in a slash, name has no extension
}

func (p page) file(ext string) string { return p.dir + p.name + ext }

// layout contains the pages of an export.
type layout struct {
	pages  []page
	byName map[string]int // by name and path, in lower case
	blocks map[string]int // by block ids
}

// blockID matches the id of a line or heading.
var blockID = lazy.Pattern(`(?m) \^([A-Za-z0-9-]+)[ \t]*$`)

// newLayout makes a page for each entry. Tasks, profile values and orders share one page each.
func newLayout(entries []Entry) *layout {
	l := &layout{byName: map[string]int{}, blocks: map[string]int{}}
	projects := slice.Set(slices.DeleteFunc(slice.Map(entries, func(e Entry) string { return e.Project }),
		func(p string) bool { return p == "" }))
	taken := map[string]bool{}
	for i, e := range entries {
		p := page{Entry: e}
		if e.ID != "" {
			p.IDs = []string{e.ID}
		}
		if text, shared := e.item(); shared != "" {
			p.Kind, p.Title, p.State, p.Tags, p.Text = shared, strings.ToUpper(shared[:1])+shared[1:], "", nil, text
			if last := len(l.pages) - 1; i > 0 && entries[i-1].Kind == e.Kind && entries[i-1].Project == e.Project {
				l.pages[last].Text += text
				l.pages[last].items = append(l.pages[last].items, e)
				l.pages[last].IDs = append(l.pages[last].IDs, p.IDs...)
				l.pages[last].Time = max(l.pages[last].Time, e.Time)
				continue
			}
			p.Trust, p.Imported, p.items = "", false, []Entry{e} // each line has its own trust
		}
		for _, links := range [][]string{append([]string{"Supersedes"}, e.Supersedes...),
			append([]string{"Evidence"}, e.Evidence...)} {
			if len(links) > 1 {
				p.Text = strings.TrimRight(p.Text, "\n") + "\n\n" + links[0] + ": " +
					strings.Join(slice.Map(links[1:], citeLink), ", ") + "\n"
			}
		}
		p.place()
		if len(projects) > 1 && p.Project != "" {
			p.dir = segment(path.Base(p.Project)) + "/" + p.dir
		}
		for name, n := p.name, 2; taken[strings.ToLower(p.name)]; n++ { // names are unique, because titles in Confluence are
			p.name = fmt.Sprintf("%s %d", name, n)
		}
		taken[strings.ToLower(p.name)] = true
		l.pages = append(l.pages, p)
	}
	for i, p := range l.pages {
		for _, name := range []string{p.name, p.dir + p.name, titleOf(p.Path), strings.TrimSuffix(p.Path, path.Ext(p.Path)),
			strings.TrimPrefix(p.ID, "decision:")} {
			if _, known := l.byName[strings.ToLower(name)]; !known && name != "" && name != "." {
				l.byName[strings.ToLower(name)] = i
			}
		}
		for _, m := range blockID().FindAllStringSubmatch(p.Text, -1) {
			if _, known := l.blocks[m[1]]; !known {
				l.blocks[m[1]] = i
			}
		}
	}
	return l
}

// listTasks is the kind of the page that lists tasks.
const listTasks = "tasks"

// item returns an entry as a line of a list, with the name of the list, or "" if it has a page of its own.
func (e Entry) item() (line, listName string) {
	mark := map[string]string{"imported": " (imported)", "model": " (by a model)"}[e.trust()]
	switch {
	case e.Kind == KindTask:
		box, state := "[ ] ", ""
		if e.State == "completed" {
			box = "[x] "
		}
		if e.Reason != "" {
			state = " (" + e.State + ": " + e.Reason + ")"
		} else if e.State != "pending" && e.State != "completed" {
			state = " (" + e.State + ")"
		}
		return "- " + box + e.Title + state + mark + " ^" + strings.Replace(e.ID, ":", "-", 1) + "\n", listTasks
	case (e.Kind == KindProfile || e.Kind == KindOrder) && !e.Imported:
		return "- " + strings.ReplaceAll(strings.TrimSpace(e.Title+": "+e.Text), "\n", "\n  ") + mark + "\n",
			map[string]string{KindProfile: "profile", KindOrder: "orders"}[e.Kind]
	}
	return "", ""
}

// place chooses the folder and the name of a page.
func (p *page) place() {
	p.dir = map[string]string{KindNote: "Notes/", KindDecision: "Decisions/", KindSession: "Sessions/"}[p.Kind]
	if p.Imported && p.dir == "" { // a value of a profile, which is a note here
		p.dir = "Notes/"
	}
	p.name = segment(p.Title)
	switch day := p.Time[:min(len(p.Time), len("2006-01-02"))]; {
	case p.Path != "":
		if dir := path.Dir(path.Clean("/" + p.Path)); p.Imported && dir != "/" {
			p.dir += strings.Join(slice.Map(strings.Split(dir[1:], "/"), segment), "/") + "/"
		}
		p.name = segment(titleOf(p.Path))
	case p.Kind == KindDecision && p.ID != "":
		p.name = segment(strings.TrimPrefix(p.ID, "decision:"))
	case p.Kind == KindSession && day != "":
		p.name = segment(day + " " + p.Title)
	}
}

// reserved matches names that Windows opens as devices.
var reserved = lazy.Pattern(`(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)`)

// segment returns a text as a path element that is valid on any system and within a link.
func segment(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|#^[]`, r) {
			return '-'
		}
		return r
	}, s)
	s = strings.TrimRight(strings.TrimLeft(messages.ClipBytes(s, 120), ". "), ". ")
	if reserved().MatchString(s) {
		s = "_" + s
	}
	return cmp.Or(s, "Untitled")
}

// link is a link in a text: [[base#anchor|label]], or [label](base#anchor).
type link struct {
	whole, embed, base, anchor, label string
	file                              bool
}

func (k link) fragment() string {
	if k.anchor == "" {
		return ""
	}
	return "#" + k.anchor
}

// alias returns the label of a link in double brackets.
func (k link) alias() string {
	if k.label == "" {
		return ""
	}
	return "|" + k.label
}

// code matches code, which contains neither links nor ids.
var code = lazy.Pattern("(?s)```.*?(?:```|$)|~~~.*?(?:~~~|$)|`[^`\n]*`")

// outsideCode changes the text outside of code.
func outsideCode(text string, change func(string) string) string {
	var b strings.Builder
	at := 0
	for _, m := range code().FindAllStringIndex(text, -1) {
		b.WriteString(change(text[at:m[0]]) + text[m[0]:m[1]])
		at = m[1]
	}
	return b.String() + change(text[at:])
}

var linkPattern = lazy.Pattern(`(!?)\[\[([^\]\[|#\n]*)(?:#([^\]\[|\n]*))?(?:\|([^\]\n]*))?\]\]|` +
	`\[([^\]\[\n]*)\]\(([^()\s:#]+\.md)(?:#([^()\s]*))?\)`)

// relink replaces the links in a page to other pages of the export.
func (l *layout) relink(p page, replace func(k link, to page) string) string {
	return outsideCode(p.Text, func(part string) string {
		return linkPattern().ReplaceAllStringFunc(part, func(whole string) string {
			m := linkPattern().FindStringSubmatch(whole)
			k := link{whole: whole, embed: m[1], base: m[2], anchor: m[3], label: m[4]}
			if m[6] != "" {
				k = link{whole: whole, label: m[5], base: m[6], anchor: m[7], file: true}
			}
			if to, ok := l.find(p, k); ok {
				return replace(k, to)
			}
			return whole
		})
	})
}

// find returns the target page of a link.
func (l *layout) find(from page, k link) (page, bool) {
	block, isBlock := strings.CutPrefix(k.anchor, "^")
	if k.anchor == "" && ownBlock().MatchString(k.base) {
		block, isBlock = strings.TrimPrefix(k.base, "^"), true
	}
	to, named := from, k.base == "" && k.anchor != ""
	name := strings.ToLower(strings.TrimSuffix(k.base, ".md"))
	if plain, err := url.PathUnescape(name); k.file && err == nil {
		name = path.Base(plain)
	}
	for _, name := range []string{name, path.Base(name)} {
		if i, ok := l.byName[name]; ok && !named {
			to, named = l.pages[i], true
		}
	}
	if i, ok := l.blocks[block]; ok && isBlock && !(named && strings.Contains(to.Text, " ^"+block)) {
		return l.pages[i], true
	}
	return to, named
}

// ownBlock matches a link that consists of the id of an idea, a session or a topic.
var ownBlock = lazy.Pattern(`^\^?[ist]-[0-9a-z]{6,}[0-9a-z-]*$`)

// citeLink returns a citation as a link, or as code if no page can contain its source.
func citeLink(id string) string {
	kind, name, _ := strings.Cut(id, ":")
	switch kind {
	case "decision":
		return "[[" + name + "]]"
	case "task":
		return "[[#^task-" + name + "|" + id + "]]"
	case "idea":
		return "[[#^" + name + "|" + id + "]]"
	case "session":
		_, block, _ := strings.Cut(name, "#")
		return "[[#^" + block + "|" + id + "]]"
	}
	return "`" + id + "`"
}

// relative returns the relative path from one file to another.
func relative(from, to string) string {
	rel, _ := filepath.Rel(filepath.FromSlash(path.Dir(from)), filepath.FromSlash(to)) // both are below one folder
	return filepath.ToSlash(rel)
}

// escapePath returns a path escaped for a Markdown link.
func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }
