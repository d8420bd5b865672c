package redact

import "strings"

// rule is one form of secret: where word stands (in any case), match looks
// closer. It is given the whole text, the position of the word and the end of
// what was replaced last, before which it must not look.
type rule struct {
	word  string
	match func(s string, at, floor int) (Finding, bool)
}

func builtin() []rule {
	token := func(kind, word string, min int) rule {
		return rule{word, func(s string, at, _ int) (Finding, bool) {
			if !strings.HasPrefix(s[at:], word) {
				return Finding{}, false
			}
			end := at + len(word)
			for end < len(s) && isTokenByte(s[end]) {
				end++
			}
			return Finding{kind, at, end}, end-at-len(word) >= min
		}}
	}
	return []rule{
		token("github-token", "ghp_", 30),
		token("github-token", "github_pat_", 22),
		token("anthropic-key", "sk-ant-", 20),
	}
}

func (r *Redactor) scan(s string) []Finding {
	var found []Finding
	floor := 0
	for at := 0; at < len(s); {
		f, ok := r.at(s, at, floor)
		if !ok {
			at++
			continue
		}
		found = append(found, f)
		at, floor = f.End, f.End
	}
	return found
}

func (r *Redactor) at(s string, at, floor int) (Finding, bool) {
	if f, ok := private(s, at); ok {
		return f, true
	}
	for _, rule := range r.rules[lower(s[at])] {
		if !hasPrefixFold(s[at:], rule.word) {
			continue
		}
		if f, ok := rule.match(s, at, floor); ok {
			return f, true
		}
	}
	return Finding{}, false
}

// private finds a block <private>…</private> that opens at at; one that is
// never closed reaches to the end.
func private(s string, at int) (Finding, bool) {
	const opens, closes = "<private>", "</private>"
	if s[at] != '<' || !hasPrefixFold(s[at:], opens) {
		return Finding{}, false
	}
	for i := at + len(opens); i < len(s); i++ {
		if s[i] == '<' && hasPrefixFold(s[i:], closes) {
			return Finding{"private", at, i + len(closes)}, true
		}
	}
	return Finding{"private", at, len(s)}, true
}

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

func isTokenByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b == '-'
}
