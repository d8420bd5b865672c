package git

import (
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// reviewKeys are the lines by which messages say that somebody read a change and
// agreed: as git and Gerrit write them, and as Phabricator and FreeBSD do. An
// acknowledgement is one by a person who answers for the code. Who tested a change, reported
// what it mends or passed it on is not known to have read it.
var reviewKeys = [...]string{"reviewed-by:", "reviewed by:", "acked-by:", "approved-by:", "code-review+2:",
	"code-review+1:"}

// reviewers are the people of whom a message says that they reviewed the change.
func reviewers(body string, author Signature, mm *Mailmap) []providers.Person {
	return people(body, author, mm, false, reviewKeys[:], namedIn)
}

// mostNameWords is how many words a name has at most; more are a sentence.
const mostNameWords = 5

// namedIn reads people between commas: names with addresses, or logins and addresses.
// What is neither, such as the page of a review, names nobody.
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
		part, _, _ = strings.Cut(part, " #") // a remark
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

// named is a person, or nobody where a form was left as it is.
func named(name, email string) []providers.Person {
	switch strings.ToLower(name) {
	case "", "none", "nobody", "n/a", "na", "tbd", "todo", "oops", "me", "myself", "nobody (oops!)":
		return nil
	}
	return []providers.Person{{Name: name, Email: email}}
}
