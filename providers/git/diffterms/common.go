package diffterms

// isCommon reports whether a word is too common to describe a change: a reserved word of many languages, a
// name that every program has, or one of the most frequent English words.
func isCommon(token []byte) bool {
	switch string(token) {
	case "abstract", "and", "any", "args", "argv", "assert", "async", "await", "bool", "boolean", "break", "byte", "bytes",
		"case", "catch", "chan", "char", "class", "cls", "const", "continue", "ctx", "def", "default", "defer",
		"del", "delete",
		"double", "elif", "else", "elsif", "end", "endif", "enum", "err", "error", "esac", "except", "exit",
		"export", "extends",
		"extern", "false", "False", "final", "finally", "float", "fmt", "for", "foreach", "func", "function", "global",
		"goto", "got", "href", "html", "http", "https", "if", "ifdef", "ifndef", "impl", "implements", "import", "include",
		"inline", "instanceof", "int", "int32", "int64", "interface", "iota", "kwargs", "lambda", "len", "let",
		"local", "long",
		"main", "make", "map", "mod", "module", "mut", "namespace", "new", "nil", "None", "nonlocal", "not", "null", "NULL",
		"object", "package", "pass", "print", "printf", "private", "protected", "pub", "public", "raise", "range",
		"require", "return", "select", "self", "short", "signed", "size_t", "sizeof", "static", "str", "string",
		"struct", "super",
		"switch", "then", "this", "throw", "throws", "todo", "TODO", "true", "True", "try", "type", "typedef",
		"typeof", "uint",
		"undefined", "union", "unsigned", "use", "using", "val", "value", "var", "void", "want", "while", "with",
		"www", "yield",
		"about", "after", "all", "also", "are", "because", "been", "before", "being", "but", "can", "could", "did",
		"does", "each",
		"from", "had", "has", "have", "here", "how", "into", "its", "just", "like", "may", "more", "most", "must", "now",
		"off", "one", "only", "other", "our", "out", "over", "should", "some", "such", "than", "that", "the", "The",
		"their", "them", "there", "these", "they", "This", "those", "too", "two", "under", "until", "very", "was",
		"were", "what", "when", "where", "which", "who", "why", "will", "would", "yes", "you", "your", "com", "org":
		return true
	}
	return false
}
