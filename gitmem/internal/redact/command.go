package redact

import "strings"

// maxCommand bounds how far the flag of a command is looked for.
const maxCommand = 256

// commands are programs that take a password by a short flag. In tight ones
// it follows without a blank.
var commands = [...]struct {
	word, flag string
	tight      bool
}{
	{"sshpass ", "-p", false},
	{"sshpass ", "-p", true},
	{"mysql", "-p", true},
	{"mariadb", "-p", true},
	{" login ", "-p", false},
	{"redis-cli ", "-a", false},
	{"ldapsearch ", "-w", false},
	{"ldapmodify ", "-w", false},
	{"ldapadd ", "-w", false},
	{"secret set ", "--body", false},
	{"secret set ", "-b", false},
}

// matchCommand takes the password that a command gets by a flag of its own.
func matchCommand(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if s[at] != ' ' && at > floor && (isAlnum(s[at-1]) || s[at-1] == '_') {
		return Finding{}, false
	}
	line := s[at:commandEnd(s, at)]
	for _, c := range commands {
		if !hasPrefixFold(line, c.word) {
			continue
		}
		if from, end := flagValue(line, len(c.word)-1, c.flag, c.tight); end > from && passwordArgument(line[from:end]) {
			return Finding{kindPassword, at + from, at + end}, true
		}
	}
	return Finding{}, false
}

// passwordArgument reports whether an argument is a password and no reference,
// placeholder or further flag.
func passwordArgument(v string) bool {
	return len(v) >= 4 && v[0] != '-' && !placeholder(v) && !expression(v, true) && (mixed(v) || random(v) || alnum.all(v) && !stateWord(v) && len(v) >= 6)
}

// commandEnd returns the end of the command that begins at at: a line end that
// is not escaped, a pipe, or maxCommand bytes.
func commandEnd(s string, at int) int {
	limit := min(len(s), at+maxCommand)
	for i := at; i < limit; i++ {
		if s[i] == '\n' && s[i-1] != '\\' || s[i] == '|' || s[i] == ';' && i+1 < limit && isSpace(s[i+1]) {
			return i
		}
	}
	return limit
}

// flagValue returns where the value of a flag stands in a command.
func flagValue(line string, from int, flag string, tight bool) (start, end int) {
	for from < len(line) {
		i := strings.Index(line[from:], " "+flag)
		if i < 0 {
			return 0, 0
		}
		from += i + 1 + len(flag)
		start := from
		if !tight {
			if start = skipAny(line, from, " =", 4); start == from {
				continue
			}
		} else if start < len(line) && isSpace(line[start]) {
			continue
		}
		return argument(line, start)
	}
	return 0, 0
}

// argument returns the bounds of a word of a command, without its quotes.
func argument(s string, at int) (start, end int) {
	if quote := quoteAt(s, &at); quote != "" {
		return at, closing(s, at, at+judged, quote)
	}
	end = at
	for end < len(s) && end < at+judged && !endsURL(s[end]) && strings.IndexByte(";|)", s[end]) < 0 {
		end++
	}
	return at, end
}

// matchHtpasswd takes the last argument of htpasswd -b file user password.
func matchHtpasswd(_ *Redactor, s string, at, _ int) (Finding, bool) {
	line := s[at:commandEnd(s, at)]
	words, batch := 0, false
	for from := len("htpasswd "); from < len(line); {
		from = skipAny(line, from, " ", 8)
		start, end := argument(line, from)
		if end == start {
			break
		}
		if strings.HasPrefix(line[start:end], "-") {
			batch = batch || strings.Contains(line[start:end], "b")
		} else if words++; words == 3 {
			return Finding{kindPassword, at + start, at + end}, batch && passwordArgument(line[start:end])
		}
		from = end + 1
	}
	return Finding{}, false
}

