package docs

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/glob"

	"github.com/gitmem/gitmem/internal/lazy"
)

// OwnerFiles returns the files in which a repository may declare owners; the first one that exists counts.
func OwnerFiles() []string {
	return []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}
}

// Owners are the owners of paths, from a CODEOWNERS file.
type Owners struct {
	rules []ownerRule
	// Skipped are the numbers of the invalid lines, from 1.
	Skipped []int
}

type ownerRule struct {
	globs, owners []string
}

const maxOwnerRules = 5000

// ParseOwners parses a CODEOWNERS file in GitHub's syntax (https://docs.github.com/repositories, about code
// owners), with GitLab's sections, whose owners are the default for the patterns in them.
func ParseOwners(src []byte) Owners {
	var o Owners
	var defaults []string
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		words := ownerWords(line)
		if len(words) == 0 {
			continue
		}
		if owners, ok := ownerSection(strings.TrimSpace(line)); ok {
			defaults = owners
			continue
		}
		globs := ownedPaths(words[0])
		if globs == nil || len(o.rules) == maxOwnerRules {
			o.Skipped = append(o.Skipped, n)
			continue
		}
		owners := words[1:]
		if len(owners) == 0 {
			owners = defaults
		}
		o.rules = append(o.rules, ownerRule{globs, owners})
	}
	return o
}

// ownerWords returns the words of a line, without a comment. A backslash escapes a space in a path.
func ownerWords(line string) []string {
	var words []string
	for _, w := range strings.Fields(strings.ReplaceAll(line, `\ `, "\x00")) {
		if strings.HasPrefix(w, "#") {
			break
		}
		words = append(words, strings.ReplaceAll(w, "\x00", " "))
	}
	return words
}

var ownerHead = lazy.Pattern(`^\^?\[[^\]]+\](?:\[[0-9]+\])?(?:\s+(.*))?$`)

// ownerSection parses the header of a section: [Name], ^[Name] or [Name][2], and its owners.
func ownerSection(line string) (owners []string, ok bool) {
	m := ownerHead().FindStringSubmatch(line)
	if m == nil {
		return nil, false
	}
	return ownerWords(m[1]), true
}

// ownedPaths returns the globs for a pattern, nil if it is invalid.
func ownedPaths(pattern string) []string {
	// Neither forge supports exceptions or character classes.
	whole := strings.NewReplacer(`\[`, `\[`, "[", `\[`).Replace(strings.Trim(pattern, "/"))
	if strings.HasPrefix(pattern, "!") || len(pattern) > 1000 || !glob.Valid(whole) {
		return nil
	}
	if !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		whole = "**/" + whole
	}
	switch {
	case strings.HasSuffix(pattern, "/"):
		return []string{whole + "/*/**"}
	case strings.HasSuffix(strings.TrimPrefix(pattern, "/"), "/*"): // files in this folder, not in its subfolders
		return []string{whole}
	}
	return []string{whole, whole + "/**"}
}

// Of returns the owners of a slash-separated path: those of the last pattern that matches. It returns none if
// that pattern has no owners.
func (o Owners) Of(name string) []string {
	for _, r := range slices.Backward(o.rules) {
		if slices.ContainsFunc(r.globs, func(pattern string) bool { return glob.Match(pattern, name) }) {
			return slices.Clone(r.owners)
		}
	}
	return nil
}
