package git

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// Version is the version in a tag's name.
type Version struct {
	// Line is the text before the number, without a last v: "" for v1.2, "cmd/" for cmd/v1.2, "release-" for
	// release-1.2. Different lines version different things.
	Line string
	// Numbers are one to four, such as 1, 2 and 0.
	Numbers []int
	// Pre is the pre-release suffix: "rc.1" of v1.2-rc.1; empty for a release.
	Pre string
}

// maxDigits excludes dates and ids, which are not versions.
const maxDigits = 9

var (
	// versionForm matches a prefix, one to four numbers, and a suffix.
	versionForm = lazy.Pattern(`^((?:.*/)?[^0-9/]*)([0-9]+(?:\.[0-9]+){0,3})([^/ ]*)$`)
	// prePart matches a part of the suffix: a number or a word.
	prePart = lazy.Pattern(`[0-9]+|[^-._0-9]+`)
)

// ParseVersion parses the version in a tag's name: v1.2.3, 1.2, v2, cmd/v1.2, release-1.2, go1.22rc1,
// @acme/cli@1.2.0, v1.2.3-rc.1+linux. ok is false for a name that does not end with a version.
func ParseVersion(name string) (v Version, ok bool) {
	core, _, _ := strings.Cut(name, "+")
	at := strings.LastIndexByte(core, '@') + 1
	m := versionForm().FindStringSubmatch(core[at:])
	if m == nil {
		return v, false
	}
	v.Line, v.Pre = core[:at]+m[1], strings.TrimLeft(m[3], "-._~")
	if n := len(v.Line) - 1; n >= 0 && (v.Line[n] == 'v' || v.Line[n] == 'V') && (n == 0 || !isLetter(v.Line[n-1])) {
		v.Line = v.Line[:n]
	}
	for digits := range strings.SplitSeq(m[2], ".") {
		if len(digits) > maxDigits {
			return Version{}, false
		}
		n, _ := strconv.Atoi(digits)
		v.Numbers = append(v.Numbers, n)
	}
	return v, true
}

// Name returns the name of the package that a line versions: cmd for cmd/v1.2, @acme/cli for @acme/cli@1.2.0;
// "" for the main line.
func (v Version) Name() string { return strings.TrimRight(v.Line, "@/-_. ") }

// Package returns the last part of [Version.Name], which is also the name of the package's folder.
func (v Version) Package() string { return v.Name()[strings.LastIndexByte(v.Name(), '/')+1:] }

// Packages returns the packages that have tags.
func Packages(tags []Tag) map[string]bool {
	out := map[string]bool{}
	for _, t := range tags {
		if name := t.Version.Package(); name != "" && len(t.Version.Numbers) > 0 {
			out[name] = true
		}
	}
	return out
}

// PackageOf returns the package whose folder contains a file, or "": the outermost of the file's folders that
// has the name of a package.
func PackageOf(file string, packages map[string]bool) string {
	folders := strings.Split(file, "/")
	for _, folder := range folders[:len(folders)-1] {
		if packages[folder] {
			return folder
		}
	}
	return ""
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

// Released reports whether it is a release and not a pre-release.
func (v Version) Released() bool { return len(v.Numbers) > 0 && v.Pre == "" }

// Compare orders versions: by line, then by number, where 1.2 equals 1.2.0, with a pre-release before its
// release, as in semantic versioning.
func (v Version) Compare(w Version) int {
	c := cmp.Or(strings.Compare(v.Line, w.Line), slices.Compare(withoutZeros(v.Numbers), withoutZeros(w.Numbers)))
	switch {
	case c != 0 || v.Pre == w.Pre:
		return c
	case v.Pre == "":
		return 1
	case w.Pre == "":
		return -1
	}
	return comparePre(v.Pre, w.Pre)
}

func withoutZeros(numbers []int) []int {
	for len(numbers) > 0 && numbers[len(numbers)-1] == 0 {
		numbers = numbers[:len(numbers)-1]
	}
	return numbers
}

// comparePre compares the parts between dots and dashes, also split where letters and digits meet: numbers by
// value and before words.
func comparePre(a, b string) int {
	return slices.CompareFunc(prePart().FindAllString(a, -1), prePart().FindAllString(b, -1), func(x, y string) int {
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
