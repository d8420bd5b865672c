package git

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
)

// coAuthors returns the co-authors that a message names, without the author.
func coAuthors(body string, author Signature, mm *Mailmap) []providers.Person {
	return people(body, author, mm, true, []string{"co-authored-by:"}, func(value string) []providers.Person {
		name, email, _, ok := cutAddress(value)
		if !ok {
			name, email = value, ""
		}
		return []providers.Person{{Name: name, Email: strings.TrimSpace(email)}}
	})
}

// people returns the people in lines that begin with one of the keys, in any paragraph: the message of a
// squashed branch contains those of all its commits. The author and duplicates are left out.
func people(body string, author Signature, mm *Mailmap, indented bool, keys []string,
	named func(value string) []providers.Person) (out []providers.Person) {
	seen := newSeenPeople(author)
	for line := range strings.Lines(body) {
		if indented {
			line = strings.TrimSpace(line)
		}
		for _, key := range keys {
			if len(line) < len(key) || !strings.EqualFold(line[:len(key)], key) {
				continue
			}
			for _, p := range named(strings.TrimSpace(line[len(key):])) {
				p.Name, p.Email = mm.Resolve(p.Name, p.Email)
				if p != (providers.Person{}) && seen.add(p) {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// seenPeople is the set of people already found. A message may name very many.
type seenPeople struct{ emails, names, unaddressed map[string]bool }

func newSeenPeople(author Signature) *seenPeople {
	c := &seenPeople{emails: map[string]bool{}, names: map[string]bool{}, unaddressed: map[string]bool{}}
	c.add(providers.Person{Name: author.Name, Email: author.Email})
	return c
}

// add reports whether a person is new. It compares emails, and names if one of the two has no email.
func (c *seenPeople) add(p providers.Person) bool {
	name, email := strings.ToLower(p.Name), strings.ToLower(p.Email)
	if email != "" && c.emails[email] || name != "" && (c.unaddressed[name] || email == "" && c.names[name]) {
		return false
	}
	c.names[name], c.emails[email] = true, true
	if email == "" {
		c.unaddressed[name] = true
	}
	return true
}

var (
	linkedCommits = lazy.Pattern(`(reverts commit|cherry[- ]picked from commit|backported from commit)s?((?:[ \t\r\n,:<` +
		"`" + `]*(?:and )?[0-9a-f]{7,}\b)+)`)
	commitPrefix = lazy.Pattern(`[0-9a-f]{7,}`)
)

// links returns the commits that a message reverts or cherry-picks, in the order of the text. full expands a
// shortened id if it can.
func links(body string, full func(string) string) []providers.Link {
	body = strings.ToLower(body)
	if !strings.Contains(body, "reverts commit") && !strings.Contains(body, "from commit") {
		return nil
	}
	// The ids have seven digits or more: "s 1234567, 89abcde and f012345.".
	named := linkedCommits()
	var out []providers.Link
	for _, m := range named.FindAllStringSubmatch(body, -1) {
		rel := providers.PickOf
		if m[1] == "reverts commit" {
			rel = providers.Reverts
		}
		for _, id := range commitPrefix().FindAllString(m[2], -1) {
			link := providers.Link{Rel: rel, ID: commitID + full(id[:min(len(id), 40)])}
			if strings.ContainsAny(id, "0123456789") && !slices.Contains(out, link) {
				out = append(out, link)
			}
		}
	}
	return out
}
