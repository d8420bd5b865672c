package redact

import "strings"

// valueWithoutOperator parses the text between a name and its value if there is no operator: calls, elements, types,
// blocks and blanks. The name with its quotes and blanks ends at at.
func valueWithoutOperator(s string, n name, at int, closed bool) (sep, bool) {
	rest := s[at:]
	before := s[max(n.floor, n.start-maxBefore):n.start]
	switch {
	case closed && rest[0] == '.':
		if open := typingCall(rest); open > 0 && quoted(s, at+open) {
			return sep{at: at + open, literal: true}, true
		}
	case closed && rest[0] == ',':
		from := skipAny(s, at+1, " ", 4)
		word := hasPrefix(s[from:], "default=", "default:", "with:", "with=", "fallback=", "or:", "value:")
		return sep{at: from + word, literal: true}, (word > 0 || setsEnv(before)) && quoted(s, from+word)
	// {password, "…"} of Erlang
	case !closed && n.password && rest[0] == ',' && strings.HasSuffix(before, "{") && quoted(s, at+1):
		return sep{at: at + 1, loose: true}, true
	case closed && rest[0] == '{' && quoted(s, at+1) && setsEnv(before): // ENV.fetch("NAME") { "…" }
		return sep{at: at + 1, literal: true}, true
	case closed && rest[0] == '{':
		in := nested(s, n, at+1)
		return sep{at: in, literal: true}, in > 0
	case closed && rest[0] == '>' && strings.Contains(before[strings.LastIndexByte(before, '\n')+1:], "<"):
		return sep{at: at + 1, xml: true}, true
	case hasPrefix(rest, "</key>", "</name>", "</Key>", "</Name>") > 0:
		from := skipBreaks(s, at+strings.IndexByte(rest, '>')+1)
		tag := hasPrefix(s[from:], "<string>", "<value>", "<Value>")
		return sep{at: from + tag, xml: true}, tag > 0
	case closed && strings.HasPrefix(rest, ";s:"): // PHP's serialize
		from := digit.run(s, at+3, at+8)
		return sep{at: from + 1, literal: true}, from+1 < len(s) && s[from] == ':'
	case rest[0] == '[' && at == n.end:
		if eq := skipAny(s, skipAny(s, word.run(s, at+1, at+maxName), "]", 1), " ", 4); eq < len(s) && s[eq] == '=' {
			return sep{at: eq + 1}, true
		}
	case at > n.end && !closed && hasPrefixFold(rest, "as string"):
		eq := skipAny(s, at+len("as string"), " *0123456789", 8)
		return sep{at: eq + 1}, eq < len(s) && s[eq] == '='
	case at > n.end && !closed && hasPrefixFold(rest, "pic"):
		value := strings.Index(rest[:min(len(rest), maxName)], " VALUE ")
		return sep{at: at + value + len(" VALUE ")}, value > 0
	case at > n.end && !closed:
		return spacedValue(s, n, at, before)
	}
	return sep{}, false
}

// inSettings reports whether the text before a name is not a sentence: a name followed by a blank is then part of a
// list of settings.
func inSettings(before string) bool {
	before = strings.TrimRight(before[strings.LastIndexByte(before, '\n')+1:], " \t")
	return before == "" || strings.IndexByte(":,(\"'{", before[len(before)-1]) >= 0
}

// typingCall returns the length of a browser driver's call that types its argument, including the end of the call that
// finds the field; 0 if there is none.
func typingCall(rest string) int {
	open := strings.IndexByte(rest[:min(len(rest), maxName)], '(')
	if open < 0 {
		return 0
	}
	switch strings.ToLower(rest[1:open]) {
	case "fill", "type", "send_keys", "sendkeys", "setvalue", "set_value", "val", "set", "presssequentially", "keys",
		"sendtext", "entertext", "typetext", "replacetext":
		return open + 1
	}
	return 0
}

