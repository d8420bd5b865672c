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
	case r >= 0x1F00 && r <= 0x1FFF:
		return utf8.AppendRune(dst, foldPolytonic(r))
	case r >= 0x622 && r <= 0x6F9:
		return foldArabic(dst, r)
	case isInvisible(r):
		return dst
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
// rarely type, and the marks of Arabic letters that have other letters within.
func isPointing(r rune) bool {
	return r >= 0x591 && r <= 0x5C7 && unicode.Is(unicode.Mn, r) ||
		r >= 0x64B && r <= 0x65F || r == 0x670 || r == 0x640
}

// foldArabic joins the letters that are typed for one another, and writes
// figures as everywhere else. Persian letters meet the Arabic ones.
func foldArabic(dst []byte, r rune) []byte {
	switch {
	case r >= 0x660 && r <= 0x669:
		return append(dst, byte('0'+r-0x660))
	case r >= 0x6F0 && r <= 0x6F9:
		return append(dst, byte('0'+r-0x6F0))
	}
	switch r {
	case 'آ', 'أ', 'إ', 'ٱ':
		r = 'ا'
	case 'ؤ':
		r = 'و'
	case 'ئ', 'ى', 'ی':
		r = 'ي'
	case 'ة':
		r = 'ه'
	case 'ک':
		r = 'ك'
	}
	return utf8.AppendRune(dst, r)
}

// foldPolytonic returns the bare letter of old Greek spelling.
func foldPolytonic(r rune) rune {
	for _, row := range [...]struct {
		first, last rune
		letter      rune
	}{
		{0x1F00, 0x1F0F, 'α'}, {0x1F10, 0x1F1D, 'ε'}, {0x1F20, 0x1F2F, 'η'}, {0x1F30, 0x1F3F, 'ι'}, {0x1F40, 0x1F4D, 'ο'},
		{0x1F50, 0x1F5F, 'υ'}, {0x1F60, 0x1F6F, 'ω'}, {0x1F70, 0x1F71, 'α'}, {0x1F72, 0x1F73, 'ε'}, {0x1F74, 0x1F75, 'η'},
		{0x1F76, 0x1F77, 'ι'}, {0x1F78, 0x1F79, 'ο'}, {0x1F7A, 0x1F7B, 'υ'}, {0x1F7C, 0x1F7D, 'ω'}, {0x1F80, 0x1F8F, 'α'},
		{0x1F90, 0x1F9F, 'η'}, {0x1FA0, 0x1FAF, 'ω'}, {0x1FB0, 0x1FBC, 'α'}, {0x1FBE, 0x1FBE, 'ι'}, {0x1FC2, 0x1FC7, 'η'},
		{0x1FC8, 0x1FC9, 'ε'}, {0x1FCA, 0x1FCC, 'η'}, {0x1FD0, 0x1FDB, 'ι'}, {0x1FE0, 0x1FE3, 'υ'}, {0x1FE4, 0x1FE5, 'ρ'},
		{0x1FE6, 0x1FEB, 'υ'}, {0x1FEC, 0x1FEC, 'ρ'}, {0x1FF2, 0x1FF7, 'ω'}, {0x1FF8, 0x1FF9, 'ο'}, {0x1FFA, 0x1FFC, 'ω'},
	} {
		if row.first <= r && r <= row.last {
			return row.letter
		}
	}
	return r
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
