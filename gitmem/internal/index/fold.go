package index

import (
	"unicode"
	"unicode/utf8"
)

// foldRune returns the lower-case, accent-free form of a rune outside ASCII,
// as up to two ASCII letters or one rune. A combining accent folds to nothing,
// so composed and decomposed spellings of a word give one term.
func foldRune(dst []byte, r rune) []byte {
	switch {
	case r >= 0xC0 && r <= 0x233:
		return foldLatin(dst, r, latinLow[(r-0xC0)*2:])
	case r >= 0x300 && r <= 0x36F, isPointing(r):
		return dst
	case r >= 0x1E00 && r <= 0x1EFF:
		return foldLatin(dst, r, latinHigh[(r-0x1E00)*2:])
	case r >= 0xFB00 && r <= 0xFB06:
		return append(dst, ligature(r)...)
	case r >= 0xFF01 && r <= 0xFF5E:
		return append(dst, lowerASCII(byte(r-0xFEE0)))
	}
	return utf8.AppendRune(dst, foldOther(unicode.ToLower(r)))
}

func foldLatin(dst []byte, r rune, pair string) []byte {
	if pair[0] == '.' {
		return utf8.AppendRune(dst, unicode.ToLower(r))
	}
	dst = append(dst, pair[0])
	if pair[1] != '.' {
		dst = append(dst, pair[1])
	}
	return dst
}

// isPointing tells the optional vowel signs of Hebrew and Arabic, which people
// rarely type.
func isPointing(r rune) bool {
	return r >= 0x591 && r <= 0x5C7 && unicode.Is(unicode.Mn, r) ||
		r >= 0x64B && r <= 0x652 || r == 0x670
}

func ligature(r rune) string {
	switch r {
	case 0xFB00:
		return "ff"
	case 0xFB01:
		return "fi"
	case 0xFB02:
		return "fl"
	case 0xFB03:
		return "ffi"
	case 0xFB04:
		return "ffl"
	}
	return "st"
}

// foldOther removes the accents of Greek and of the Cyrillic letters that have
// a decomposed form, so that they meet their decomposed spelling.
func foldOther(r rune) rune {
	switch r {
	case 'ά':
		return 'α'
	case 'έ':
		return 'ε'
	case 'ή':
		return 'η'
	case 'ί', 'ϊ', 'ΐ':
		return 'ι'
	case 'ό':
		return 'ο'
	case 'ύ', 'ϋ', 'ΰ':
		return 'υ'
	case 'ώ':
		return 'ω'
	case 'ς':
		return 'σ'
	case 'й':
		return 'и'
	case 'ё':
		return 'е'
	case 'ї':
		return 'і'
	case 'ў':
		return 'у'
	}
	return r
}

func lowerASCII(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + ('a' - 'A')
	}
	return b
}

// The two tables hold two bytes for each rune: its letters without accents in
// lower case, padded with dots; two dots mean that the rune stays.

// latinLow covers U+00C0 to U+0233.
const latinLow = "" +
	"a.a.a.a.a.a.aec.e.e.e.e.i.i.i.i.d.n.o.o.o.o.o...o.u.u.u.u.y.thssa.a.a.a.a.a.aec.e.e.e.e.i.i.i.i." +
	"d.n.o.o.o.o.o...o.u.u.u.u.y.thy.a.a.a.a.a.a.c.c.c.c.c.c.c.c.d.d.d.d.e.e.e.e.e.e.e.e.e.e.g.g.g.g." +
	"g.g.g.g.h.h.h.h.i.i.i.i.i.i.i.i.i.i.ijijj.j.k.k.k.l.l.l.l.l.l.l.l.l.l.n.n.n.n.n.n.n.n.n.o.o.o.o." +
	"o.o.oeoer.r.r.r.r.r.s.s.s.s.s.s.s.s.t.t.t.t.t.t.u.u.u.u.u.u.u.u.u.u.u.u.w.w.y.y.y.z.z.z.z.z.z.s." +
	"b.b...........c.c.................f.f.........i.k.k.l.......n...o.o.....p.p.............t.t...u." +
	"u.....y.y.z.z...........................dzdzdzljljljnjnjnja.a.i.i.o.o.u.u.u.u.u.u.u.u.u.u...a.a." +
	"a.a.aeaeg.g.g.g.k.k.o.o.o.o.....j.dzdzdzg.g.....n.n.a.a.aeaeo.o.a.a.a.a.e.e.e.e.i.i.i.i.o.o.o.o." +
	"r.r.r.r.u.u.u.u.s.s.t.t.....h.h.n.......z.z.a.a.e.e.o.o.o.o.o.o.o.o.y.y."

// latinHigh covers U+1E00 to U+1EFF.
const latinHigh = "" +
	"a.a.b.b.b.b.b.b.c.c.d.d.d.d.d.d.d.d.d.d.e.e.e.e.e.e.e.e.e.e.f.f.g.g.h.h.h.h.h.h.h.h.h.h.i.i.i.i." +
	"k.k.k.k.k.k.l.l.l.l.l.l.l.l.m.m.m.m.m.m.n.n.n.n.n.n.n.n.o.o.o.o.o.o.o.o.p.p.p.p.r.r.r.r.r.r.r.r." +
	"s.s.s.s.s.s.s.s.s.s.t.t.t.t.t.t.t.t.u.u.u.u.u.u.u.u.u.u.v.v.v.v.w.w.w.w.w.w.w.w.w.w.x.x.x.x.y.y." +
	"z.z.z.z.z.z.h.t.w.y...s.....ss..a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.e.e.e.e.e.e.e.e." +
	"e.e.e.e.e.e.e.e.i.i.i.i.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.o.u.u.u.u.u.u.u.u.u.u.u.u." +
	"u.u.y.y.y.y.y.y.y.y............."
