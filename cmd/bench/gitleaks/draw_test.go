package gitleaks_test

import (
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// drawer generates texts that match a regular expression. Zero-width assertions such as \b generate nothing:
// the caller must provide a suitable context.
type drawer struct {
	*rand.Rand
	// plain: repetitions outside of groups are as short as possible, so that a vendor's name is next to its
	// value as people write it.
	plain bool
	// upper: names are in capitals, and values have letters of both cases.
	upper bool
	// grouped: the secret is a group of the expression, otherwise all of it.
	grouped bool
}

// text generates one text. Letters of values have the case in the expression, even if it ignores case: no
// issuer uses another case in its prefix.
func (d drawer) text(pattern string) (string, error) {
	d.upper = d.IntN(2) == 0 && strings.Contains(pattern, "(?i")
	re, err := syntax.Parse(strings.NewReplacer("(?i)", "", "(?i:", "(?:").Replace(pattern), syntax.Perl)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	d.grouped = re.MaxCap() > 0
	d.draw(&b, re, !d.grouped)
	return b.String(), nil
}

func (d drawer) draw(b *strings.Builder, re *syntax.Regexp, inside bool) {
	switch re.Op {
	case syntax.OpLiteral:
		if text := string(re.Rune); d.upper && !inside {
			b.WriteString(strings.ToUpper(text))
		} else {
			b.WriteString(text)
		}
	case syntax.OpCharClass:
		b.WriteRune(d.class(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		if inside && d.grouped {
			b.WriteByte(byte('!' + d.IntN('~'-'!'+1)))
		} else {
			b.WriteByte('.') // most are meant as a full stop that nobody escaped
		}
	case syntax.OpCapture:
		d.draw(b, re.Sub[0], true)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			d.draw(b, sub, inside)
		}
	case syntax.OpAlternate:
		d.draw(b, re.Sub[d.IntN(len(re.Sub))], inside)
	case syntax.OpQuest:
		d.repeat(b, re.Sub[0], 0, 1, inside)
	case syntax.OpStar:
		d.repeat(b, re.Sub[0], 0, -1, inside)
	case syntax.OpPlus:
		d.repeat(b, re.Sub[0], 1, -1, inside)
	case syntax.OpRepeat:
		d.repeat(b, re.Sub[0], re.Min, re.Max, inside)
	}
}

func (d drawer) repeat(b *strings.Builder, re *syntax.Regexp, least, most int, inside bool) {
	if most < 0 || most > least+40 {
		most = least + 40
	}
	n := least
	if inside || !d.plain {
		n += d.IntN(most - least + 1)
	}
	for range n {
		d.draw(b, re, inside)
	}
}

// class returns one of the printable ASCII characters of a class, or white space if it has no other.
func (d drawer) class(ranges []rune) rune {
	var some []rune
	for i := 0; i < len(ranges); i += 2 {
		for r := max(ranges[i], ' '); r <= min(ranges[i+1], '~'); r++ {
			some = append(some, r)
		}
	}
	if len(some) == 0 {
		return ranges[0]
	}
	r := some[d.IntN(len(some))]
	if d.upper && slices.Contains(some, 'a') && slices.Contains(some, 'z') && d.IntN(2) == 0 {
		return unicode.ToUpper(r)
	}
	return r
}
