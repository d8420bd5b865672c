package redact

import "strings"

const kindPrivate = "private"

// rule is one form of secret. Where its word stands, in any case, match looks
// closer: it gets the text and the position of the word, and must not look
// left of floor, where the last finding ended. Nothing it finds may start
// before at.
type rule struct {
	word  string // lower case, at least two bytes
	kinds []string
	match func(r *Redactor, s string, at, floor int) (Finding, bool)
}

func builtin() []rule {
	rules := tokenRules()
	rules = append(rules,
		rule{"-----begin", []string{kindPrivateKey}, matchPEM},
		rule{"eyj", []string{kindJWT}, matchJWT},
		rule{"://", []string{kindURLPassword}, matchURL},
		rule{"authorization", []string{kindAuth}, matchAuthorization},
		rule{"bearer", []string{kindAuth}, matchBearer},
		rule{"-u ", []string{kindPassword}, matchUserFlag},
		rule{"--user ", []string{kindPassword}, matchUserFlag},
	)
	return append(rules, assignRules()...)
}

// find looks at each stretch of s between private blocks and existing marks
// by itself, so that a mark means the same as the edge of the text: nothing.
// This is what makes redaction stable.
func (r *Redactor) find(s string) []Finding {
	var found []Finding
	from := 0
	for at := 0; at < len(s); {
		width, kind := r.opaque(s, at)
		if width == 0 {
			at++
			continue
		}
		found = r.scan(found, s[from:at], from)
		if kind != "" {
			found = append(found, Finding{kind, at, at + width})
		}
		at += width
		from = at
	}
	return r.scan(found, s[from:], from)
}

// opaque returns the width of what stands at at and is not to be read: a
// private block, which has a kind, or a mark, which has none.
func (r *Redactor) opaque(s string, at int) (width int, kind string) {
	switch s[at] {
	case '[':
		return r.markWidth(s[at:]), ""
	case '<', '\\':
		return privateWidth(s, at), kindPrivate
	}
	return 0, ""
}

// markWidth returns the length of the mark at the beginning of s. Only known
// kinds make a mark: a secret cannot hide in [redacted:…].
func (r *Redactor) markWidth(s string) int {
	rest, ok := strings.CutPrefix(s, markOpen)
	if !ok {
		return 0
	}
	for _, kind := range r.kinds {
		if strings.HasPrefix(rest, kind) && strings.HasPrefix(rest[len(kind):], "]") {
			return len(markOpen) + len(kind) + 1
		}
	}
	return 0
}

// scan appends the findings of one stretch of text that begins at offset.
func (r *Redactor) scan(found []Finding, s string, offset int) []Finding {
	floor := 0
	for at := 0; at+1 < len(s); at++ {
		p := pair(lower(s[at]), lower(s[at+1]))
		if r.pairs[p/64]&(1<<(p%64)) == 0 {
			continue
		}
		f, ok := r.at(s, at, floor)
		if !ok {
			continue
		}
		floor = f.End
		at = f.End - 1
		f.Start += offset
		f.End += offset
		found = append(found, f)
	}
	return found
}

// at returns what the first rule that applies finds at one place.
func (r *Redactor) at(s string, at, floor int) (Finding, bool) {
	for _, rule := range r.rules[lower(s[at])] {
		if !hasPrefixFold(s[at:], rule.word) {
			continue
		}
		if f, ok := rule.match(r, s, at, floor); ok && f.End > f.Start {
			return f, true
		}
	}
	return Finding{}, false
}

// privateWidth returns the length of the private block that begins at start,
// 0 if there is none. Blocks nest; the outermost end counts.
func privateWidth(s string, start int) int {
	width, closing := privateTag(s, start)
	if width == 0 || closing {
		return 0
	}
	at := start + width
	for depth := 1; at < len(s); {
		width, closing := 0, false
		if s[at] == '<' || s[at] == '\\' {
			width, closing = privateTag(s, at)
		}
		switch {
		case width == 0:
			at++
			continue
		case closing:
			depth--
		default:
			depth++
		}
		at += width
		if depth == 0 {
			return at - start
		}
	}
	return len(s) - start
}

// privateTag returns the length of the tag <private> or </private> at start.
// The angle brackets may be escaped as JSON writers do, since tool inputs are
// redacted as the JSON they are. A tag in a code span of its own, `<private>`,
// is talked about and does nothing.
func privateTag(s string, start int) (width int, closing bool) {
	span := start > 0 && s[start-1] == '`'
	s = s[start:]
	at := bracket(s, "<", `\u003c`)
	if at == 0 {
		return 0, false
	}
	if strings.HasPrefix(s[at:], `\/`) {
		at++
	}
	if strings.HasPrefix(s[at:], "/") {
		at, closing = at+1, true
	}
	if !hasPrefixFold(s[at:], kindPrivate) {
		return 0, false
	}
	at += len(kindPrivate)
	for at < len(s) && (s[at] == ' ' || s[at] == '\t') && at < 64 {
		at++
	}
	end := bracket(s[at:], ">", `\u003e`)
	if end == 0 || span && strings.HasPrefix(s[at+end:], "`") {
		return 0, false
	}
	return at + end, closing
}

func bracket(s, plain, escaped string) int {
	switch {
	case strings.HasPrefix(s, plain):
		return len(plain)
	case hasPrefixFold(s, escaped):
		return len(escaped)
	}
	return 0
}

func pair(a, b byte) uint { return uint(a)<<8 | uint(b) }

// hasPrefixFold reports whether s begins with word, which is lower case ASCII.
func hasPrefixFold(s, word string) bool {
	if len(s) < len(word) {
		return false
	}
	for i := range len(word) {
		if lower(s[i]) != word[i] {
			return false
		}
	}
	return true
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
