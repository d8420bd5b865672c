package git

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// coAuthors returns whom a message names as co-authors, in any paragraph: a branch
// that was squashed brings those of all its commits. The author and doubles are
// left out.
func coAuthors(body string, author Signature, mm *Mailmap) []providers.Person {
	const key = "co-authored-by:"
	if !strings.Contains(body, "uthored-") && !strings.Contains(body, "UTHORED-") {
		return nil
	}
	var out []providers.Person
	seen := newCircle(author)
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if len(line) < len(key) || !strings.EqualFold(line[:len(key)], key) {
			continue
		}
		name, email, _, ok := cutAddress(line[len(key):])
		if !ok {
			name, email = strings.TrimSpace(line[len(key):]), ""
		}
		var p providers.Person
		p.Name, p.Email = mm.Resolve(name, strings.TrimSpace(email))
		if p != (providers.Person{}) && seen.add(p) {
			out = append(out, p)
		}
	}
	return out
}

// circle holds people who were named already. A message may name very many.
type circle struct{ emails, names, unaddressed map[string]bool }

func newCircle(author Signature) *circle {
	c := &circle{emails: map[string]bool{}, names: map[string]bool{}, unaddressed: map[string]bool{}}
	c.add(providers.Person{Name: author.Name, Email: author.Email})
	return c
}

// add tells whether somebody is new here. Emails are compared, and names where one has
// no email.
func (c *circle) add(p providers.Person) bool {
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

// links returns the commits that a message says it reverts or repeats, in the order
// of the text. full makes a shortened id whole where it can.
func links(body string, full func(string) string) []providers.Link {
	if !strings.Contains(body, "ommit") {
		return nil
	}
	var out []providers.Link
	lower := strings.ToLower(body)
	for _, note := range [...]struct {
		rel  providers.Rel
		text string
	}{
		{providers.Reverts, "reverts commit"},
		{providers.PickOf, "cherry picked from commit"},
		{providers.PickOf, "cherry-picked from commit"},
		{providers.PickOf, "backported from commit"},
	} {
		for at := 0; ; {
			n := strings.Index(lower[at:], note.text)
			if n < 0 {
				break
			}
			at += n + len(note.text)
			for _, id := range idsAt(lower[at:]) {
				link := providers.Link{Rel: note.rel, ID: commitID + full(id)}
				if !slices.Contains(out, link) {
					out = append(out, link)
				}
			}
		}
	}
	return out
}

// minNamed is the shortest id in running text that is taken for one.
const minNamed = 7

// idsAt reads the ids that a text begins with: "s 1234567, 89abcde and f012345.".
func idsAt(s string) []string {
	s = strings.TrimPrefix(s, "s")
	var out []string
	for {
		s = strings.TrimLeft(s, " \t\r\n,:<`")
		s = strings.TrimPrefix(s, "and ")
		n := 0
		for n < len(s) && isHex(s[n:n+1]) {
			n++
		}
		if n < minNamed || n > 64 || n < len(s) && isLetterOrDigit(s[n]) || !strings.ContainsAny(s[:n], "0123456789") {
			return out
		}
		out, s = append(out, s[:min(n, 40)]), s[n:]
	}
}
