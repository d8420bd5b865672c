package redact

import (
	"slices"
	"strings"
)

// valuesBelow returns the codes or the words after the colon of their heading or on the lines below it, or the password
// alone on the line below a sentence about it.
func (n name) valuesBelow(s string) (from, end int) {
	if n.password && !n.free && !n.weak {
		return n.nextLine(s)
	}
	if !n.prose.codes && !n.phrase {
		return 0, 0
	}
	at := sentenceEnd(s, n.end)
	if colon := strings.Index(s[n.end:at], ": "); n.phrase && colon >= 0 {
		from = n.end + colon + len(": ")
		if end = (sep{at: from}).words(s, n); end > 0 {
			return from, end
		}
	}
	if n.prose.list && !unspaced(s[n.start]) && !containsAny(strings.ToLower(s[n.start:at]), "key", "cod",
		"schl\u00fcssel", "c\u00f3d", "\u043a\u043e\u0434") || strings.ContainsAny(s[n.end:at], ";{}<>=") {
		return 0, 0
	}
	for range 24 {
		next := pairBreak(s, at)
		if next == at {
			break
		}
		at = skipAny(s, next, " \t-*0123456789.)[]", 8)
		if line := sentenceEnd(s, next); isDigits(s[next:min(len(s), next+1)]) && n.prose.codes {
			at = next
			if dot := strings.Index(s[next:line], ". "); dot > 0 && dot < 3 {
				at = next + dot + 2
			}
		}
		line := sentenceEnd(s, at)
		switch text := strings.TrimRight(s[at:line], " \t\r"); {
		case text == "":
		case n.phrase:
			if to := (sep{at: at}).words(s, n); to > 0 {
				return at, to
			}
		case !n.prose.list:
			end = groups(s, at, line)
			return at, end
		case codeLine(text):
			if end == 0 {
				from = at
			}
			end = at + len(text)
		case end > 0 || !strings.HasSuffix(text, ":") && len(text) > 80:
			return from, end
		}
		at = line
	}
	return from, end
}

// nextLine returns a word alone on the line below a sentence, or below the blank line after it.
func (n name) nextLine(s string) (from, end int) {
	at := sentenceEnd(s, n.end)
	from = skipAny(s, pairBreak(s, pairBreak(s, at)), " \t`\"'", 8)
	if at == n.end || from == at || strings.ContainsAny(s[n.end:at], "={};()") {
		return 0, 0
	}
	end = signed.run(s, from, from+maxBare)
	if rest := skipAny(s, end, "`\"'", 2); rest < len(s) && pairBreak(s, rest) == rest || !generated(s[from:end]) {
		return 0, 0
	}
	return from, end
}

// codeLine reports whether a line contains only codes.
func codeLine(line string) bool {
	count := 0
	for w := range strings.FieldsSeq(line) {
		if w = strings.Trim(w, "`"); len(w) >= 9 && strings.Contains(w, "-") && equalGroups(w) {
			count++
			continue
		}
		if !dashed.all(w) || strings.Contains(w, "_") || len(w) < 4 || len(w) > 32 || digits(w) == 0 || technical(w) &&
			!isDigits(w) || isDigits(w) && len(w) < 6 && strings.Count(line, " ") == 0 {
			return false
		}
		count++
	}
	return count > 0 && (len(line) >= 8 || count > 1) && !dated(line)
}

// equalGroups reports whether w consists of groups of equal length.
func equalGroups(w string) bool {
	parts := strings.Split(w, "-")
	return !slices.ContainsFunc(parts, func(p string) bool {
		return len(p) != len(parts[0]) || len(p) < 4 || !alnum.all(p) || mixedCase(p)
	})
}

// dated reports whether a line begins with a date.
func dated(s string) bool {
	return len(s) >= 10 && s[4] == '-' && s[7] == '-' && isDigits(s[:4]) && isDigits(s[8:10])
}

// groups returns the end of the groups of one length starting at at, as in licence keys and recovery codes; 0 if there
// are none.
func groups(s string, at, limit int) int {
	width, count, digit := 0, 0, false
	end := at
	for p := at; p < limit; p = end + 1 {
		to := alnum.run(s, p, min(limit, p+9))
		if to-p < 4 || to-p > 8 || width > 0 && to-p != width || mixedCase(s[p:to]) {
			break
		}
		width, count, end = to-p, count+1, to
		digit = digit || hasDigit(s[p:to])
		if to >= limit || s[to] != '-' && s[to] != ' ' {
			break
		}
	}
	if digit && (count >= 4 || count >= 2 && count*width >= 10 && strings.Contains(s[at:end], "-") &&
		!isDigits(s[at:at+width])) {
		return end
	}
	return 0
}
