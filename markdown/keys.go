package markdown

import (
	"bytes"
	"strconv"
	"strings"
)

// keyScan finds top-level keys by their lines. It serves editing only and need
// not accept all of YAML or TOML: a key it does not find is a key that cannot
// be edited, and SetField checks its edits with the real parsers.
type keyScan struct {
	src  []byte
	end  int // of the content
	keys []Key
}

// add appends a key and gives the one before it all lines up to here.
func (k *keyScan) add(key Key) {
	k.closeLast(key.Line.Start)
	k.keys = append(k.keys, key)
}

func (k *keyScan) closeLast(at int) {
	if n := len(k.keys); n > 0 {
		k.keys[n-1].Span = Span{k.keys[n-1].Line.Start, at}
	}
}

// yamlKeys lists the keys of a block mapping at the top level.
func yamlKeys(src []byte, content Span) []Key {
	k := &keyScan{src: src, end: content.End}
	for pos := content.Start; pos < content.End; {
		line := Span{pos, min(lineEnd(src, pos), content.End)}
		pos = max(line.End, k.yamlLine(line))
	}
	k.closeLast(content.End)
	return k.keys
}

// yamlLine looks for a key on a line and tells where scanning goes on: behind
// a quoted or bracketed value that runs over several lines.
func (k *keyScan) yamlLine(line Span) int {
	text := string(trimEnd(line.Of(k.src)))
	if text == "" || strings.IndexByte(" \t#%,]}", text[0]) >= 0 || isIndicator(text) {
		return line.End
	}
	if text[0] == '[' || text[0] == '{' {
		return k.skipValue(line.Start)
	}
	name, after := yamlName(text)
	if after < 0 {
		return line.End
	}
	at := line.Start + after
	eol := line.Start + len(text)
	value := trimSpan(k.src, Span{at, eol})
	if value.Len() == 0 || k.src[value.Start] == '#' {
		k.add(Key{Name: name, Line: line, Value: Span{at, at}})
		return line.End
	}
	end := k.skipValue(value.Start)
	value.End = min(end, eol)
	k.add(Key{Name: name, Line: line, Value: trimSpan(k.src, value)})
	return end
}

// isIndicator tells whether a line starts a sequence entry, an explicit key or
// its value.
func isIndicator(text string) bool {
	return strings.IndexByte("-?:", text[0]) >= 0 && (len(text) == 1 || isBlankByte(text[1]))
}

// yamlName reads "name:" and tells the offset behind the colon, -1 when the
// line holds no key.
func yamlName(text string) (name string, after int) {
	start := 0
	if text[0] == '"' || text[0] == '\'' {
		start = quotedLen(text)
		if start == 0 {
			return "", -1
		}
		name = unquoteName(text[:start])
	}
	for i := start; i < len(text); i++ {
		switch {
		case text[i] == ':' && (i+1 == len(text) || isBlankByte(text[i+1])):
			if start == 0 {
				name = strings.TrimRight(text[:i], " \t")
			}
			return name, i + 1
		case start > 0 && !isBlankByte(text[i]):
			return "", -1
		case text[i] == '#' && i > 0 && isBlankByte(text[i-1]):
			return "", -1
		}
	}
	return "", -1
}

// quotedLen is the length of the quoted text that s starts with, quotes
// included, or 0 when it is not closed.
func quotedLen[T string | []byte](s T) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] == s[0] && s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return 0
}

func unquoteName(quoted string) string {
	inner := quoted[1 : len(quoted)-1]
	if quoted[0] == '\'' {
		return strings.ReplaceAll(inner, "''", "'")
	}
	if name, err := strconv.Unquote(quoted); err == nil {
		return name
	}
	return inner
}

// skipValue is the offset behind the value at pos: a quoted text or bracketed
// list with all its lines, else the rest of the line up to a comment.
func (k *keyScan) skipValue(pos int) int {
	rest := k.src[pos:k.end]
	n := prefixLen(rest)
	switch {
	case n < len(rest) && (rest[n] == '"' || rest[n] == '\''):
		return k.closedAt(pos+n, quotedLen(rest[n:]))
	case n < len(rest) && (rest[n] == '[' || rest[n] == '{'):
		return k.closedAt(pos+n, bracketLen(rest[n:]))
	}
	line := rest[:lineEnd(rest, 0)]
	if i := commentAt(line); i >= 0 {
		line = line[:i]
	}
	return pos + len(line)
}

// closedAt is the offset behind a value of n bytes at pos. One that is never
// closed, n = 0, takes all the rest: no parser reads such a frontmatter, and
// looking for the end again on each line would not be linear.
func (k *keyScan) closedAt(pos, n int) int {
	if n == 0 {
		return k.end
	}
	return pos + n
}

