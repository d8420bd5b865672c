package redact

import (
	"iter"
	"strings"
)

const (
	maxBlockLines = 256
	maxIndent     = 256
)

// blockScalar parses the head of a YAML block scalar at *at, such as | or >-, after the key that begins at key. It
// moves *at to the first line of the value and returns the end of the last one, 0 if there is none.
func blockScalar(s string, key int, at *int) int {
	if *at >= len(s) || s[*at] != '|' && s[*at] != '>' {
		return 0
	}
	line := skipAny(s, skipAny(s, *at+1, "+-0123456789", 2), " \t\r", 8)
	if line >= len(s) || s[line] != '\n' {
		return 0
	}
	first, end := 0, 0
	before := s[max(0, key-maxIndent):key]
	outer := len(before) - len(strings.TrimRight(before, " \t-\"'"))
	for text, next := range indented(s, line, outer) {
		if first == 0 {
			first = text
		}
		end = next
	}
	if first == 0 {
		return 0
	}
	*at = first
	return len(strings.TrimRight(s[:end], " \t\r"))
}

// indented yields the start and end of the text of each line after the line end at line, as long as they are indented
// by more than outer, and by tabs only if the first one is. It skips empty lines.
func indented(s string, line, outer int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		begun, tabs := false, false
		for range maxBlockLines {
			if line >= len(s) {
				return
			}
			text := skipAny(s, line+1, " \t", maxIndent)
			next := lineEnd(s, text)
			if strings.TrimSpace(s[text:next]) != "" {
				tabbed := strings.Contains(s[line+1:text], "\t")
				if text-line-1 <= outer || begun && tabbed && !tabs || !yield(text, next) {
					return
				}
				begun, tabs = true, tabs || tabbed
			}
			line = next
		}
	}
}

// lineEnd returns the position of the line end at or after at, at most maxQuoted bytes away.
func lineEnd(s string, at int) int {
	line, _, _ := strings.Cut(s[at:min(len(s), at+maxQuoted)], "\n")
	return at + len(line)
}

// plain reports whether a one-word password is at a position where only a value can be: in a file of settings, in a
// list of name=value, or in YAML.
func (p sep) plain(s string, n name, end int) bool {
	flag := s[n.start] == '-' && p.at > n.end && s[p.at-1] == ' '
	if p.quote != "" || p.loose && !flag || p.block > 0 || n.random || n.free || end < len(s) && !isSpace(s[end]) &&
		strings.IndexByte("\\\"'`", s[end]) < 0 {
		return false
	}
	v := s[p.at:end]
	if len(v) < 5 || len(v) > 64 || !alnum.all(v) || mixedCase(v) || fillerWords(v) || stateWord(strings.ToLower(v)) {
		return false
	}
	start := lineStart(s, n.start, n.floor)
	before := s[start:n.start]
	indent := strings.TrimLeft(before, " \t-")
	switch {
	case flag:
		return end == len(s) || s[end] == '\n' || strings.HasPrefix(s[end:], " -")
	case p.tight && (before == "" || indent == "export "):
		return true
	case p.tight && (s[n.start] == '-' || hasAnySuffix(strings.TrimRight(before, "\"' "),
		[]string{"from-literal=", "--set", " -e", "--extra-vars", "-var", "-var="})):
		return true
	case p.tight && strings.HasSuffix(before, ","):
		return strings.Contains(before, "=") && !strings.Contains(before, "(") // mount options
	case p.tight:
		// one of several pairs
		return strings.HasSuffix(before, " ") && !strings.HasSuffix(before, ", ") && strings.Contains(before, "=")
	case end < len(s) && s[end] != '\n' && s[end] != '\r' && s[end] != '\\':
		return false
	case strings.HasSuffix(strings.TrimRight(s[n.end:p.at], " "), ":"):
		return indent == "" && isLower(v[0]) && s[p.at-1] == ' ' && isLower(s[n.end-1])
	}
	return before == "" && settingLine(s, start, n.floor)
}

// lineStart returns the start of the line of at, where a line end may also be written as \n, at most maxBefore bytes
// back.
func lineStart(s string, at, floor int) int {
	floor = max(floor, at-maxBefore)
	for i := at; i > floor; i-- {
		if s[i-1] == '\n' || i-1 > floor && s[i-1] == 'n' && s[i-2] == '\\' {
			return i
		}
	}
	return floor
}

// settingLine reports whether the line before start is a section of a file of
// settings, or an unquoted setting.
func settingLine(s string, start, floor int) bool {
	if start-1 <= floor || s[start-1] != '\n' {
		return false
	}
	line := strings.TrimSpace(s[lineStart(s, start-1, floor) : start-1])
	if strings.HasPrefix(line, "[") {
		return strings.HasSuffix(line, "]")
	}
	key, value, ok := strings.Cut(line, "=")
	return ok && dotted.all(strings.TrimSpace(key)) && dotted.all(strings.TrimSpace(value))
}

// stateWord reports whether a word describes a password, or is its type.
func stateWord(s string) bool {
	switch s {
	case "string", "text", "integer", "number", "float", "double", "varchar", "bytes", "binary", "required", "optional",
		"hidden", "visible", "disabled", "enabled",
		"input", "field", "label", "sensitive", "masked", "invalid", "incorrect", "missing", "expired", "changed", "reset",
		"updated", "created", "deleted", "default",
		"prompt", "always", "never", "encrypted", "hashed", "plain", "plaintext", "environment", "keyring", "vault",
		"external", "internal", "manual", "generate",
		"generated", "random", "rotate", "rotated", "forgot", "forgotten", "expires", "wrong", "strong", "short", "passwort",
		"argument", "args", "getpass",
		"password1", "password2", "passwd1", "unset", "blank", "nothing", "present", "absent", "accepted", "rejected",
		"denied", "failed", "passed", "ignored":
		return true
	}
	return false
}
