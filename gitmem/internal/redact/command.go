package redact

import "strings"

// maxCommand bounds how far the flag of a command is looked for.
const maxCommand = 256

// command is a program that takes a password by a short flag, or as one of its
// arguments.
type command struct {
	word string
	// flag stands before the password: with a blank at its end in a word of its own,
	// also as the last letter of several flags, without one at the beginning of the
	// password's word.
	flag string
	nth  int  // without a flag: which argument it is, flags not counted
	sep  byte // the password follows this sign in its word, if it is not 0
}

var commands = [...]command{
	{word: "sshpass ", flag: "-p "},
	{word: "sshpass ", flag: "-p"},
	{word: "mysql", flag: "-p"},
	{word: "mariadb", flag: "-p"},
	{word: " login ", flag: "-p "},
	{word: "redis-cli ", flag: "-a "},
	{word: "ldapsearch ", flag: "-w "},
	{word: "ldapmodify ", flag: "-w "},
	{word: "ldapadd ", flag: "-w "},
	{word: "ldappasswd ", flag: "-w "},
	{word: "ldapwhoami ", flag: "-w "},
	{word: "openssl ", flag: "-k "},
	{word: "ssh-keygen ", flag: "-N "},
	{word: "pdftk ", flag: "user_pw "},
	{word: "pdftk ", flag: "owner_pw "},
	{word: "psexec ", flag: "-p "},
	{word: "winrs ", flag: "-p:"},
	{word: "cmdkey ", flag: "/pass:"},
	{word: "schtasks ", flag: "/rp "},
	{word: "setuser ", flag: ">"},
	{word: "secret set ", flag: "--body "},
	{word: "secret set ", flag: "-b "},
	{word: "zip ", flag: "-P "},
	{word: "unzip ", flag: "-P "},
	{word: "7z ", flag: "-p"},
	{word: "7za ", flag: "-p"},
	{word: "7zz ", flag: "-p"},
	{word: "rar ", flag: "-p"},
	{word: "rar ", flag: "-hp"},
	{word: "unrar ", flag: "-p"},
	{word: "sqlcmd ", flag: "-P "},
	{word: "sqlcmd ", flag: "-P"},
	{word: "bcp ", flag: "-P "},
	{word: "bcp ", flag: "-P"},
	{word: "tsql ", flag: "-P "},
	{word: "mongo", flag: "-p "},
	{word: "mongo", flag: "-p"},
	{word: "cqlsh ", flag: "-p "},
	{word: "clickhouse-client ", flag: "--password "},
	{word: "mosquitto_", flag: "-P "},
	{word: "ipmitool ", flag: "-P "},
	{word: "snmp", flag: "-A "},
	{word: "snmp", flag: "-X "},
	{word: "snmp", flag: "-c "},
	{word: "smbclient ", flag: "-U ", sep: '%'},
	{word: "rpcclient ", flag: "-U ", sep: '%'},
	{word: "lftp ", flag: "-u ", sep: ','},
	{word: "plink ", flag: "-pw "},
	{word: "pscp ", flag: "-pw "},
	{word: "psftp ", flag: "-pw "},
	{word: "rdesktop ", flag: "-p "},
	{word: "xfreerdp ", flag: "/p:"},
	{word: "nmcli ", flag: "password "},
	{word: "nmcli ", flag: "wifi-sec.psk "},
	{word: "htpasswd ", nth: 3},
	{word: "htpasswd -n", nth: 2},
	{word: "net user ", nth: 2},
	{word: "net use ", nth: 3},
	{word: "qpdf --encrypt ", nth: 1},
	{word: "enable secret ", nth: 1},
	{word: "enable secret ", nth: 2},
	{word: "enable password ", nth: 1},
	{word: "enable password ", nth: 2},
	{word: " password 0 ", nth: 1},
	{word: " password 7 ", nth: 1},
	{word: "tacacs-server key ", nth: 1},
	{word: "tacacs-server key ", nth: 2},
	{word: "snmp-server community ", nth: 1},
	{word: "pre-shared-key ", nth: 1},
	{word: "wpa-psk ", nth: 1},
	{word: " psk ", nth: 1},
	{word: "wpa_passphrase ", nth: 2},
	{word: "operator unseal ", nth: 1},
	{word: "vault login ", nth: 1},
	{word: "convertto-securestring ", nth: 1},
	{word: "rootpw ", nth: 1},
	{word: "root-password password ", nth: 1},
	{word: "user-password password ", nth: 1},
	{word: "rocommunity ", nth: 1},
	{word: "rwcommunity ", nth: 1},
	{word: "com2sec ", nth: 3},
	{word: "createuser ", nth: 3},
	{word: " secret 0 ", nth: 1},
	{word: "key-string ", nth: 1},
	{word: "isakmp key ", nth: 1},
	{word: "message-digest-key ", nth: 3},
	{word: "authentication-key ", nth: 1},
	{word: "authentication-key ", nth: 3},
	{word: "radius-server ", flag: "key "},
	{word: "tacacs-server ", flag: "key "},
	{word: "neighbor ", flag: "password "},
	{word: "psksecret ", nth: 1},
	{word: "auth_pass ", nth: 1},
	{word: "auth-pass ", nth: 2},
	{word: "insecure-password ", nth: 1},
	{word: "stats auth ", nth: 1, sep: ':'},
	{word: "oathtool ", nth: 1},
	{word: "option key ", nth: 1},
	{word: "key content ", nth: 2},
	{word: ": eap ", nth: 1},
	{word: "openssl ", flag: "-K "},
	{word: "steghide ", flag: "-p "},
	{word: "evil-winrm ", flag: "-p "},
	{word: "crackmapexec ", flag: "-p "},
	{word: "netexec ", flag: "-p "},
	{word: "fritzconnection ", flag: "-p "},
	{word: "influx ", flag: "-p "},
	{word: "rabbitmqctl add_user ", nth: 2},
	{word: "rabbitmqctl change_password ", nth: 2},
	{word: "mc alias set ", nth: 4},
	{word: "connect-network ", nth: 3},
	{word: "setairportnetwork ", nth: 3},
	{word: "ejabberdctl register ", nth: 3},
	{word: "plain-text-password-value ", nth: 1},
	{word: "sqlconnectinfo ", nth: 3},
	{word: "set smbpass ", nth: 1},
	{word: "password is generated for ", nth: 2},
	{word: "new value: ", nth: 1},
	{word: "http ", flag: "-a ", sep: ':'},
	{word: "service install ", nth: 1},
}

