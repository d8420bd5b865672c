package diffterms

import "strings"

// declaredInGo reads declarations at the left edge.
func declaredInGo(line string) declaration {
	kind := word(line)
	rest, ok := strings.CutPrefix(line[len(kind):], " ")
	if !ok {
		return declaration{}
	}
	switch kind {
	case "func":
		return goFunc(rest)
	case "type":
		name := word(rest)
		if next := rest[len(name):]; name != "" && len(next) > 1 && (next[0] == ' ' || next[0] == '[') {
			return declaration{kind: kind, name: name}
		}
	case "const", "var":
		if name := word(rest); name != "" && len(name) < len(rest) && strings.IndexByte(" ,=", rest[len(name)]) >= 0 {
			return declaration{kind: kind, name: name}
		}
	}
	return declaration{}
}

// goFunc names a method by its type: Command.Execute.
func goFunc(s string) declaration {
	receiver := ""
	if strings.HasPrefix(s, "(") {
		end := strings.IndexByte(s, ')')
		if end < 0 {
			return declaration{}
		}
		receiver, s = s[1:end], strings.TrimLeft(s[end+1:], " ")
		receiver, _, _ = strings.Cut(receiver, "[")
		receiver = strings.TrimSpace(receiver)
		receiver = strings.TrimLeft(receiver[strings.LastIndexByte(receiver, ' ')+1:], "*")
	}
	name := word(s)
	if name == "" || len(name) == len(s) || s[len(name)] != '(' && s[len(name)] != '[' {
		return declaration{}
	}
	if word(receiver) == receiver && receiver != "" {
		name = receiver + "." + name
	}
	return declaration{kind: "func", name: name}
}

// declaredInC reads functions, types and macros at the left edge.
func declaredInC(line string) declaration {
	if rest, ok := strings.CutPrefix(line, "#define "); ok {
		if name := word(strings.TrimLeft(rest, " \t")); len(name) > 1 {
			return declaration{kind: "#define", name: name}
		}
		return declaration{}
	}
	first := word(line)
	if first == "" {
		return declaration{}
	}
	if d := typeInC(line); d.name != "" {
		return d
	}
	before, _, ok := strings.Cut(line, "(")
	if !ok || strings.HasSuffix(strings.TrimRight(line, " \t\r\n"), ";") || strings.ContainsAny(before, "=,;{}\"'/#") {
		return declaration{}
	}
	before = strings.TrimRight(before, " ")
	at := strings.LastIndexAny(before, " \t*&") + 1
	name := before[at:]
	if at == 0 || qualified(name) != name || name == "" || isStatement(first) || strings.HasPrefix(name, "__") {
		return declaration{}
	}
	return declaration{kind: "function", name: name}
}

// typeInC reads "struct name {".
func typeInC(line string) declaration {
	s := line
	for range 3 {
		w := word(s)
		rest := strings.TrimLeft(s[len(w):], " \t")
		switch w {
		case "static", "typedef", "const", "extern":
			s = rest
			continue
		case "struct", "enum", "union", "class", "namespace":
			name := word(rest)
			next := strings.TrimSpace(rest[len(name):])
			if name != "" && (next == "" || next[0] == '{' || next[0] == ':' && !strings.HasPrefix(next, "::")) {
				return declaration{kind: w, name: name, group: true}
			}
		}
		break
	}
	return declaration{}
}

func isStatement(w string) bool {
	switch w {
	case "if", "for", "while", "switch", "return", "else", "do", "case", "typedef", "goto", "sizeof", "throw", "new", "delete",
		"catch", "with", "function", "await", "yield", "using", "foreach", "lock", "synchronized", "super", "this", "assert", "elif", "try", "require", "import":
		return true
	}
	return false
}

// declaredInScript reads what JavaScript declares without a keyword of its own.
func declaredInScript(line, trimmed string) declaration {
	s := trimmed
	for {
		w := word(s)
		if w != "export" && w != "async" && w != "static" && w != "get" && w != "set" && w != "public" && w != "private" && w != "protected" {
			break
		}
		rest := strings.TrimLeft(s[len(w):], " ")
		if rest == "" || len(rest) == len(s)-len(w) {
			break
		}
		s = rest
	}
	switch w := word(s); {
	case w == "const" || w == "let" || w == "var" || w == "type":
		name := word(strings.TrimLeft(s[len(w):], " "))
		_, value, ok := strings.Cut(s, "=")
		if name != "" && ok && (w == "type" || isFunctionValue(value)) {
			return declaration{kind: w, name: name}
		}
	case testNamed(w):
		return testCase(w, s[len(w):])
	case line != trimmed && line[0] <= ' ':
		return shortMethod(w, s)
	default:
		return assigned(s)
	}
	return declaration{}
}

func isFunctionValue(value string) bool {
	value = strings.TrimSpace(value)
	return strings.HasPrefix(value, "function") || strings.HasPrefix(value, "async") || strings.Contains(value, "=>") || strings.HasPrefix(value, "class")
}

// assigned reads "app.use = function".
func assigned(s string) declaration {
	name := qualified(s)
	value, ok := strings.CutPrefix(strings.TrimLeft(s[len(name):], " "), "=")
	if ok && strings.Contains(name, ".") && isFunctionValue(value) && !strings.HasPrefix(value, "=") {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "module."), "exports.")
		return declaration{kind: "function", name: name}
	}
	return declaration{}
}

// shortMethod reads "name(args) {" inside of a class.
func shortMethod(name, s string) declaration {
	rest := s[len(name):]
	if name == "" || !strings.HasPrefix(rest, "(") || !strings.HasSuffix(rest, "{") || isStatement(name) ||
		strings.Contains(rest, "=>") || strings.Contains(rest, "function") {
		return declaration{}
	}
	return declaration{kind: "method", name: name}
}

func testNamed(w string) bool { return w == "describe" || w == "it" || w == "test" }

// testCase reads it('does something', …).
func testCase(kind, s string) declaration {
	s, ok := strings.CutPrefix(s, "(")
	if !ok || len(s) < 3 || s[0] != '\'' && s[0] != '"' && s[0] != '`' {
		return declaration{}
	}
	end := strings.IndexByte(s[1:], s[0])
	if end < 1 || end > 60 {
		return declaration{}
	}
	return declaration{kind: kind, name: s[:end+2], group: kind == "describe"}
}

// method reads "public static Type name(args) {": a modifier, a type, a name.
func method(s string) declaration {
	before, _, ok := strings.Cut(s, "(")
	if !ok || !isModifier(word(s)) || strings.ContainsAny(before, "=\"'.;") || strings.HasSuffix(s, ";") {
		return declaration{}
	}
	before = strings.TrimRight(before, " ")
	name := before[strings.LastIndexAny(before, " \t*&>]")+1:]
	if name == "" || word(name) != name || isModifier(name) || isStatement(name) || word(s) == "new" {
		return declaration{}
	}
	return declaration{kind: "method", name: name}
}

// heading reads "## Title" and "== Title".
func heading(line string) declaration {
	marks := 0
	for marks < len(line) && line[marks] == line[0] {
		marks++
	}
	if line[0] != '#' && line[0] != '=' || marks > 6 || line[0] == '=' && marks < 2 {
		return declaration{}
	}
	title := strings.TrimSpace(strings.Trim(strings.TrimSpace(line[marks:]), "#"))
	if line[marks:] == "" || line[marks] != ' ' || title == "" || len(title) > 60 || strings.ContainsAny(title, "[]<>`|") {
		return declaration{}
	}
	return declaration{kind: "section", name: title}
}
