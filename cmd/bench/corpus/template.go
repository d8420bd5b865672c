package corpus

import "strings"

// template is a sentence with slots for words: parts and slots alternate.
type template struct {
	parts []string
	slots []slot
}

// slot is a kind of word.
type slot uint8

const (
	slotNone slot = iota
	slotNoun
	slotPlural
	slotVerb
	slotThird
	slotPast
	slotGerund
	slotAdjective
	slotAdverb
	slotManner
	slotIdentifier
	slotCall
	slotCamel
	slotSnake
	slotPath
	slotDir
	slotPackage
	slotError
	slotIssue
	slotTicket
	slotHash
	slotVersion
	slotNumber
	slotPerson
	slotProduct
	slotHost
	slotStamp
)

func slotOf(name string) slot {
	for i, n := range [...]string{
		"", "n", "ns", "v", "vs", "vd", "vg", "a", "d", "adv", "id", "fn", "camel", "snake", "path", "dir", "pkg", "err",
		"iss", "tkt", "hash",
		"ver", "num", "person", "product", "host", "stamp",
	} {
		if n == name && n != "" {
			return slot(i)
		}
	}
	return slotNone
}

// templates reads the lines of a list.
func templates(name string) []template {
	var out []template
	for line := range strings.Lines(text(name)) {
		out = append(out, parseTemplate(strings.TrimRight(line, "\n")))
	}
	return out
}

// parseTemplate splits a line at its slots. Braces around anything else are text.
func parseTemplate(line string) template {
	var t template
	var literal strings.Builder
	for line != "" {
		before, rest, ok := strings.Cut(line, "{")
		name, after, closed := strings.Cut(rest, "}")
		literal.WriteString(before)
		if !ok {
			break
		}
		s := slotNone
		if closed {
			s = slotOf(name)
		}
		if s == slotNone {
			literal.WriteByte('{')
			line = rest
			continue
		}
		t.parts, t.slots = append(t.parts, literal.String()), append(t.slots, s)
		literal.Reset()
		line = after
	}
	t.parts = append(t.parts, literal.String())
	return t
}
