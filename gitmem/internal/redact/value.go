package redact

import "strings"

// skipBold skips the asterisks of Markdown.
func skipBold(s string, at int) int { return at + hasPrefix(s[at:], "**") }

// skipNumber skips the number in a numbered name, as in Unseal Key 1: ….
func skipNumber(s string, at int) int {
	if end := digit.run(s, at, at+2); end > at && s[at-1] == ' ' && end < len(s) && s[end] == ':' {
		return end
	}
	return at
}

// wholeCell reports whether the cell of a table at at contains one word.
func wholeCell(s string, at int) bool {
	start, end := argument(s, skipAny(s, at, " ", maxName))
	at = skipAny(s, skipQuote(s, end), " ", maxName)
	return end > start && (at == len(s) || strings.IndexByte("|\r\n\\", s[at]) >= 0)
}

// enter moves to the first value of a list, and to one on the line below. The operator
// after the name ends at sign.
func (p *sep) enter(s string, n name, sign int) {
	if p.loose || p.at >= len(s) {
		return
	}
	if strings.HasPrefix(s[p.at:], "[-") {
		p.at, p.quote, p.literal = p.at+len("[-"), "-]", true
		return
	}
	if p.wrapped(s, n); p.literal {
		return
	}
	if s[p.at] == '{' || s[p.at] == '\n' && s[sign-1] == ':' {
		if in := nested(s, n, p.at+1); in > 0 {
			p.at, p.literal = skipAny(s, in, " ", maxName), true
			return
		}
	}
	if end := byteList(s, p.at); end > p.at {
		p.bytes = end
		return
	}
	if s[p.at] == '[' {
		if first := skipBreaks(s, p.at+1); quoted(s, first) {
			p.at, p.list = first, true
		}
		return
	}
	next := pairBreak(s, p.at)
	if strings.HasPrefix(s[next:], "string(") { // PHP's var_dump
		next = skipAny(s, digit.run(s, next+len("string("), next+16), ") ", 2)
	}
	switch {
	case next == p.at:
	case quoted(s, next):
		p.at = next
	case s[sign-1] == ':' || s[sign-1] == '*':
		p.at, p.below, p.loose, p.shell = pairBreak(s, next), true, true, true
	}
}

// alone reports whether a value that ends at end is alone on its line, and is neither a name with its own value nor a
// shell prompt.
func (p sep) alone(s string, end int) bool {
	v := s[p.at:end]
	eq := strings.IndexByte(v, '=')
	return v != "" && (end == len(s) || pairBreak(s, end) > end) && v[len(v)-1] != ':' && !(strings.ContainsAny(v, "@/") &&
		strings.IndexByte("$#>", v[len(v)-1]) >= 0) && !strings.Contains(v, ":~") &&
		(eq <= 0 || eq >= len(v)-2 || !dotted.all(v[:eq]))
}

// next returns the separator of the value that follows one ending at end: in a list, and in plans of changes, in which
// the old value precedes the new one.
func (p sep) next(s string, end int) (sep, bool) {
	at := skipQuote(s, end)
	switch {
	case p.list && strings.HasPrefix(s[skipBreaks(s, at):], ","):
		p.at = skipBreaks(s, skipBreaks(s, at)+1)
	case p.quote == "-]" && strings.HasPrefix(s[end:], "-]{+"): // a word diff
		p.at, p.quote, p.literal = end+len("-]{+"), "+}", true
		return p, true
	case strings.HasPrefix(s[at:], " -> "):
		p.at = at + len(" -> ")
	default:
		return p, false
	}
	p.quote = quoteAt(s, &p.at)
	p.literal = true
	return p, p.quote != ""
}

// words returns the end of a password or a phrase of several unquoted words, 0 if there is none: a mnemonic of twelve
// words or more, or words that no sentence about passwords contains.
func (p sep) words(s string, n name) int {
	if p.quote != "" || p.block > 0 || !n.password && !n.phrase {
		return 0
	}
	words, short, unusual := 0, true, true
	end := p.at
	for at := p.at; words <= 24; at = end + 1 {
		to := at
		for to < len(s) && to < at+maxName && isLower(s[to]) {
			to++
		}
		if to-at < 3 || to-at > 12 {
			break
		}
		w := s[at:to]
		words, end, short = words+1, to, short && len(w) <= 8
		unusual = unusual && !sentenceWord(w) && !fillerWord(w) && !stateWord(w)
		if end == len(s) || s[end] != ' ' {
			break
		}
	}
	switch {
	case end < len(s) && strings.IndexByte("\r\n\\\"'`.,)", s[end]) < 0:
		return 0
	case words >= 12 && words%3 == 0 && short, unusual && !n.phrase && words >= leastWords(s, n):
		return end
	}
	return 0
}

// leastWords returns the minimum number of words of an unquoted password, depending on its name.
func leastWords(s string, n name) int {
	before := strings.ToLower(s[lineStart(s, n.start, n.floor):n.start])
	switch {
	case hasAnySuffix(before, []string{"wifi ", "wi-fi ", "wlan ", "network ", "guest "}):
		return 2
	case strings.Contains(n.text, "phrase"), strings.Contains(n.text, "frase"):
		return 3
	case strings.Trim(before, " \t-*") == "":
		return 4
	}
	return maxName
}
