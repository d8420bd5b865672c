package redact

import "strings"

// maxCommand limits how far the flag of a command is searched.
const maxCommand = 256

// command is a program that takes a password by a short flag, or as one of its arguments.
type command struct {
	words []string
	// flag precedes the password: with a trailing blank it is a separate word, or the last letter of combined flags;
	// without one it is the prefix of the password's word.
	flag string
	nth  int  // without a flag: the position of the argument, not counting flags
	sep  byte // if not 0, the password follows this character in its word
}

var commands = [...]command{
	{words: []string{"sshpass ", " login ", "psexec ", "mongo", "cqlsh ", "rdesktop ", "steghide ", "evil-winrm ",
		"crackmapexec ", "netexec ", "fritzconnection ", "influx "}, flag: "-p "},
	{words: []string{"sshpass ", "mysql", "mariadb", "7z ", "7za ", "7zz ", "rar ", "unrar ", "mongo"}, flag: "-p"},
	{words: []string{"redis-cli "}, flag: "-a "},
	{words: []string{"ldapsearch ", "ldapmodify ", "ldapadd ", "ldappasswd ", "ldapwhoami "}, flag: "-w "},
	{words: []string{"openssl "}, flag: "-k "},
	{words: []string{"ssh-keygen "}, flag: "-N "},
	{words: []string{"pdftk "}, flag: "user_pw "},
	{words: []string{"pdftk "}, flag: "owner_pw "},
	{words: []string{"winrs "}, flag: "-p:"},
	{words: []string{"cmdkey "}, flag: "/pass:"},
	{words: []string{"schtasks "}, flag: "/rp "},
	{words: []string{"setuser "}, flag: ">"},
	{words: []string{"secret set "}, flag: "--body "},
	{words: []string{"secret set "}, flag: "-b "},
	{words: []string{"zip ", "unzip ", "sqlcmd ", "bcp ", "tsql ", "mosquitto_", "ipmitool "}, flag: "-P "},
	{words: []string{"rar "}, flag: "-hp"},
	{words: []string{"sqlcmd ", "bcp "}, flag: "-P"},
	{words: []string{"clickhouse-client "}, flag: "--password "},
	{words: []string{"snmp"}, flag: "-A "},
	{words: []string{"snmp"}, flag: "-X "},
	{words: []string{"snmp"}, flag: "-c "},
	{words: []string{"smbclient ", "rpcclient "}, flag: "-U ", sep: '%'},
	{words: []string{"lftp "}, flag: "-u ", sep: ','},
	{words: []string{"plink ", "pscp ", "psftp "}, flag: "-pw "},
	{words: []string{"xfreerdp "}, flag: "/p:"},
	{words: []string{"nmcli ", "neighbor "}, flag: "password "},
	{words: []string{"nmcli "}, flag: "wifi-sec.psk "},
	{words: []string{"radius-server ", "tacacs-server "}, flag: "key "},
	{words: []string{"stats auth "}, nth: 1, sep: ':'},
	{words: []string{"openssl "}, flag: "-K "},
	{words: []string{"http "}, flag: "-a ", sep: ':'},
	{words: []string{
		"qpdf --encrypt ", "enable secret ", "enable password ", " password 0 ", " password 7 ", "tacacs-server key ",
		"snmp-server community ", "pre-shared-key ", "wpa-psk ",
		" psk ", "operator unseal ", "vault login ", "convertto-securestring ", "rootpw ", "root-password password ",
		"user-password password ", "rocommunity ", "rwcommunity ",
		" secret 0 ", "key-string ", "isakmp key ", "authentication-key ", "psksecret ", "auth_pass ", "insecure-password ",
		"oathtool ", "option key ", ": eap ",
		"plain-text-password-value ", "set smbpass ", "new value: ", "service install ",
	}, nth: 1},
	{words: []string{
		"htpasswd ", "net use ", "com2sec ", "createuser ", "message-digest-key ", "authentication-key ", "connect-network ",
		"setairportnetwork ", "ejabberdctl register ",
		"sqlconnectinfo ",
	}, nth: 3},
	{words: []string{
		"htpasswd -n", "net user ", "enable secret ", "enable password ", "tacacs-server key ", "wpa_passphrase ",
		"auth-pass ", "key content ", "rabbitmqctl add_user ",
		"rabbitmqctl change_password ", "password is generated for ",
	}, nth: 2},
	{words: []string{"mc alias set "}, nth: 4},
}

// match returns the password in the arguments of a command.
func (c *command) match(_ *Redactor, s, name string, at, floor int) (Finding, bool) {
	if name[0] != ' ' && at > floor && word.has(s[at-1]) {
		return Finding{}, false
	}
	line := s[at:commandEnd(s, at)]
	if !strings.Contains(line, strings.Trim(c.flag, "- ")) {
		return Finding{}, false
	}
	start, end := c.value(line, len(name))
	if c.sep != 0 {
		sep := strings.IndexByte(line[start:end], c.sep)
		if sep < 0 {
			return Finding{}, false
		}
		start += sep + 1
	}
	return Finding{kindPassword, at + start, at + end}, end > start && passwordArgument(line[start:end]) &&
		(c.nth == 0 || line[start-1] != ' ' || hasDigit(line[start:end]))
}

