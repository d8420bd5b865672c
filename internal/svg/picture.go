package svg

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Picture is a picture as it is drawn.
type Picture struct {
	width, height float64
	body          strings.Builder
	links         bool   // it holds some, so that it is no mere image
	group         string // the element that is open
}

// HTML is the picture as a part of a page, whose style it takes: title names it, and desc says in words what it
// shows.
func (p *Picture) HTML(title, desc string) string { return p.svg(title, desc, "") }

// Document is the picture as a file of its own, with a style.
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

// Stack is a picture of some pictures below each other.
func Stack(pictures ...*Picture) *Picture {
	const gap = 24
	all := &Picture{}
	for _, p := range pictures {
		fmt.Fprintf(&all.body, `<g transform="translate(0 %s)">%s</g>`, number(all.height), p.body.String())
		all.width, all.height, all.links = max(all.width, p.width), all.height+p.height+gap, all.links || p.links
	}
	return all
}

// open begins a group of a class with a text that shows what it is. It is linked where href is the path of a page.
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

// path draws a line: letters and numbers as SVG writes them.
func (p *Picture) path(class string, d ...any) {
	for i, v := range d {
		if f, ok := v.(float64); ok {
			d[i] = number(f)
		}
	}
	fmt.Fprintf(&p.body, `<path d="%s" class="%s"/>`, strings.TrimSuffix(fmt.Sprintln(d...), "\n"), escape(class))
}

// arrow is a curve from one point to another with a head.
func (p *Picture) arrow(from, to point) {
	bend := max((to.x-from.x)/2, 20)
	p.path("edge", "M", from.x, from.y, "C", from.x+bend, from.y, to.x-bend, to.y, to.x, to.y)
	p.path("head", "M", to.x, to.y, "L", to.x-6, to.y-3.5, "L", to.x-6, to.y+3.5, "Z")
}

type point struct{ x, y float64 }

type box struct{ x, y, w, h float64 }

// meets reports whether boxes come closer than a gap.
func (b box) meets(o box, gap float64) bool {
	return b.x < o.x+o.w+gap && o.x < b.x+b.w+gap && b.y < o.y+o.h+gap && o.y < b.y+b.h+gap
}

func (b box) middle() point { return point{b.x + b.w/2, b.y + b.h/2} }

func number(f float64) string {
	s := strconv.FormatFloat(f, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}

// escape is text for XML, without the characters that it can't hold.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}

// glyph is about how wide a character is, in pixels of the usual text of a picture.
const glyph = 6.2

// cells is how many characters a text is wide: those of East Asia and pictures count twice.
func cells(s string) (n int) {
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// fit is the beginning of a text that fits into a width, and the rest.
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

// clipped is a text in one line that fits into a width, "" where nothing would be read of it.
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

// clippedPath is a path that fits into a width: folders at its beginning go first.
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