// match takes the password that a command gets in a way of its own.
func (c *command) match(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if !hasPrefixFold(s[at:], c.word) || c.word[0] != ' ' && at > floor && word.has(s[at-1]) {
		return Finding{}, false
	}
	line := s[at:commandEnd(s, at)]
	if !strings.Contains(line, strings.Trim(c.flag, "- ")) {
		return Finding{}, false
	}
	start, end := c.value(line)
	if c.sep != 0 {
		sep := strings.IndexByte(line[start:end], c.sep)
		if sep < 0 {
			return Finding{}, false
		}
		start += sep + 1
	}
	return Finding{kindPassword, at + start, at + end}, end > start && passwordArgument(line[start:end]) && (c.nth == 0 || line[start-1] != ' ' || hasDigit(line[start:end]))
}

// value returns where the password stands in a command.
func (c *command) value(line string) (start, end int) {
	before, n := "", 0
	at := len(c.word)
	if line[at-1] != ' ' {
		at = argumentEnd(line, at)
	}
	for at < len(line) {
		from := skipAny(line, at, " \t\r\n\\", maxName)
		if at = argumentEnd(line, from); at == from {
			break
		}
		start, end := argument(line, from)
		text := line[start:end]
		switch flag, spaced := strings.CutSuffix(c.flag, " "); {
		case c.nth > 0 && text != "" && (strings.IndexByte("-/", text[0]) < 0 || strings.ContainsAny(text, "!#%^*+?~")):
			if n++; n == c.nth {
				return start, end
			}
		case c.nth > 0:
		case !spaced && strings.HasPrefix(line[from:], flag) && at > from+len(flag):
			return argument(line, from+len(flag))
		case spaced && strings.HasPrefix(text, flag+"="):
			return argument(line, from+len(flag)+1)
		case spaced && sameFlag(before, flag):
			return start, end
		}
		before = text
	}
	return 0, 0
}

// sameFlag reports whether a word is a flag, or several of one letter with it as the
// last.
func sameFlag(text, flag string) bool {
	several := len(flag) == 2 && len(text) > 2 && !hasDigit(text) && len(text) < 6 && text[0] == '-' && text[len(text)-1] == flag[1]
	return text == flag || several && !strings.ContainsAny(text[1:], "-=")
}

