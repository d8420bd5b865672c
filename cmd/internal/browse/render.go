package browse

import (
	"fmt"
	"html/template"
	"time"

	"github.com/gitmem/gitmem/markdown"
)

// functions are those that templates call.
func functions() template.FuncMap {
	return template.FuncMap{
		"day":      day,
		"markdown": rendered,
		"plural":   plural,
	}
}

// day is the day of a moment, "" for none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// plural is a count with its noun; n is a whole number of any type.
func plural(n any, one string) string {
	if fmt.Sprint(n) == "1" {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// rendered is Markdown as HTML, see [markdown.HTML].
func rendered(src string) (template.HTML, error) {
	html, err := markdown.HTML(src)
	return template.HTML(html), err // which holds no HTML of the source
}
