package diffterms

import (
	"path"
	"regexp"
	"strings"
)

// language describes how declarations look in files of some kinds.
type language struct {
	forms []form
	// headed is set if the file is a document with headings.
	headed bool
	// labels is set if a line that ends with a colon may be a label, which ends no declaration.
	labels bool
}

// form is a pattern of lines that declare something. Its last group is the name. If kind is empty, the first
// group is the kind, as written: "func", "class".
type form struct {
	kind    string
	pattern *regexp.Regexp
}

// declaration is what a line declares.
type declaration struct{ kind, name string } // as written: "func", "Open"

const (
	// ident matches a name in any language, dotted a qualified name.
	ident  = "[^\\s!-#%-/:-@[-^`{-~0-9][^\\s!-#%-/:-@[-^`{-~]*"
	dotted = ident + `(?:(?:\.|::)` + ident + `)*`
	// modifiers may precede a keyword.
	modifiers = `(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|inline|virtual` +
		`|override|open|data|` +
		`sealed|partial|readonly|declare|const|suspend|fileprivate|mutating|implicit|lazy|case|local|get|set) +){0,6}`
	// begun matches the beginning of the text after the name of a class.
	begun = `\s*(?:[({<\[:;]|extends\b|implements\b|where\b|with\b|final\b|permits\b|do\b|is\b|$)`
)

// languages are identified by file extension. Each of their forms is a kind and a pattern.
var languages = [...]struct {
	extensions string
	forms      [][2]string
}{
	{".go", [][2]string{{"", `^(func|type|const|var) (?:\((?:[^\s)]+ )?\*?(` + ident + `)[^)]*\) ?)?(` + ident +
		`)[ (\[,=]`}}},
	{".py .pyi .pyx", [][2]string{{"", `^\s*(?:async +)?(def|class) +(` + ident + `)\s*[(:\[]`}}},
	{".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte", [][2]string{
		{"", `^\s*` + modifiers + `(function|class|interface|enum|namespace)[ *]+(` + ident + `)` + begun},
		{"", `^\s*` + modifiers + `(const|let|var) +(` + ident + `)[^=]*=\s*(?:async\b|function\b|class\b|[^=].*=>)`},
		{"", `^\s*` + modifiers + `(type) +(` + ident + `)[^=]*=`},
		{"", "^\\s*(describe|it|test)\\(('[^']{1,59}'|\"[^\"]{1,59}\"|`[^`]{1,59}`)"},
		{"method", `^\s+` + modifiers + `(` + ident + `)\([^=()]*\)[^=()]*\{$`},
		{"function", `^(?:module\.)?(?:exports\.)?(` + dotted + `) *= *(?:async\b|function\b|class\b|[^=].*=>)`},
	}},
	{".java .cs .kt .kts .scala .swift .php .groovy .dart", [][2]string{
		{"", `^\s*` + modifiers + `(fun|func|function|def) +(` + dotted + `)\s*[(<\[]`},
		{"", `^\s*` + modifiers + `(class|interface|enum|record|trait|object|struct|protocol|namespace|extension) +(` +
			dotted + `)` + begun},
		{"method", `^\s*(?:public|private|protected|internal|static|final|abstract|override|virtual` +
			`|async)\b[^=(."';]*[ \t*&>\]](` + ident + `) ?\([^;]*$`},
	}},
	{".c .h .cc .cpp .cxx .hpp .hh .hxx .m .mm", [][2]string{
		{"#define", `^#define\s+(` + ident + `)`},
		{"", `^(?:(?:static|typedef|const|extern) +){0,2}(struct|enum|union|class|namespace) +(` + ident +
			`)\s*(?:\{|:[^:]|$)`},
		{"function", `^` + ident + `[^=,;{}"'/#(]*[ \t*&](` + dotted + `) *\((?:.*[^;])?$`},
	}},
	{".rs", [][2]string{
		{"", `^\s*(?:(?:pub(?:\([^)]*\))?|async|unsafe|const|extern|default) +)*(fn|struct|enum|trait|mod|union) +(` +
			ident + `)` + begun},
	}},
	{".rb .rake .ex .exs .lua .pl .pm .perl", [][2]string{
		{"", `^\s*(?:local +)?(def|defp|sub|defmacro|function) +(` + dotted + `[?!]?)`},
		{"", `^\s*(class|module|defmodule) +(` + dotted + `)` + begun},
	}},
	{".sh .bash .zsh .ksh", [][2]string{{"function", `^\s*(` + ident + `)\(\)`}, {"", `^\s*(function) +(` + ident + `)`}}},
	{".sql", [][2]string{
		{"", `(?i)^\s*create +(?:or +replace +|unique +)*(table|view|function|index|trigger` +
			`|procedure) +(?:if +not +exists +)?(` + dotted + `)`},
	}},
	{".proto .thrift", [][2]string{{"", `^\s*(message|service|enum|struct|rpc) +(` + ident + `)\s*[({<:]`}}},
	{".md .markdown .mdx .adoc .asciidoc", [][2]string{
		{"section", "^(?:#{1,6}|={2,6}) +([^\\[\\]<>`|]{1,60}?)[ #]*$"},
	}},
}

// languageOf returns the language of a file by its name, or nil.
func (r *Reader) languageOf(name string) *language {
	ext := strings.ToLower(path.Ext(name))
	if l, known := r.languages[ext]; known {
		return l
	}
	var found *language
	for _, l := range languages {
		if ext == "" || !strings.Contains(l.extensions+" ", ext+" ") {
			continue
		}
		found = &language{headed: l.forms[0][0] == "section", labels: l.forms[0][0] == "#define"}
		for _, f := range l.forms {
			found.forms = append(found.forms, form{f[0], regexp.MustCompile(f[1])})
		}
	}
	if r.languages == nil {
		r.languages = map[string]*language{}
	}
	r.languages[ext] = found
	return found
}

// declaredIn parses the declaration that a line begins, or returns one without a name.
func (l *language) declaredIn(line string) declaration {
	if len(line) > maxLine {
		return declaration{}
	}
	for _, f := range l.forms {
		m := f.pattern.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		d := declaration{kind: f.kind, name: m[len(m)-1]}
		if d.kind == "" {
			d.kind = m[1]
		} else if first, _, _ := strings.Cut(strings.TrimSpace(line), " "); isStatement(d.name) || isStatement(first) {
			return declaration{}
		}
		if len(m) == 4 && m[2] != "" { // the receiver of a method
			d.name = m[2] + "." + d.name
		}
		return d
	}
	return declaration{}
}

// isGroup reports whether kind is the keyword of a declaration that contains others.
func isGroup(kind string) bool {
	switch kind {
	case "class", "interface", "enum", "namespace", "record", "trait", "object", "struct", "protocol", "extension",
		"mod", "union",
		"module", "defmodule", "message", "service", "describe":
		return true
	}
	return false
}

// isStatement reports whether w is a keyword that may be in the position of a function name.
func isStatement(w string) bool {
	switch w {
	case "if", "for", "while", "switch", "return", "else", "do", "case", "typedef", "goto", "sizeof", "throw",
		"new", "delete",
		"catch", "with", "function", "await", "yield", "using", "foreach", "lock", "synchronized", "super", "this", "assert",
		"elif", "try", "require", "import":
		return true
	}
	return false
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c >= 0x80
}
