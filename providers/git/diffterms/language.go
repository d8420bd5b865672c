package diffterms

import (
	"path"
	"strings"
)

// language is a way of writing declarations, shared by several languages.
type language byte

const (
	plain language = iota
	golang
	python
	script // JavaScript, TypeScript
	java   // Java, C#, Kotlin, Scala, Swift, PHP
	clang  // C, C++, Objective-C
	rust
	ruby // Ruby, Elixir, Lua, Perl
	shell
	sql
	proto
	headed // Markdown, AsciiDoc
)

func languageOf(p string) language {
	switch strings.ToLower(path.Ext(p)) {
	case ".go":
		return golang
	case ".py", ".pyi", ".pyx":
		return python
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte":
		return script
	case ".java", ".cs", ".kt", ".kts", ".scala", ".swift", ".php", ".groovy", ".dart":
		return java
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".m", ".mm":
		return clang
	case ".rs":
		return rust
	case ".rb", ".rake", ".ex", ".exs", ".lua", ".pl", ".pm", ".perl":
		return ruby
	case ".sh", ".bash", ".zsh", ".ksh":
		return shell
	case ".sql":
		return sql
	case ".proto", ".thrift":
		return proto
	case ".md", ".markdown", ".mdx", ".adoc", ".asciidoc":
		return headed
	}
	return plain
}

// declaration is a line that declares something.
type declaration struct {
	kind, name string // as written: "func", "Open"
	group      bool   // other declarations may belong to it: a class
}

// declaredIn returns what a line declares in a language, or no name. The rules
// look at one line only, so they would rather miss a declaration than see one in
// prose.
func (l language) declaredIn(line string) declaration {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" || len(line) > maxLine {
		return declaration{}
	}
	switch l {
	case golang:
		return declaredInGo(line)
	case clang:
		return declaredInC(line)
	case script:
		if d := byKeyword(l, trimmed); d.name != "" {
			return d
		}
		return declaredInScript(line, trimmed)
	case java:
		if d := byKeyword(l, trimmed); d.name != "" {
			return d
		}
		return method(trimmed)
	case shell:
		if name := word(trimmed); name != "" && strings.HasPrefix(trimmed[len(name):], "()") {
			return declaration{kind: "function", name: name}
		}
		return byKeyword(l, trimmed)
	case headed:
		return heading(line)
	case plain:
		return declaration{}
	}
	return byKeyword(l, trimmed)
}

// byKeyword reads "modifiers keyword name", in which what follows the name must
// fit the keyword.
func byKeyword(l language, s string) declaration {
	for range 6 {
		w := word(s)
		if w == "" {
			return declaration{}
		}
		rest := s[len(w):]
		switch follow := follows(l, w); {
		case follow != 0:
			return named(w, follow, rest)
		case !isModifier(w):
			return declaration{}
		}
		s = strings.TrimLeft(skipParens(rest), " \t")
	}
	return declaration{}
}

// named reads the name behind a keyword and judges what comes next: follow is 'f'
// for a function, 'c' for a class, 'o' for one that needs nothing behind its name.
func named(keyword string, follow byte, rest string) declaration {
	trimmed := strings.TrimLeft(rest, " \t*!&")
	if len(trimmed) == len(rest) {
		return declaration{}
	}
	name := qualified(trimmed)
	if name == "" {
		return declaration{}
	}
	next := strings.TrimSpace(trimmed[len(name):])
	d := declaration{kind: keyword, name: strings.TrimRight(name, ".:"), group: follow == 'c'}
	ok := next == "" || strings.IndexByte("({<[", next[0]) >= 0
	switch follow {
	case 'f':
		ok = next != "" && strings.IndexByte("(<[", next[0]) >= 0
	case 'c':
		ok = ok || strings.IndexByte(":;", next[0]) >= 0 || isClassWord(word(next))
	case 'o':
		ok = true
	}
	if !ok || d.name == "" {
		return declaration{}
	}
	return d
}

func isClassWord(w string) bool {
	switch w {
	case "extends", "implements", "where", "with", "final", "permits", "do", "is":
		return true
	}
	return false
}

func isModifier(w string) bool {
	switch w {
	case "export", "default", "public", "private", "protected", "internal", "static", "final", "abstract", "async",
		"pub", "unsafe", "extern", "inline", "virtual", "override", "open", "data", "sealed", "partial", "readonly",
		"declare", "const", "suspend", "create", "CREATE", "OR", "or", "REPLACE", "replace", "UNIQUE", "unique", "local",
		"fileprivate", "mutating", "implicit", "lazy", "case", "new":
		return true
	}
	return false
}

// follows says what must stand behind the name that follows a keyword, or 0 for a
// word that is none in the language. See named.
func follows(l language, w string) byte {
	switch l {
	case python:
		return among(w, "def", "class", "")
	case script:
		return among(w, "function", "class interface enum namespace", "")
	case java:
		return among(w, "fun func function def", "class interface enum record trait object struct protocol namespace extension", "")
	case rust:
		return among(w, "fn", "struct enum trait mod union", "")
	case ruby:
		return among(w, "function", "class module defmodule", "def defp sub defmacro")
	case shell:
		return among(w, "", "", "function")
	case sql:
		return among(w, "", "", "table TABLE view VIEW function FUNCTION index INDEX trigger TRIGGER procedure PROCEDURE")
	case proto:
		return among(w, "rpc", "message service enum struct", "")
	}
	return 0
}

func among(w, functions, classes, others string) byte {
	switch {
	case listed(functions, w):
		return 'f'
	case listed(classes, w):
		return 'c'
	case listed(others, w):
		return 'o'
	}
	return 0
}

func listed(list, w string) bool {
	for item := range strings.SplitSeq(list, " ") {
		if item == w && w != "" {
			return true
		}
	}
	return false
}

// skipParens skips "(crate)" behind a modifier.
func skipParens(s string) string {
	if strings.HasPrefix(s, "(") {
		if end := strings.IndexByte(s, ')'); end > 0 {
			return s[end+1:]
		}
	}
	return s
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c >= 0x80
}

// word is the identifier that s begins with.
func word(s string) string {
	n := 0
	for n < len(s) && isWordByte(s[n]) {
		n++
	}
	if n > 0 && '0' <= s[0] && s[0] <= '9' {
		return ""
	}
	return s[:n]
}

// qualified is word with dots and colons inside: Foo::bar.
func qualified(s string) string {
	n := 0
	for n < len(s) && (isWordByte(s[n]) || n > 0 && (s[n] == '.' || s[n] == ':' || s[n] == '?' || s[n] == '!')) {
		n++
	}
	name := strings.TrimRight(s[:n], ".:")
	if word(name) == "" {
		return ""
	}
	return name
}
