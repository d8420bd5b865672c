package lint

import (
	"fmt"
	"path"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
)

// unread reports the parts of a file that could not be parsed.
func unread(f File) []Finding {
	var out []Finding
	for _, s := range markdown.Parse(f.Text).Skipped {
		out = append(out, Finding{
			Check: Unread, File: f.Path, Line: s.Line, Detail: s.Reason,
			Advice: "Mend the line; until then it is kept but not read.",
		})
	}
	return out
}

// stale reports paths in backticks and links that do not exist.
func stale(f File, exists func(from, path string) (exists, known bool)) []Finding {
	var out []Finding
	for line := range markdown.ProseLines(string(f.Text)) {
		if line.Kind == markdown.LineCode {
			continue
		}
		for _, p := range namedPaths(line.Text) {
			if there, known := exists(f.Path, p); there || !known {
				continue
			}
			out = append(out, Finding{
				Check: StalePath, File: f.Path, Line: line.Number, Text: line.Text, Detail: fmt.Sprintf("%s does not exist", p),
				Advice: "Name where it lies now, or take the line out.",
			})
		}
	}
	return out
}

var pathPlace = lazy.Pattern("`([^`]*)`|\\]\\(([^)#]*)")

// namedPaths returns the paths in a line: in backticks, or as a link.
func namedPaths(line string) []string {
	var out []string
	for _, m := range pathPlace().FindAllStringSubmatch(line, -1) {
		if p, ok := Path(m[1] + m[2]); ok {
			out = append(out, p)
		}
	}
	return out
}

// Path returns the path of a file or folder, without a line number, if a word is unambiguously one: it rejects
// commands, addresses, patterns and module names.
func Path(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if at := strings.IndexByte(s, ':'); at > 1 && strings.Trim(s[at+1:], "0123456789-:L") == "" {
		s = s[:at] // file.go:12
	}
	s = strings.TrimSuffix(strings.TrimPrefix(s, "./"), "/")
	switch {
	case s == "", strings.ContainsAny(s, " \t*?{}<>$|&;=(),'\"@%[]^!"), strings.Contains(s, "://"),
		strings.Contains(s, "..."), s[0] == '-':
		return "", false
	case strings.Contains(s, "/"):
		first, _, _ := strings.Cut(s, "/") // for a module path it is a host
		return s, len(first) < 2 || first == ".." || !strings.Contains(first[1:], ".")
	}
	// _test.go is a suffix of names
	return s, KnownExtension(s) && len(path.Ext(s)) < len(s) && s[0] != '_' && !isProduct(s)
}

// isProduct reports whether a word is a product name that looks like a file name.
func isProduct(word string) bool {
	name, ok := strings.CutSuffix(strings.ToLower(word), ".js")
	return ok && isOneOf(" node next vue nuxt react express three d3 chart ember backbone alpine nest socket p5 moment "+
		"day ", name)
}

// KnownExtension reports whether a name has the extension of a file: without this list, "v1.2", "time.Now",
// "release/1.2" and "acme/api:1.2" would count as files.
func KnownExtension(name string) bool {
	return isOneOf(" .go .md .py .js .ts .tsx .jsx .c .h .cc .cpp .rs .java .rb .sh .sql .yml .yaml "+
		".json .toml .html .css .txt .proto .lock .mod .sum .cfg .ini .xml .kt .swift .php .cs ",
		strings.ToLower(path.Ext(name)))
}
