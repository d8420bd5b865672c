package docs

import (
	"path"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

var (
	manPath   = lazy.Pattern(`\.[1-9](\.in)?$`)
	manHeader = lazy.Pattern(`(?m)^\.(TH|Dt)[ \t]`)
)

// isManPage reports whether name is the path of a manual page. Other files have numbered names too, see
// [manHeader].
func isManPage(name string) bool { return manPath().MatchString(name) }

// roffHeading parses the headings of manual pages: .SH and .SS of man, .Sh and .Ss of mdoc.
func roffHeading(lines []string, i int) (string, int, int) {
	macro, rest, _ := strings.Cut(lines[i], " ")
	level := map[string]int{".sh": 1, ".ss": 2}[strings.ToLower(macro)]
	title := strings.Join(roffWords(rest), " ")
	switch {
	case level == 0:
		return "", 0, 1
	case title == "" && i+1 < len(lines):
		return strings.TrimSpace(roffText(lines[i+1])), level, 2
	}
	return title, level, 1
}

// fromRoff converts a part of a manual page to text, line by line. A macro that only sets the layout becomes
// a blank line.
func fromRoff(name, text string) string {
	page, _, _ := strings.Cut(path.Base(name), ".")
	var b strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		if bare != "" && (bare[0] == '.' || bare[0] == '\'') {
			bare = macroText(page, bare[1:])
		} else {
			bare = roffText(bare)
		}
		b.WriteString(strings.TrimRight(bare, " \t") + "\n")
	}
	return b.String()
}

var (
	fontMacro  = lazy.Pattern(`^(?:[BI]|SM|SB)$`)
	mixedMacro = lazy.Pattern(`^(?:[BIR]{2}|OP|UR|MT)$`) // their arguments are joined without spaces
	mdocMacro  = lazy.Pattern(`^[A-Z][a-z]$`)
	mdocLayout = lazy.Pattern(`^(?:D[dt]|Os|[BE][dlk]|Pp|Sm|R[se]|S[hs])$`)
)

// macroText converts a line with a macro; line has no leading dot.
func macroText(page, line string) string {
	macro, rest, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	words := roffWords(rest)
	switch {
	case fontMacro().MatchString(macro):
		return strings.Join(words, " ")
	case mixedMacro().MatchString(macro):
		return strings.Join(words, "")
	case macro == "IP" && len(words) > 0:
		return words[0]
	case mdocMacro().MatchString(macro) && !mdocLayout().MatchString(macro):
		return mdocText(page, append([]string{macro}, words...))
	}
	return ""
}

// mdocText converts a line of mdoc, which may have macros between the words.
func mdocText(page string, words []string) string {
	var out []string
	dash := ""
	for i, w := range words {
		switch {
		case w == "Nm" && (i+1 == len(words) || !isNameRune(words[i+1][0])):
			out = append(out, page)
		case w == "Fl":
			dash = "-"
		case mdocMacro().MatchString(w):
		case len(w) == 1 && !isNameRune(w[0]) && len(out) > 0:
			out[len(out)-1] += w
		default:
			out, dash = append(out, dash+w), ""
		}
	}
	return strings.Join(out, " ")
}

func isNameRune(c byte) bool {
	return c >= 0x80 || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

var roffWord = lazy.Pattern(`"(?:[^"]|"")*"?|\S(?:\\ |\S)*`)

// roffWords returns the arguments of a macro as text.
func roffWords(line string) (words []string) {
	line, _, _ = strings.Cut(line, `\"`)
	for _, w := range roffWord().FindAllString(line, -1) {
		if w[0] == '"' {
			w = strings.ReplaceAll(strings.TrimSuffix(w[1:], `"`), `""`, `"`)
		}
		if w = roffText(w); w != "" {
			words = append(words, w)
		}
	}
	return words
}

var roffEscape = lazy.Pattern(`\\(?:[fsmgFMnVYk*]?(?:\[[^\]]*\]|\(..)|[fFnk*].|s[-+]?[0-9]{1,2}` +
	`|[hvwlLDbozZABXN]'[^']*'|".*|.|$)`)

// roffText replaces the escapes of a text: those for characters with the characters, those for fonts and
// sizes with nothing.
func roffText(text string) string {
	return roffEscape().ReplaceAllStringFunc(text, func(escape string) string {
		sign := strings.Trim(escape[1:], "[(]")
		if code, err := strconv.ParseUint(strings.TrimPrefix(sign, "u"), 16, 21); err == nil && len(sign) > 4 &&
			sign[0] == 'u' {
			return string(rune(code))
		}
		for _, known := range roffSigns {
			if known[0] == sign {
				return known[1]
			}
		}
		return ""
	})
}

// roffSigns are the names of escapes and their characters.
var roffSigns = [...][2]string{
	{"-", "-"}, {"e", `\`}, {`\`, `\`}, {" ", " "}, {"~", " "}, {"0", " "}, {"t", " "}, {".", "."},
	{"'", "'"}, {"`", "`"}, {"_", "_"}, {"hy", "-"}, {"en", "–"}, {"em", "—"}, {"aq", "'"}, {"dq", `"`},
	{"oq", "‘"}, {"cq", "’"}, {"lq", "“"}, {"rq", "”"}, {"*(lq", "“"}, {"*(rq", "”"}, {"bu", "•"},
	{"co", "©"}, {"rg", "®"}, {"ti", "~"}, {"ha", "^"}, {"ga", "`"}, {"rs", `\`}, {"at", "@"}, {"sh", "#"},
	{"Do", "$"}, {"->", "→"}, {"<-", "←"}, {"mu", "×"}, {"de", "°"}, {"lB", "["}, {"rB", "]"}, {"lC", "{"},
	{"rC", "}"}, {"or", "|"}, {"ba", "|"},
}
