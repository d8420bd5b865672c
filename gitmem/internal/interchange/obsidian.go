package interchange

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/markdown"
)

// vault reads the notes of a vault.
func (r *reader) vault() {
	for _, f := range r.files {
		if ext := strings.ToLower(path.Ext(f.Path)); ext != ".md" && ext != ".markdown" {
			r.skip(f.Path, "no note")
			continue
		}
		e := Entry{Kind: KindNote, Title: titleOf(f.Path), Path: f.Path, Source: Obsidian + " " + f.Path,
			Time: instant(f.Time), Text: string(f.Data)}
		if front := r.properties(f); front != nil {
			e.Properties, e.Text = inner(string(front.Span.Of(f.Data))), string(f.Data[front.Span.End:])
			e.Tags = List(front.Fields["tags"])
			e.Time = cmp.Or(dayOf(front, "date", "created"), e.Time)
			e.Cites = List(front.Fields["citation"])
		}
		r.entries = append(r.entries, e)
	}
}

// properties returns the frontmatter of a note. Frontmatter that can't be parsed stays in the text.
func (r *reader) properties(f File) *markdown.Frontmatter {
	front := markdown.Parse(f.Data).Front
	if front != nil && front.Err != nil {
		r.skip(f.Path, fmt.Sprintf("its properties can't be read and stay in its text (%v)", front.Err))
		return nil
	}
	return front
}

// inner returns the text between two fences.
func inner(front string) string {
	_, rest, _ := strings.Cut(front, "\n")
	rest = strings.TrimRight(rest, "\n")
	return rest[:strings.LastIndex("\n"+rest, "\n")]
}

// List returns a value as a list of texts. A text is split at commas and blanks.
func List(v any) (out []string) {
	switch v := v.(type) {
	case nil:
	case []any:
		for _, item := range v {
			out = append(out, strings.TrimPrefix(fmt.Sprint(item), "#"))
		}
	default:
		for item := range strings.FieldsFuncSeq(fmt.Sprint(v), func(r rune) bool { return r == ',' || r == ' ' }) {
			out = append(out, strings.TrimPrefix(item, "#"))
		}
	}
	return out
}

// dayOf returns the first day in some fields.
func dayOf(front *markdown.Frontmatter, keys ...string) string {
	for _, key := range keys {
		if day := front.Day(key); !day.IsZero() {
			return day.Format(time.DateOnly)
		}
	}
	return ""
}

// instant returns a time in the format of entries, "" if unknown.
func instant(t time.Time) string {
	if t.Year() < 1981 { // a zip without times
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// obsidian returns a page as a note of a vault, with its own properties first.
func (l *layout) obsidian(p page) []byte {
	own := p.Properties
	has := map[string]any{}
	if front := markdown.Parse([]byte("---\n" + own + "---\n")).Front; front != nil && front.Fields != nil {
		has = front.Fields
	} else {
		own = ""
	}
	var b strings.Builder
	b.WriteString("---\n" + own)
	for _, f := range p.fields() {
		key := f[0]
		if _, taken := has[key]; taken {
			key = "gitmem-" + key
		}
		if f[0] == "tags" && key == f[0] || f[0] == "citation" && len(p.IDs) > 1 {
			b.WriteString(key + ":\n")
			for item := range strings.SplitSeq(f[1], ", ") {
				b.WriteString("  - " + markdown.QuoteYAML(item) + "\n")
			}
		} else if f[0] != "tags" {
			b.WriteString(key + ": " + markdown.QuoteYAML(f[1]) + "\n")
		}
	}
	b.WriteString("---\n")
	b.WriteString(l.relink(p, func(k link, to page) string {
		switch {
		case k.file: // a Markdown link, which contains a path
			return "[" + k.label + "](" + escapePath(relative(p.file(".md"), to.file(".md"))) + k.fragment() + ")"
		case to.name == path.Base(k.base):
			return k.whole
		case to.name == p.name && k.anchor != "":
			return k.embed + "[[#" + k.anchor + k.alias() + "]]"
		}
		return k.embed + "[[" + to.dir + to.name + k.fragment() + k.alias() + "]]"
	}))
	return []byte(b.String())
}

// fields returns the properties of a page in every format.
func (p page) fields() [][2]string {
	return slices.DeleteFunc([][2]string{
		{"title", p.Title}, {"kind", p.Kind}, {"state", p.State}, {"project", p.Project}, {"time", p.Time},
		{"trust", p.trust()}, {"citation", strings.Join(p.IDs, ", ")}, {"tags", strings.Join(p.Tags, ", ")},
	}, func(f [2]string) bool { return f[1] == "" })
}
