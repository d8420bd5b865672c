package docs

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// OwnerFiles are the files in which a repository may declare owners; the first one that
// exists counts.
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
	form   *regexp.Regexp
	owners []string
}

const maxOwnerRules = 5000

// ParseOwners reads a CODEOWNERS file in GitHub's syntax
// (https://docs.github.com/repositories, about code owners), with the sections of GitLab,
// whose owners count for the patterns that name none.
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
		form := ownedPaths(words[0])
		if form == nil || len(o.rules) == maxOwnerRules {
			o.Skipped = append(o.Skipped, n)
			continue
		}
		owners := words[1:]
		if len(owners) == 0 {
			owners = defaults
		}
		o.rules = append(o.rules, ownerRule{form, owners})
	}
	return o
}

// ownerWords are the words of a line, without a comment. A backslash escapes a blank in a
// path.
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

// ownerSection reads the head of a section: [Name], ^[Name] or [Name][2], and its owners.
func ownerSection(line string) (owners []string, ok bool) {
	m := ownerHead().FindStringSubmatch(line)
	if m == nil {
		return nil, false
	}
	return ownerWords(m[1]), true
}

// ownedPaths compiles a pattern to an expression for paths, nil if it is invalid.
func ownedPaths(pattern string) *regexp.Regexp {
	if strings.HasPrefix(pattern, "!") || len(pattern) > 1000 {
		return nil // neither forge supports exceptions
	}
	anchored := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	body := strings.TrimPrefix(pattern, "/")
	glob := strings.NewReplacer(`\\`, "", `\*\*/`, "(?:.*/)?", `\*\*`, ".*", `\*`, "[^/]*", `\?`, "[^/]")
	expr := glob.Replace(regexp.QuoteMeta(strings.TrimSuffix(body, "/")))
	if !anchored {
		expr = "(?:.*/)?" + expr
	}
	switch {
	case strings.HasSuffix(body, "/"):
		expr += "/.+"
	case !strings.HasSuffix(body, "/*"): // else of a folder, not of those in it
		expr += "(?:/.*)?"
	}
	form, err := regexp.Compile("(?s)^" + expr + "$")
	if err != nil {
		return nil
	}
	return form
}

// Of are the owners of a path with slashes, by the last pattern that matches; none also for
// a pattern without owners.
func (o Owners) Of(name string) []string {
	for _, r := range slices.Backward(o.rules) {
		if r.form.MatchString(name) {
			return slices.Clone(r.owners)
		}
	}
	return nil
}
