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

// functions are those that templates call.
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

// day is the day of a moment, "" for none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// plain is a text without characters that hide or reorder text or control a terminal.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, gitmem.Visible(text))
}

// plural is a count with its noun; n is a whole number of any type.
func plural(n any, one string) string {
	if fmt.Sprint(n) == "1" {
		return "1 " + one
	}
	return fmt.Sprintf("%v %ss", n, one)
}

// size is a number of bytes as people read it.
func size(bytes float64) string {
	units := []string{"B", "KB", "MB", "GB", "TB"}
	n := 0
	for bytes >= 1000 && n < len(units)-1 {
		bytes, n = bytes/1000, n+1
	}
	return strings.Replace(fmt.Sprintf("%.1f %s", bytes, units[n]), ".0 ", " ", 1)
}

// short is the citation id of a commit as people write it; others stay.
func short(id string) string {
	if hash, ok := strings.CutPrefix(id, "git:commit:"); ok {
		return hash[:min(len(hash), 8)]
	}
	return id
}

// number is a whole number of a form or an address, 0 for what is none.
func number(q url.Values, name string) int32 {
	n, _ := strconv.ParseInt(q.Get(name), 10, 32) // of one that is too large the largest
	return int32(n)
}

// rendered is Markdown as HTML, see [markdown.HTML].
func rendered(src string) (template.HTML, error) {
	html, err := markdown.HTML(src)
	return template.HTML(html), err // which holds no HTML of the source
}

// below is rendered for a place below the heading of a file: its own headings are two levels down.
func below(src string) (template.HTML, error) {
	html, err := rendered(src)
	for level := 6; level > 0; level-- {
		tag := strings.NewReplacer(fmt.Sprintf("<h%d>", level), fmt.Sprintf("<h%d>", min(6, level+2)),
			fmt.Sprintf("</h%d>", level), fmt.Sprintf("</h%d>", min(6, level+2)))
		html = template.HTML(tag.Replace(string(html)))
	}
	return html, err
}

// picture is an SVG of this program's own, which escapes each text.
func picture(s string) template.HTML { return template.HTML(s) }

// styles are some style sheets of the pages, for what stands alone.
func styles(names ...string) (all string) {
	for _, name := range names {
		b, _ := fs.ReadFile(templates.Web(), name) // which is embedded
		all += string(b)
	}
	return all
}