// prefixLen measures the anchors and tags in front of a value.
func prefixLen(value []byte) int {
	n := 0
	for n < len(value) && (value[n] == '&' || value[n] == '!') {
		for n < len(value) && strings.IndexByte(" \t\r\n", value[n]) < 0 {
			n++
		}
		for n < len(value) && isBlankByte(value[n]) {
			n++
		}
	}
	return n
}

// bracketLen is the length of the bracketed list or map that b starts with, or
// 0 when it is not closed.
func bracketLen(b []byte) int {
	depth := 0
	fresh := true // a quoted text may start here
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '[' || c == '{':
			depth, fresh = depth+1, true
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
			fresh = false
		case c == ',' || c == ':':
			fresh = true
		case c == '#' && i > 0 && strings.IndexByte(" \t\n", b[i-1]) >= 0:
			i = lineEnd(b, i) - 1
		case fresh && (c == '"' || c == '\''):
			n := quotedLen(b[i:])
			if n == 0 {
				return 0
			}
			i, fresh = i+n-1, false
		case strings.IndexByte(" \t\r\n", c) < 0:
			fresh = false
		}
	}
	return 0
}

// commentAt is the offset of a YAML comment in a line, -1 without one.
func commentAt(line []byte) int {
	for i := 1; i < len(line); i++ {
		if line[i] == '#' && isBlankByte(line[i-1]) {
			return i
		}
	}
	return -1
}

// tomlKeys lists the keys in front of the first table and the tables' headers.
func tomlKeys(src []byte, content Span) []Key {
	k := &keyScan{src: src, end: content.End}
	inTable := false
	for pos := content.Start; pos < content.End; {
		line := Span{pos, min(lineEnd(src, pos), content.End)}
		text := string(trimEnd(line.Of(src)))
		indent := len(text) - len(strings.TrimLeft(text, " \t"))
		pos = line.End
		switch bare := text[indent:]; {
		case bare == "" || bare[0] == '#':
		case bare[0] == '[':
			inTable = true
			name := strings.Trim(bare[:strings.LastIndexByte(bare, ']')+1], "[] \t")
			k.add(Key{Name: name, Line: line, Value: Span{line.End, line.End}, repeats: strings.HasPrefix(bare, "[[")})
		default:
			pos = max(pos, k.tomlLine(line, indent, text, inTable))
		}
	}
	k.closeLast(content.End)
	return k.keys
}

// tomlLine reads "name = value" and tells where scanning goes on.
func (k *keyScan) tomlLine(line Span, indent int, text string, inTable bool) int {
	start := 0
	if c := text[indent]; c == '"' || c == '\'' {
		if start = quotedLen(text[indent:]); start == 0 {
			return line.End
		}
	}
	eq := strings.IndexByte(text[indent+start:], '=')
	if eq < 0 {
		return line.End
	}
	eq += indent + start
	name := strings.TrimSpace(text[indent:eq])
	if start == len(name) && start > 1 {
		name = unquoteName(name)
	}
	at := line.Start + eq + 1
	value := trimSpan(k.src, Span{at, line.Start + len(text)})
	end := k.tomlValueEnd(value.Start)
	value.End = max(value.Start, min(end, value.End))
	if !inTable {
		k.add(Key{Name: name, Line: line, Value: trimSpan(k.src, value)})
	}
	return end
}

// tomlValueEnd is the offset behind the TOML value at pos.
func (k *keyScan) tomlValueEnd(pos int) int {
	rest := k.src[pos:k.end]
	for _, q := range []string{`"""`, `'''`} {
		if after, ok := bytes.CutPrefix(rest, []byte(q)); ok {
			i := bytes.Index(after, []byte(q))
			if i < 0 {
				return k.end
			}
			return pos + i + 2*len(q)
		}
	}
	line := string(rest[:lineEnd(rest, 0)])
	switch {
	case line == "":
		return pos
	case line[0] == '[' || line[0] == '{':
		return k.closedAt(pos, bracketLen(rest))
	case line[0] == '"' || line[0] == '\'':
		return k.closedAt(pos, tomlQuotedLen(line))
	}
	if i := strings.IndexByte(line, '#'); i >= 0 {
		return pos + i
	}
	return pos + len(line)
}

// tomlQuotedLen is quotedLen for TOML, where ” does not stand for a quote.
func tomlQuotedLen(s string) int {
	if s[0] == '"' {
		return quotedLen(s)
	}
	if i := strings.IndexByte(s[1:], '\''); i >= 0 {
		return i + 2
	}
	return 0
}
