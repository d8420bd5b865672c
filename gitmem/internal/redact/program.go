package redact

import "strings"

const kindRecovery = "recovery-key"

// matchAnswer matches what a script, such as one of expect, sends after a password prompt.
func matchAnswer(_ *Redactor, s string, at, floor int) (Finding, bool) {
	before := strings.ToLower(s[max(floor, at-maxBefore):at])
	if i := strings.LastIndex(before, "ass"); i < 0 || hasPrefix(before[i:], "assword", "assphrase", "asscode") == 0 ||
		strings.Count(before[i:], "\n") > 1 {
		return Finding{}, false
	}
	from := skipAny(s, at+strings.IndexAny(s[at:], " (")+1, " -", 4)
	start := from
	quote := quoteAt(s, &start)
	if quote == "" {
		return Finding{}, false
	}
	end := closing(s, start, start+judged, quote)
	v := s[start:end]
	for _, enter := range []string{`\r`, `\n`} {
		v, _, _ = strings.Cut(v, enter)
	}
	return Finding{kindPassword, start, start + len(v)}, len(v) >= 4 && !strings.Contains(v, " ") && passwordArgument(v)
}

// matchAuthCommand matches the password of AUTH of Redis and of memcached, if a prompt precedes it or it looks random,
// and the one of AUTH PLAIN of SMTP.
func matchAuthCommand(_ *Redactor, s string, at, floor int) (Finding, bool) {
	start, end := argument(s, at+len("auth "))
	if hasPrefixFold(s[start:], "plain ") || hasPrefixFold(s[start:], "login ") {
		start, end = argument(s, start+len("plain "))
		v := s[start:end]
		return Finding{kindAuth, start, end}, len(v) >= 12 && base64s.all(v) && (len(v)%4 == 0 && !slug(v) || random(v))
	}
	line := s[lineStart(s, at, floor):at]
	prompt := strings.HasSuffix(line, "> ")
	if next := skipAny(s, end, " ", 1); prompt && next > end && next < len(s) && s[next] != '\n' { // AUTH user password
		start, end = argument(s, next)
	}
	v := s[start:end]
	if prompt && strings.Trim(line, "> \t") != "" || strings.HasPrefix(s[at:], "AUTH ") && hasDigit(v) && random(v) &&
		alternating(v) {
		return Finding{kindPassword, start, end}, passwordArgument(v)
	}
	return Finding{}, false
}

// matchSMTP matches the answer to a mail server that asks for the password in base64.
func matchSMTP(_ *Redactor, s string, at, _ int) (Finding, bool) {
	next := pairBreak(s, base64s.run(s, at+len("334 "), at+32))
	from := skipAny(s, next, "<>-=C: ~", 8)
	end := base64s.run(s, from, from+judged)
	return Finding{kindPassword, from, end}, end-from >= 6 && atBreak(s, end)
}