// matchEcho takes what is piped into a command that reads a password.
func matchEcho(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if at > floor && isAlnum(s[at-1]) {
		return Finding{}, false
	}
	from := at + len("echo ")
	if strings.HasPrefix(s[from:], "-n ") {
		from += len("-n ")
	}
	start, end := argument(s, from)
	if end == start || !passwordArgument(s[start:end]) {
		return Finding{}, false
	}
	pipe := skipAny(s, end, "\\\"'` ", 8)
	if pipe >= len(s) || s[pipe] != '|' {
		return Finding{}, false
	}
	rest := s[pipe:min(len(s), lineEnd(s, pipe), pipe+maxCommand)]
	for _, reader := range []string{"password-stdin", "sudo -S", "passwd --stdin", "chpasswd", "--pass-stdin", "secret set", "secret put"} {
		if strings.Contains(rest, reader) {
			return Finding{kindPassword, start, end}, true
		}
	}
	return Finding{}, false
}

// matchOpenSSL takes the password of -passin pass:….
func matchOpenSSL(_ *Redactor, s string, at, floor int) (Finding, bool) {
	for _, flag := range []string{"-pass pass:", "-passin pass:", "-passout pass:"} {
		if strings.HasPrefix(s[at:], flag) {
			start, end := argument(s, at+len(flag))
			return Finding{kindPassword, start, end}, end-start >= 4 && !placeholder(s[start:end])
		}
	}
	return Finding{}, false
}

// matchDirective takes the password of a line of settings such as
// requirepass ….
func matchDirective(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if at > floor && !isSpace(s[at-1]) && s[at-1] != '-' {
		return Finding{}, false
	}
	start, end := argument(s, at+strings.IndexByte(s[at:], ' ')+1)
	return Finding{kindPassword, start, end}, end > start && passwordArgument(s[start:end])
}

// matchIdentified takes the password of SQL's IDENTIFIED BY '…'.
func matchIdentified(_ *Redactor, s string, at, _ int) (Finding, bool) {
	from := at + len("identified by ")
	quote := quoteAt(s, &from)
	if quote == "'" || quote == `"` || quote == `\"` {
		end := closing(s, from, from+judged, quote)
		return Finding{kindPassword, from, end}, end-from >= 4 && !placeholder(s[from:end])
	}
	return Finding{}, false
}

// matchNetrc takes the password of an entry of a .netrc file, on one line or
// on several.
func matchNetrc(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if at > floor && !isSpace(s[at-1]) && strings.IndexByte("\"'`n", s[at-1]) < 0 {
		return Finding{}, false
	}
	from := at + len("default ")
	if lower(s[at]) == 'm' {
		_, from = netrcWord(s, at+len("machine "))
	}
	for range 4 {
		start, end := netrcWord(s, from)
		var value int
		value, from = netrcWord(s, end)
		switch s[start:end] {
		case "login", "account":
			continue
		case "password":
			v := s[value:from]
			return Finding{kindPassword, value, from}, len(v) >= 4 && !placeholder(v) && !stateWord(v)
		}
		return Finding{}, false
	}
	return Finding{}, false
}

func netrcWord(s string, at int) (start, end int) {
	start = skipBreaks(s, at)
	end = start
	for end < len(s) && end < start+judged && !endsURL(s[end]) {
		end++
	}
	return start, end
}

// matchPgpass takes the password of a line of .pgpass:
// host:port:database:user:password.
func matchPgpass(_ *Redactor, s string, at, floor int) (Finding, bool) {
	host := dotted.runBack(s, at, max(floor, at-maxName))
	if host == at || host > floor && strings.IndexByte("\n\"'`", s[host-1]) < 0 {
		return Finding{}, false
	}
	end := at + len(":5432:")
	from := end
	for end < len(s) && end < from+judged && !endsURL(s[end]) {
		end++
	}
	line := s[from:end]
	_, rest, _ := strings.Cut(line, ":")
	_, password, ok := strings.Cut(rest, ":")
	return Finding{kindPassword, end - len(password), end}, ok && len(password) >= 4 && !placeholder(password) && !expression(password, true)
}
