package git

import (
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// reviewKeys are the beginnings of lines that name somebody who read and approved a change: as written by git
// and Gerrit, and by Phabricator and FreeBSD. An Acked-by is an approval by a maintainer. Lines for testers,
// reporters and people who passed a change on are not included, because these may not have read it.
var reviewKeys = [...]string{"reviewed-by:", "reviewed by:", "acked-by:", "approved-by:", "code-review+2:",
	"code-review+1:"}

// reviewers returns the reviewers that a message names.
func reviewers(body string, author Signature, mm *Mailmap) []providers.Person {
	return people(body, author, mm, false, reviewKeys[:], namedIn)
}

// mostNameWords is the maximum number of words in a name; a longer text is a sentence.
const mostNameWords = 5

// namedIn parses a comma-separated list of people: names with addresses, or logins and addresses. Anything
// else, such as the URL of a review, is ignored.
func namedIn(value string) (out []providers.Person) {
	for {
		name, email, rest, ok := cutAddress(value)
		if !ok {
			break
		}
		if email = strings.TrimSpace(email); name == "" {
			name, _, _ = strings.Cut(email, "@")
		}
		out = append(out, named(strings.Trim(name, `"`), email)...)
		next, more := strings.CutPrefix(strings.TrimSpace(rest), ",")
		if !more {
			return out
		}
		value = next
	}
	for part := range strings.SplitSeq(value, ",") {
		part, _, _ = strings.Cut(part, " #") // a comment
		part = valid(strings.TrimPrefix(strings.TrimSpace(part), "@"))
		if n := len(strings.Fields(part)); n > mostNameWords || strings.Contains(part, "://") {
			continue
		}
		name, domain, isAddress := strings.Cut(part, "@")
		if isAddress && domain != "" && !strings.ContainsAny(part, " \t") {
			out = append(out, named(name, part)...)
		} else if !isAddress {
			out = append(out, named(part, "")...)
		}
	}
	return out
}

// named returns a person, or nil for a placeholder of a template.
func named(name, email string) []providers.Person {
	switch strings.ToLower(name) {
	case "", "none", "nobody", "n/a", "na", "tbd", "todo", "oops", "me", "myself", "nobody (oops!)":
		return nil
	}
	return []providers.Person{{Name: name, Email: email}}
}
