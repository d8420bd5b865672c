package git

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// Trailer is one "Key: value" line at the end of a message.
type Trailer struct {
	// Key is as written; upper and lower case don't matter. Value is one line.
	Key, Value string
}

// Trailers returns the trailers of a message's body as git-interpret-trailers(1)
// finds them: the last paragraph counts if it consists of trailers, or if a quarter
// of it does and one of them was written by git itself. Lines that begin with a
// space belong to the one before.
func Trailers(body string) []Trailer {
	body = strings.TrimRight(body, " \t\r\n")
	if at := lastBlankLine(body); at > 0 {
		body = body[at:]
	}
	var out []Trailer
	lines, fits, byGit := 0, 0, false
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "" || line[0] == '#':
			continue
		case (line[0] == ' ' || line[0] == '\t') && lines > 0:
			if fits == lines && len(out) > 0 {
				out[len(out)-1].Value += " " + strings.TrimSpace(line)
			}
			continue
		}
		lines++
		t, ok := trailer(line)
		if ok {
			out = append(out, t)
		}
		if ok || strings.HasPrefix(line, pickedFrom) {
			fits++
		}
		byGit = byGit || strings.HasPrefix(line, pickedFrom) || ok && strings.EqualFold(t.Key, "Signed-off-by")
	}
	if fits == lines || byGit && 4*fits >= lines {
		return out
	}
	return nil
}

// pickedFrom is what git writes below the message of a picked commit.
const pickedFrom = "(cherry picked from commit "

// lastBlankLine is the offset of the last paragraph.
func lastBlankLine(s string) int {
	at := 0
	for i := 0; i < len(s); {
		end := strings.IndexByte(s[i:], '\n')
		if end < 0 {
			break
		}
		if strings.TrimSpace(s[i:i+end]) == "" {
			at = i + end + 1
		}
		i += end + 1
	}
	return at
}

func trailer(line string) (Trailer, bool) {
	n := 0
	for n < len(line) && (line[n] == '-' || isLetterOrDigit(line[n])) {
		n++
	}
	value, ok := strings.CutPrefix(strings.TrimLeft(line[n:], " \t"), ":")
	return Trailer{Key: line[:n], Value: strings.TrimSpace(value)}, ok && n > 0
}

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
