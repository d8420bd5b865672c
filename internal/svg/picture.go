package svg

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Picture is a picture that is being drawn.
type Picture struct {
	width, height float64
	body          strings.Builder
	links         bool   // it contains links, so it is not just an image
	group         string // the open element
}

// HTML returns the picture as a part of a page, whose style applies: title names it, and desc describes it in
// words.
func (p *Picture) HTML(title, desc string) string { return p.svg(title, desc, "") }

// Document returns the picture as a separate file, with a style.
func (p *Picture) Document(title, desc, style string) string { return p.svg(title, desc, style) + "\n" }

func (p *Picture) svg(title, desc, style string) string {
	role := "img"
	if p.links {
		role = "group"
	}
	if style != "" {
		style = "<style>" + escape(style) + "</style>"
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 %s %s" `+
		`role="%s" aria-label="%s">`+
		"<title>%s</title><desc>%s</desc>%s%s</svg>",
		number(p.width), number(p.height), role, escape(title), escape(title), escape(desc), style, p.body.String())
}

// Stack returns a picture with the given pictures below each other.
func Stack(pictures ...*Picture) *Picture {
	const gap = 24
	all := &Picture{}
	for _, p := range pictures {
		fmt.Fprintf(&all.body, `<g transform="translate(0 %s)">%s</g>`, number(all.height), p.body.String())
		all.width, all.height, all.links = max(all.width, p.width), all.height+p.height+gap, all.links || p.links
	}
	return all
}

// open begins a group with a class and a tooltip. It is a link if href is the path of a page.
func (p *Picture) open(href, class, tip string) {
	link := ""
	if p.group = "g"; strings.HasPrefix(href, "/") {
		p.group, p.links, link = "a", true, fmt.Sprintf(` href="%s"`, escape(href))
	}
	fmt.Fprintf(&p.body, `<%s%s class="%s">`, p.group, link, escape(class))
	if tip != "" {
		fmt.Fprintf(&p.body, "<title>%s</title>", escape(tip))
	}
}

func (p *Picture) close() { fmt.Fprintf(&p.body, "</%s>", p.group) }

func (p *Picture) rect(b box, round float64, class string) {
	fmt.Fprintf(&p.body, `<rect x="%s" y="%s" width="%s" height="%s" rx="%s" class="%s"/>`,
		number(b.x), number(b.y), number(b.w), number(b.h), number(round), escape(class))
}

func (p *Picture) text(x, y float64, class, s string) {
	fmt.Fprintf(&p.body, `<text x="%s" y="%s" class="%s">%s</text>`, number(x), number(y), escape(class), escape(s))
}

// path draws a line; d has the letters and numbers of SVG's path syntax.
func (p *Picture) path(class string, d ...any) {
	for i, v := range d {
		if f, ok := v.(float64); ok {
			d[i] = number(f)
		}
	}
	fmt.Fprintf(&p.body, `<path d="%s" class="%s"/>`, strings.TrimSuffix(fmt.Sprintln(d...), "\n"), escape(class))
}

// arrow draws a curve with a head from one point to another.
func (p *Picture) arrow(from, to point) {
	bend := max((to.x-from.x)/2, 20)
	p.path("edge", "M", from.x, from.y, "C", from.x+bend, from.y, to.x-bend, to.y, to.x, to.y)
	p.path("head", "M", to.x, to.y, "L", to.x-6, to.y-3.5, "L", to.x-6, to.y+3.5, "Z")
}

type point struct{ x, y float64 }

type box struct{ x, y, w, h float64 }

// meets reports whether the distance between two boxes is less than gap.
func (b box) meets(o box, gap float64) bool {
	return b.x < o.x+o.w+gap && o.x < b.x+b.w+gap && b.y < o.y+o.h+gap && o.y < b.y+b.h+gap
}

func (b box) middle() point { return point{b.x + b.w/2, b.y + b.h/2} }

func number(f float64) string {
	s := strconv.FormatFloat(f, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}

// escape returns text for XML, without characters that XML can't contain.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}

// glyph is the approximate width of a character, in pixels, for the usual text of a picture.
const glyph = 6.2

// cells returns the width of a text in characters: East Asian characters and emoji count twice.
func cells(s string) (n int) {
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// fit returns the beginning of a text that fits into a width, and the rest.
func fit(s string, width float64) (first, rest string) {
	n := 0
	for i, r := range s {
		if n += cells(string(r)); float64(n)*glyph > width {
			if at := strings.LastIndexByte(s[:i], ' '); at > i/2 {
				return s[:at], s[at+1:]
			}
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// clipped returns a text in one line that fits into a width, or "" if nothing readable fits.
func clipped(s string, width float64) string {
	s = strings.Join(strings.Fields(s), " ")
	first, rest := fit(s, width)
	if rest == "" {
		return first
	}
	if first, _ = fit(s, width-2*glyph); len(first) < 2 {
		return ""
	}
	return first + "…"
}

// clippedPath shortens a path to fit into a width: it removes folders at the beginning first.
func clippedPath(s string, width float64) string {
	for float64(cells(s))*glyph > width {
		_, rest, ok := strings.Cut(strings.TrimPrefix(s, "…/"), "/")
		if !ok || rest == "" {
			break
		}
		s = "…/" + rest
	}
	return clipped(s, width)
}
