package ingest

import (
	"regexp"
	"strings"
)

// SymbolLike tells a question that looks for an identifier, a path or an error code.
func SymbolLike(text string) bool {
	return regexp.MustCompile(`[A-Za-z0-9](?:_|::|\.|/|\\)[A-Za-z0-9]|[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|^\S+$`).MatchString(strings.TrimSpace(text))
}