// spacedValue parses a value that follows blanks only: a quoted one, or the last word of a line, if the name begins the
// line, the value is in a separate column, or it looks random.
func spacedValue(s string, n name, at int, before string) (sep, bool) {
	from := at
	quote := quoteAt(s, &from)
	if quote != "" {
		end := closing(s, from, from+judged, quote)
		given := n.free && strings.HasSuffix(strings.TrimRight(before, " "), `"`) // user "ann" pass "…"
		n.free = n.free && !given
		return sep{at: at, loose: true, literal: given}, strings.HasPrefix(s[end:], quote) && n.plausible(s[from:end]) &&
			!strings.Contains(s[from:end], "(")
	}
	if kind := hasPrefix(s[at:], "REG_SZ "); kind > 0 {
		at = skipAny(s, at+kind, " ", 8)
	}
	_, end := argument(s, at)
	v := s[at:end]
	if end < len(s) && pairBreak(s, end) == end || v == "" || expression(v, true) || v[len(v)-1] == ':' {
		return sep{}, false
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	first := strings.Trim(line, " \t") == ""
	column := first && (at-n.end > 1 || s[n.end] == '\t')
	return sep{at: at, loose: true, shell: true}, column && n.plausible(v) || n.password && line == "" && n.plausible(v) &&
		!strings.ContainsAny(v, "/=") || line == "" && randomMixed(v) && !slug(v) && len(v) >= 16 || strong(v) && !hex.all(v)
}

// plausible reports whether a value that only its position identifies can be a secret: a word with a digit for a
// password, else a random one.
func (n name) plausible(v string) bool {
	if v == "" || placeholder(v) || strings.ContainsAny(v, " \t") || !hasDigit(v) || version(v) ||
		strings.IndexByte("*&[", v[0]) >= 0 || typeName(v) {
		return false
	}
	if n.password {
		return len(v) >= 6 && mixed(v) && !n.free
	}
	return random(v) && (alternating(v) || strong(v))
}

// typeName reports whether v is a type, or an algorithm with its size.
func typeName(v string) bool {
	return hasPrefix(strings.ToLower(v), "uint", "int", "float", "char", "varchar", "string", "sha", "md5", "utf",
		"base64", "bcrypt", "argon", "pbkdf", "scrypt", "aes", "rsa", "hs256", "rs256", "oauth") > 0
}

// maxNested limits how far the value of a block is searched.
const maxNested = 320

// nested returns the start of the value that a block gives to its name: default or value of a variable, a parameter or
// an output. at is after the brace, or at the end of the name's line in YAML. It returns 0 if there is none.
func nested(s string, n name, at int) int {
	limit := min(len(s), at+maxNested)
	outer := n.start - lineStart(s, n.start, n.floor)
	yaml := at < len(s) && s[at-1] != '{'
	for i := at; i < limit; i++ {
		switch s[i] {
		case '}', '{':
			return 0
		case '\n':
			if from := skipAny(s, i+1, " ", maxName); yaml &&
				(from-i-1 <= outer-len(strings.TrimLeft(s[n.start-outer:n.start], " ")) || from < limit && s[from] == '\n') {
				return 0
			}
		}
		if i > 0 && isAlnum(s[i-1]) || hasPrefix(s[i:], "default", "Default", "value", "Value", "content") == 0 {
			continue
		}
		sign := skipAny(s, alnum.run(s, i, limit), "\\\"' \t", 8)
		if sign < limit && (s[sign] == ':' || s[sign] == '=') {
			return sign + 1
		}
	}
	return 0
}

// byteList returns the end of the list of numbers at at, at least eight, as programs write bytes. It returns at if
// there is none.
func byteList(s string, at int) int {
	open := at
	for open < len(s) && open < at+maxName && (word.has(s[open]) || strings.IndexByte("[]&; ", s[open]) >= 0) &&
		!isDigit(s[max(at, open-1)]) {
		open++
	}
	from := skipBreaks(s, skipAny(s, open, "({[", 2))
	if open < len(s) && s[open] != '{' && s[open] != '(' && !strings.HasPrefix(s[at:open], "[") {
		return at
	}
	end, n := from, 0
	for to := from; to < len(s) && isDigit(s[to]) && n < 4096; n++ {
		end = alnum.run(s, to, to+5)
		if end >= len(s) || s[end] != ',' {
			n++
			break
		}
		to = skipBreaks(s, end+1)
	}
	if n < 8 {
		return at
	}
	return end
}

// wrapped moves to the string argument of a function that returns the value, if the argument looks random, or is a
// password with a digit and the function only converts.
func (p *sep) wrapped(s string, n name) {
	open := conversion(s, p.at)
	if open == p.at {
		return
	}
	start, end, _ := argumentOf(s, open)
	v := s[start:end]
	if v == "" || placeholder(v) || pattern(v) {
		return
	}
	if more := s[skipQuote(s, end):]; strings.HasPrefix(more, ", ") && quoted(more, 2) {
		start := 2
		quote := quoteAt(more, &start)
		if arg := more[start:closing(more, start, start+16, quote)]; len(arg) > 8 {
			return // several values, which are parsed one by one
		}
	}
	plain := hasAnySuffix(s[p.at:p.at+strings.IndexByte(s[p.at:open], '(')], []string{"secret", "some", "string::from",
		"[]byte", "secretstring", "secretstr", "str", "string", "text", "new", "bytes", "literal", "value", "fromstring"})
	if strong(v) || plain && n.plausible(v) && !slug(v) || plain && n.password && n.plausible(v) {
		p.at, p.literal = open, true
	}
}
