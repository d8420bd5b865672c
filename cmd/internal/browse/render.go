package browse

import (
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// functions returns the functions for templates.
func functions() template.FuncMap {
	return template.FuncMap{
		"day":     day,
		"below":   below,
		"picture": picture,
		"plural":  plural,
		"percent": func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
		"bytes":   size,
		"short":   short,
	}
}

// day returns the date of a time, or "".
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// plain removes characters that hide or reorder text or control a terminal.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, gitmem.Visible(text))
}

// plural returns a count with its noun; n is an integer of any type.
func plural(n any, one string) string {
	if fmt.Sprint(n) == "1" {
		return "1 " + one
	}
	return fmt.Sprintf("%v %ss", n, one)
}

// size formats a number of bytes for people.
func size(bytes float64) string {
	units := []string{"B", "KB", "MB", "GB", "TB"}
	n := 0
	for bytes >= 1000 && n < len(units)-1 {
		bytes, n = bytes/1000, n+1
	}
	return strings.Replace(fmt.Sprintf("%.1f %s", bytes, units[n]), ".0 ", " ", 1)
}

// short abbreviates the citation id of a commit; others are unchanged.
func short(id string) string {
	if hash, ok := strings.CutPrefix(id, "git:commit:"); ok {
		return hash[:min(len(hash), 8)]
	}
	return id
}

// number parses an integer of a form or an address; 0 if it is invalid.
func number(q url.Values, name string) int32 {
	n, _ := strconv.ParseInt(q.Get(name), 10, 32) // if it is too large, the maximum
	return int32(n)
}

// rendered converts Markdown to HTML, see [markdown.HTML].
func rendered(src string) (template.HTML, error) {
	html, err := markdown.HTML(src)
	return template.HTML(html), err // it contains no HTML of the source
}

// below is rendered for text below the heading of a file: it moves its headings two levels down.
func below(src string) (template.HTML, error) {
	html, err := rendered(src)
	for level := 6; level > 0; level-- {
		tag := strings.NewReplacer(fmt.Sprintf("<h%d>", level), fmt.Sprintf("<h%d>", min(6, level+2)),
			fmt.Sprintf("</h%d>", level), fmt.Sprintf("</h%d>", min(6, level+2)))
		html = template.HTML(tag.Replace(string(html)))
	}
	return html, err
}

// picture marks an SVG of this program as safe; all text in it is escaped.
func picture(s string) template.HTML { return template.HTML(s) }

// styles returns style sheets of the pages, for standalone files.
func styles(names ...string) (all string) {
	for _, name := range names {
		b, _ := fs.ReadFile(templates.Web(), name) // it is embedded
		all += string(b)
	}
	return all
}