// matchWifi matches the password in the text of a QR code for a Wi-Fi network: WIFI:T:WPA;S:name;P:password;;
func matchWifi(_ *Redactor, s string, at, _ int) (Finding, bool) {
	field := at + len("wifi:")
	for limit := min(len(s), at+judged); field+2 < limit && s[field+1] == ':'; {
		end := field + 2
		for end < limit && s[end] != ';' && s[end] != '\n' {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		if end >= limit || s[end] != ';' {
			break
		}
		if s[field] == 'P' {
			return Finding{kindPassword, field + 2, end}, end > field+5 && !placeholder(s[field+2:end])
		}
		field = end + 1
	}
	return Finding{}, false
}

// matchCharArray matches a string that Java code converts to characters or bytes, as it does with passwords and keys.
func matchCharArray(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if at-1 <= floor || s[at-1] != '"' {
		return Finding{}, false
	}
	end := at - 1
	start := floor + strings.LastIndexByte(s[floor:end], '"') + 1
	v := s[start:end]
	if start <= floor || len(v) > judged || len(v) < 6 || placeholder(v) || pattern(v) ||
		strings.ContainsAny(v, " <{\\") || strings.Contains(strings.ToLower(v), "0123456") {
		return Finding{}, false
	}
	if lower(s[at+1]) == 't' {
		return Finding{kindPassword, start, end}, mixed(v) && hasDigit(v) && strings.IndexByte("[(.:/,", v[0]) < 0
	}
	return Finding{kindSecret, start, end}, strong(v)
}

// matchWorkflow matches a value that a CI job marks as secret.
func matchWorkflow(_ *Redactor, s string, at, _ int) (Finding, bool) {
	start, end := argument(s, at+strings.IndexAny(s[at:], ":]")+1)
	start = skipAny(s, start, ":", end-start)
	return Finding{kindSecret, start, end}, end > start && passwordArgument(s[start:end]) && s[start] != '$'
}

// matchDecoded matches base64 that a program decodes to one word.
func matchDecoded(_ *Redactor, s string, at, _ int) (Finding, bool) {
	from := at + strings.IndexByte(s[at:], '(') + 1
	quote := quoteAt(s, &from)
	end := base64s.run(s, from, from+maxName)
	if quote == "" || !strings.HasPrefix(s[end:], quote) || end-from < 8 {
		return Finding{}, false
	}
	text := fromBase64(strings.TrimRight(s[from:end], "="))
	return Finding{kindSecret, from, end}, isText(text) && !strings.ContainsAny(text, " \n<>{}\"") && mixed(text) &&
		!slug(text)
}

// matchStored matches the value of a resource that stores a secret under another name, and in a plan the new value.
func matchStored(_ *Redactor, s string, at, floor int) (Finding, bool) {
	rest := s[at:min(len(s), at+maxNested)]
	i := strings.Index(strings.ToLower(rest), "value")
	if i < 0 {
		return Finding{}, false
	}
	from := skipAny(s, at+i+len("value"), "\\\"' \t=:", 24)
	if s[from-1] != '"' {
		return Finding{}, false
	}
	end := closing(s, from, from+judged, `"`)
	if next := strings.TrimPrefix(s[end:min(len(s), end+judged)], `" -> "`); next != s[end:min(len(s), end+judged)] {
		from = end + len(`" -> "`)
		end = closing(s, from, from+judged, `"`)
	}
	return Finding{kindSecret, from, end}, end-from >= 6 && printed(s[from:end], true)
}

// matchCookieJar matches the value of a line in the cookie jar of curl and of browsers: host, flag, path, flag, time,
// name, value.
func matchCookieJar(_ *Redactor, s string, at, _ int) (Finding, bool) {
	from := at + 1
	line, _, _ := strings.Cut(s[from:lineEnd(s, from)], "\r")
	cells := strings.Split(line, "\t")
	if len(cells) != 6 || !isDigits(cells[3]) {
		return Finding{}, false
	}
	v := cells[5]
	end := from + len(line)
	return Finding{kindCookie, end - len(v), end}, len(v) >= 16 && random(v) && !placeholder(v)
}

// maxColumns limits the length of the list of columns of an INSERT.
const maxColumns = 512

// inserted appends the values that an SQL INSERT assigns to columns of secrets.
func (r *Redactor) inserted(found []Finding, s string, at int) []Finding {
	if !hasPrefixFold(s[at:], "insert into ") && !hasPrefixFold(s[at:], "replace into ") {
		return found
	}
	head := s[at:min(len(s), at+maxColumns)]
	open := strings.IndexByte(head, '(')
	shut := strings.IndexByte(head, ')')
	if open < 0 || shut < open || strings.ContainsAny(head[:open], ";'") {
		return found
	}
	columns := strings.Split(head[open+1:shut], ",")
	row := skipBreaks(s, at+shut+1)
	if !hasPrefixFold(s[row:], "values") {
		return found
	}
	for row = skipBreaks(s, row+len("values")); row < len(s) && s[row] == '('; {
		row++
		for n := 0; ; n++ {
			row = skipBreaks(s, row)
			start, end, next := argumentOf(s, row)
			if v := s[start:end]; n < len(columns) && start > row && passwordColumn(columns[n]) && passwordArgument(v) {
				found = append(found, Finding{kindPassword, start, end})
			}
			if row = skipBreaks(s, next); row >= len(s) || s[row] != ',' {
				break
			}
			row++
		}
		if row >= len(s) || s[row] != ')' {
			break
		}
		if row = skipBreaks(s, row+1); row >= len(s) || s[row] != ',' {
			break
		}
		row = skipBreaks(s, row+1)
	}
	return found
}

func passwordColumn(name string) bool {
	return hasAnySuffix(strings.Trim(name, " \t\r\n\"`[]'"), []string{"password", "passwd", "passphrase", "pass", "pwd",
		"secret", "token", "apikey", "api_key", "kennwort", "passwort"})
}