// argumentEnd returns the end of a word of a command, with its quotes.
func argumentEnd(s string, at int) int {
	for at < len(s) && !isSpace(s[at]) {
		if quote := quoteAt(s, &at); quote != "" {
			at = min(len(s), closing(s, at, at+judged, quote)+len(quote))
			continue
		}
		at++
	}
	return at
}

// passwordArgument reports whether an argument is a password and no reference,
// placeholder or further flag.
func passwordArgument(v string) bool {
	return len(v) >= 4 && (v[0] != '-' || !dashed.all(v)) && !placeholder(v) && !expression(v, true) && (mixed(v) || random(v) || alnum.all(v) && !stateWord(v) && len(v) >= 6)
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

// matchEcho takes what is piped into a command that reads a password.
func matchEcho(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if at > floor && isAlnum(s[at-1]) {
		return Finding{}, false
	}
	from := at + len("echo ")
	if hasPrefix(s[from:], "-n ", "-e ") > 0 {
		from += len("-n ")
	}
	if lower(s[at]) == 'p' { // printf and its format
		from = skipAny(s, argumentEnd(s, at+len("printf ")), " ", 4)
	}
	if from >= len(s) {
		return Finding{}, false
	}
	start, end := argument(s, from)
	if end == start || !passwordArgument(s[start:end]) {
		return Finding{}, false
	}
	pipe := skipAny(s, end, "\\\"'` ", 8)
	if pipe >= len(s) || s[pipe] != '|' {
		return Finding{}, false
	}
	return Finding{kindPassword, start, end}, readsPassword(s[pipe:min(len(s), lineEnd(s, pipe), pipe+maxCommand)])
}

// readsPassword reports whether a command takes a password from its input.
func readsPassword(command string) bool {
	for _, reader := range []string{"password-stdin", "sudo -S", "passwd", "--pass-stdin", "secret set", "secret put", "secret create", "cryptsetup", "passphrase-fd", "kinit", "pass insert", "-pass stdin", "askpass", "auth login", "login --with-token"} {
		if strings.Contains(command, reader) {
			return true
		}
	}
	return false
}

// matchHereString takes what a here-string gives to a command that reads a password.
func matchHereString(_ *Redactor, s string, at, floor int) (Finding, bool) {
	start, end := argument(s, skipAny(s, at+len("<<<"), " ", 4))
	return Finding{kindPassword, start, end}, end > start && passwordArgument(s[start:end]) && readsPassword(s[lineStart(s, at, floor):at])
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
	by := strings.Index(s[at:min(len(s), at+maxName)], " BY ")
	from := at + max(by+len(" BY "), len("identified by "))
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
	host := at
	for host > max(floor, at-maxName) && (dotted.has(s[host-1]) || s[host-1] == '*') {
		host--
	}
	from := digit.run(s, at+1, at+6)
	if from == at+1 {
		from = skipAny(s, from, "*", 1)
	}
	if from < len(s) && s[from] == ' ' && at > floor && s[at-1] == ']' {
		return userAndPassword(s, from+1)
	}
	if host == at || from == at+1 || host > floor && strings.IndexByte("\n\"'`", s[host-1]) < 0 || from >= len(s) || s[from] != ':' {
		return Finding{}, false
	}
	from++
	end := from
	for end < len(s) && end < from+judged && !endsURL(s[end]) {
		end++
	}
	line := s[from:end]
	if groups, _, _ := strings.Cut(line, "%"); strings.Trim(groups, "0123456789abcdefABCDEF:/") == "" {
		return Finding{}, false // an address
	}
	_, rest, _ := strings.Cut(line, ":")
	_, password, ok := strings.Cut(rest, ":")
	return Finding{kindPassword, end - len(password), end}, ok && len(password) >= 4 && !strings.Contains(password, ":") && !placeholder(password) && !expression(password, true) && (mixed(password) || s[at:from] == ":5432:")
}

// userAndPassword takes the password of user:password, as maps of mail servers have
// them behind the host.
func userAndPassword(s string, at int) (Finding, bool) {
	start, end := argument(s, at)
	user, password, ok := strings.Cut(s[start:end], ":")
	return Finding{kindPassword, end - len(password), end}, ok && user != "" && passwordArgument(password)
}
