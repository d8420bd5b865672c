package git

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Version is the version that a tag's name tells.
type Version struct {
	// Line is what stands before the number, without a last v: "" for v1.2,
	// "cmd/" for cmd/v1.2, "release-" for release-1.2. Versions of different
	// lines are of different things.
	Line string
	// Numbers are one to four, such as 1, 2 and 0.
	Numbers []int
	// Pre is what makes it a version before the release: "rc.1" of v1.2-rc.1;
	// empty for a release.
	Pre string
}

// maxNumbers and maxDigits keep dates and ids from being taken for versions.
const (
	maxNumbers = 4
	maxDigits  = 9
)

// ParseVersion reads the version out of a tag's name: v1.2.3, 1.2, v2, cmd/v1.2,
// release-1.2, go1.22rc1, v1.2.3-rc.1+linux. ok is false for a name that does not
// end with one.
func ParseVersion(name string) (v Version, ok bool) {
	core, _, _ := strings.Cut(name, "+")
	start := versionStart(core)
	if start < 0 {
		return v, false
	}
	v.Line = core[:start]
	if n := len(v.Line) - 1; n >= 0 && (v.Line[n] == 'v' || v.Line[n] == 'V') && (n == 0 || !isLetter(v.Line[n-1])) {
		v.Line = v.Line[:n]
	}
	rest := core[start:]
	for len(v.Numbers) < maxNumbers {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 || digits > maxDigits {
			return Version{}, false
		}
		n, _ := strconv.Atoi(rest[:digits])
		v.Numbers = append(v.Numbers, n)
		rest = rest[digits:]
		if len(rest) < 2 || rest[0] != '.' || !isDigit(rest[1]) {
			break
		}
		rest = rest[1:]
	}
	if strings.ContainsAny(rest, "/ ") {
		return Version{}, false
	}
	v.Pre = strings.TrimLeft(rest, "-._~")
	return v, true
}

// versionStart is where the number begins, in what stands behind the last slash: the
// 2 of "lib2/v1" is not it. -1 where there is none.
func versionStart(name string) int {
	from := strings.LastIndexByte(name, '/') + 1
	if i := strings.IndexAny(name[from:], "0123456789"); i >= 0 {
		return from + i
	}
	return -1
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

// Released tells a release from a version before it.
func (v Version) Released() bool { return len(v.Numbers) > 0 && v.Pre == "" }

// Compare orders versions: by line, by number, where 1.2 equals 1.2.0, and what
// comes before a release before it, as in semantic versioning.
func (v Version) Compare(w Version) int {
	if c := strings.Compare(v.Line, w.Line); c != 0 {
		return c
	}
	for i := range max(len(v.Numbers), len(w.Numbers)) {
		if c := cmp.Compare(at(v.Numbers, i), at(w.Numbers, i)); c != 0 {
			return c
		}
	}
	switch {
	case v.Pre == w.Pre:
		return 0
	case v.Pre == "":
		return 1
	case w.Pre == "":
		return -1
	}
	return comparePre(v.Pre, w.Pre)
}

func at(numbers []int, i int) int {
	if i < len(numbers) {
		return numbers[i]
	}
	return 0
}

// comparePre compares the parts between dots and dashes, and where letters and
// digits meet: numbers by value and before words.
func comparePre(a, b string) int {
	return slices.CompareFunc(preParts(a), preParts(b), func(x, y string) int {
		xn, yn := isDigit(x[0]), isDigit(y[0])
		switch {
		case xn && yn:
			x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
		case xn:
			return -1
		case yn:
			return 1
		}
		return strings.Compare(x, y)
	})
}

func preParts(s string) []string {
	var parts []string
	start := 0
	for i := 0; i <= len(s); i++ {
		end := i == len(s) || strings.IndexByte(".-_", s[i]) >= 0
		if !end && (i == start || isDigit(s[i]) == isDigit(s[i-1])) {
			continue
		}
		if i > start {
			parts = append(parts, s[start:i])
		}
		start = i
		if i < len(s) && end {
			start++
		}
	}
	return parts
}