// value returns the position of the password in a command whose name ends at at.
func (c *command) value(line string, at int) (start, end int) {
	before, n := "", 0
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

// sameFlag reports whether a word is the flag, or several one-letter flags of which it is
// the last.
func sameFlag(text, flag string) bool {
	several := len(flag) == 2 && len(text) > 2 && !hasDigit(text) && len(text) < 6 && text[0] == '-' &&
		text[len(text)-1] == flag[1]
	return text == flag || several && !strings.ContainsAny(text[1:], "-=")
}

// argumentEnd returns the end of a word of a command, including its quotes.
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

// passwordArgument reports whether an argument is a password and not a reference, placeholder or further flag.
func passwordArgument(v string) bool {
	return len(v) >= 4 && (v[0] != '-' || !dashed.all(v)) && !placeholder(v) && !expression(v, true) &&
		(mixed(v) || random(v) || alnum.all(v) && !stateWord(v) && len(v) >= 6)
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
	return at, wordEnd(s, at, ";|)")
}

// matchEcho matches text that is piped to a command that reads a password.
func matchEcho(_ *Redactor, s string, at, _ int) (Finding, bool) {
	from := at + len("echo ")
	from += hasPrefix(s[from:], "-n ", "-e ")
	if lower(s[at]) == 'p' { // printf and its format
		from = skipAny(s, argumentEnd(s, at+len("printf ")), " ", 4)
	}
	start, end := argument(s, from)
	pipe := skipAny(s, end, "\\\"'` ", 8)
	return Finding{kindPassword, start, end}, strings.HasPrefix(s[pipe:], "|") && passwordArgument(s[start:end]) &&
		readsPassword(s[pipe:min(lineEnd(s, pipe), pipe+maxCommand)])
}

// readsPassword reports whether a command reads a password from its input.
func readsPassword(command string) bool {
	return containsAny(command, "password-stdin", "sudo -S", "passwd", "--pass-stdin", "secret set", "secret put",
		"secret create", "cryptsetup", "passphrase-fd", "kinit", "pass insert", "-pass stdin", "askpass", "auth login",
		"login --with-token")
}

// matchHereString matches the here-string of a command that reads a password.
func matchHereString(_ *Redactor, s string, at, floor int) (Finding, bool) {
	start, end := argument(s, skipAny(s, at+len("<<<"), " ", 4))
	return Finding{kindPassword, start, end}, end > start && passwordArgument(s[start:end]) &&
		readsPassword(s[lineStart(s, at, floor):at])
}

// matchOpenSSL matches the password of -passin pass:….
func matchOpenSSL(_ *Redactor, s string, at, floor int) (Finding, bool) {
	flag := hasPrefix(s[at:], "-pass pass:", "-passin pass:", "-passout pass:")
	start, end := argument(s, at+flag)
	return Finding{kindPassword, start, end}, flag > 0 && end-start >= 4 && !placeholder(s[start:end])
}

// matchDirective matches the password of a line of settings such as requirepass ….
func matchDirective(_ *Redactor, s string, at, _ int) (Finding, bool) {
	start, end := argument(s, at+strings.IndexByte(s[at:], ' ')+1)
	return Finding{kindPassword, start, end}, end > start && passwordArgument(s[start:end])
}

// matchIdentified matches the password of SQL's IDENTIFIED BY '…'.
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

// matchNetrc matches the password of an entry of a .netrc file, on one line or on several.
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
	return start, wordEnd(s, start, "")
}

// matchPgpass matches the password of a line of .pgpass: host:port:database:user:password.
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
		start, end := argument(s, from+1) // as in the password maps of mail servers, after the host
		user, password, ok := strings.Cut(s[start:end], ":")
		return Finding{kindPassword, end - len(password), end}, ok && user != "" && passwordArgument(password)
	}
	if host == at || from == at+1 || host > floor && strings.IndexByte("\n\"'`", s[host-1]) < 0 || from >= len(s) ||
		s[from] != ':' {
		return Finding{}, false
	}
	from++
	end := wordEnd(s, from, "")
	line := s[from:end]
	if groups, _, _ := strings.Cut(line, "%"); strings.Trim(groups, "0123456789abcdefABCDEF:/") == "" {
		return Finding{}, false // an IPv6 address
	}
	_, rest, _ := strings.Cut(line, ":")
	_, password, ok := strings.Cut(rest, ":")
	return Finding{kindPassword, end - len(password), end}, ok && len(password) >= 4 && !strings.Contains(password, ":") &&
		!placeholder(password) && !expression(password, true) && (mixed(password) || s[at:from] == ":5432:")
}
