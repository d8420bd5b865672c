package interchange

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/lazy"
)

var (
	// pageID matches the id at the end of the name of a page, a database or a folder.
	pageID = lazy.Pattern(`(^| )([0-9a-f]{32})(_all)?$`)
	// wrapper matches the top folder of an export.
	wrapper = lazy.Pattern(`^Export(Block)?-[0-9a-f-]{36}[^/]*/`)
	// pageLink matches a link to a file of the export; names may contain parentheses.
	pageLink = lazy.Pattern(`\[([^\]\n]*)\]\(((?:[^()\s]|\([^()\s]*\))+\.(?:md|csv|html))\)`)
	// pageField matches a property of a page, which follows its title.
	pageField = lazy.Pattern(`^([^\s:#][^:\n]{0,60}): (.+)$`)
)

// notionPage is a file of an export: its path without ids, and its id.
type notionPage struct{ path, id string }

// readNotion reads the pages and the databases of an export.
func (r *reader) readNotion() {
	pages, whole := map[string]notionPage{}, map[string]bool{}
	for i, f := range r.files {
		r.files[i].Path = wrapper().ReplaceAllString(f.Path, "")
		p := notionName(r.files[i].Path)
		pages[r.files[i].Path] = p
		whole[p.path] = whole[p.path] || strings.HasSuffix(strings.TrimSuffix(f.Path, ".csv"), "_all")
	}
	for _, f := range r.files {
		p := pages[f.Path]
		e := Entry{Kind: KindNote, Path: p.path, Title: titleOf(p.path), Time: instant(f.Time), Text: string(f.Data),
			Source: Notion + " " + cmp.Or(p.id, p.path) + path.Ext(p.path)}
		switch path.Ext(f.Path) {
		case ".md":
			e.Text = r.notionLinks(f, pages)
			e.notionHead()
		case ".csv":
			if whole[p.path] && !strings.HasSuffix(f.Path, "_all.csv") {
				r.skip(f.Path, "its rows are in the file that ends in _all.csv")
				continue
			}
			table, cites, err := csvTable(f.Data)
			if err != nil {
				r.skip(f.Path, err)
				continue
			}
			e.Text, e.Cites = "# "+e.Title+"\n\n"+table, cites
		default:
			r.skip(f.Path, "no page: export Markdown & CSV from Notion")
			continue
		}
		r.entries = append(r.entries, e)
	}
}

// notionName returns a path without the ids in its names, and the id of the file.
func notionName(p string) (out notionPage) {
	ext := path.Ext(p)
	var parts []string
	for name := range strings.SplitSeq(strings.TrimSuffix(p, ext), "/") {
		out.id = ""
		if m := pageID().FindStringSubmatch(name); m != nil {
			out.id = m[2]
		}
		if name = pageID().ReplaceAllString(name, ""); name != "" {
			parts = append(parts, name)
		}
	}
	out.path = cmp.Or(path.Join(parts...), "Untitled") + ext
	return out
}

// notionLinks returns the text of a page with links to other pages as links to notes.
func (r *reader) notionLinks(f File, pages map[string]notionPage) string {
	return pageLink().ReplaceAllStringFunc(string(f.Data), func(whole string) string {
		m := pageLink().FindStringSubmatch(whole)
		to, err := url.PathUnescape(m[2])
		page, ok := pages[path.Join(path.Dir(f.Path), to)]
		if err != nil || !ok {
			return whole
		}
		return wikiLink(page.path, m[1])
	})
}

// wikiLink returns a link to a page by its path, with characters of the label replaced that end a link.
func wikiLink(p, label string) string {
	name := strings.TrimSuffix(p, path.Ext(p))
	if label = strings.NewReplacer("|", "-", "[", "(", "]", ")", "\n", " ").Replace(label); label == "" || label == name {
		return "[[" + name + "]]"
	}
	return "[[" + name + "|" + label + "]]"
}

// notionHead reads the title and the properties that begin a page. They stay in its text.
func (e *Entry) notionHead() {
	title, rest, _ := strings.Cut(e.Text, "\n")
	if name, ok := strings.CutPrefix(title, "# "); ok && strings.TrimSpace(name) != "" {
		e.Title = strings.TrimSpace(name)
	}
	for line := range strings.Lines(strings.TrimLeft(rest, "\n")) {
		m := pageField().FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			break
		}
		switch key := strings.ToLower(m[1]); {
		case key == "tags":
			e.Tags = List(m[2])
		case key == "citation":
			e.Cites = List(m[2])
		case slices.Contains([]string{"date", "created", "created time", "last edited time", "last edited"}, key):
			for _, form := range []string{"January 2, 2006 3:04 PM", "January 2, 2006", time.DateOnly, "2006/01/02"} {
				if t, err := time.Parse(form, m[2]); err == nil {
					e.Time = instant(t)
					break
				}
			}
		}
	}
}

// csvTable returns a database as a Markdown table, and the values of its column Citation.
func csvTable(b []byte) (table string, cites []string, err error) {
	in := csv.NewReader(bytes.NewReader(b))
	in.FieldsPerRecord, in.LazyQuotes = -1, true
	var out strings.Builder
	cited := -1
	for n := 0; ; n++ {
		row, err := in.Read()
		switch {
		case errors.Is(err, io.EOF) && n > 0:
			return out.String(), cites, nil
		case err != nil:
			return "", nil, fmt.Errorf("it can't be read as a table: %w", err)
		}
		for _, cell := range row {
			out.WriteString("| " + tableCell().Replace(strings.TrimSpace(cell)) + " ")
		}
		if n > 0 && cited >= 0 && cited < len(row) {
			cites = append(cites, row[cited])
		}
		if out.WriteString("|\n"); n == 0 {
			cited = slices.Index(row, "Citation")
			out.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
}

func tableCell() *strings.Replacer { return strings.NewReplacer("|", `\|`, "\n", "<br>", "\r", "") }

// notion writes a page as Notion exports one: the title, its properties, the text. Tasks are a database.
func (l *layout) notion(p page) ([]byte, error) {
	if p.Kind == listTasks {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		rows := [][]string{{"Name", "Status", "Reason", "Project", "Time", "Trust", "Citation"}}
		for _, e := range p.items {
			rows = append(rows, []string{e.Title, e.State, e.Reason, e.Project, e.Time, e.trust(), e.ID})
		}
		err := w.WriteAll(rows)
		return b.Bytes(), err
	}
	var b strings.Builder
	b.WriteString("# " + strings.Join(strings.Fields(p.Title), " ") + "\n\n")
	for _, f := range p.fields()[1:] {
		b.WriteString(strings.ToUpper(f[0][:1]) + f[0][1:] + ": " + strings.Join(strings.Fields(f[1]), " ") + "\n")
	}
	p.Text = withoutTitle(p.Text, p.Title)
	b.WriteString("\n" + l.relink(p, func(k link, to page) string {
		label := cmp.Or(k.label, to.Title)
		return "[" + label + "](" + escapePath(relative(p.notionFile(), to.notionFile())) + ")"
	}))
	return []byte(b.String()), nil
}

func (p page) notionFile() string {
	if p.Kind == listTasks {
		return p.file(".csv")
	}
	return p.file(".md")
}

// withoutTitle returns a text without its first heading if that is its title.
func withoutTitle(text, title string) string {
	trimmed := strings.TrimLeft(text, "\n")
	first, rest, _ := strings.Cut(trimmed, "\n")
	if strings.TrimSpace(strings.TrimPrefix(first, "# ")) == title && strings.HasPrefix(first, "# ") {
		return strings.TrimLeft(rest, "\n")
	}
	return trimmed
}
