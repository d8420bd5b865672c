package lint

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// unread tells what in a file was not understood.
func unread(f File) []Finding {
	var out []Finding
	for _, s := range markdown.Parse(f.Text).Skipped {
		out = append(out, Finding{
			Check: Unread, File: f.Path, Line: s.Line, Detail: s.Reason, Advice: "Mend the line; until then it is kept but not read.",
		})
	}
	return out
}

// stale tells of paths in backticks and links that lead nowhere.
func stale(f File, exists func(from, path string) (exists, known bool)) []Finding {
	var out []Finding
	line, fence := 0, ""
	for raw := range bytes.Lines(f.Text) {
		line++
		text := strings.TrimSpace(string(raw))
		if len(text) >= 3 && (text[:3] == "```" || text[:3] == "~~~") {
			if fence == "" {
				fence = text[:3]
			} else if text[:3] == fence {
				fence = ""
			}
		}
		if fence != "" {
			continue
		}
		for _, p := range namedPaths(text) {
			if there, known := exists(f.Path, p); there || !known {
				continue
			}
			out = append(out, Finding{
				Check: StalePath, File: f.Path, Line: line, Text: text, Detail: fmt.Sprintf("%s does not exist", p),
				Advice: "Name where it lies now, or take the line out.",
			})
		}
	}
	return out
}

// namedPaths finds what a line names as a path: in backticks, or as a link.
func namedPaths(line string) []string {
	var out []string
	for i, span := range strings.Split(line, "`") {
		if i%2 == 1 {
			if p, ok := asPath(span); ok {
				out = append(out, p)
			}
		}
	}
	for rest := line; ; {
		_, after, ok := strings.Cut(rest, "](")
		if !ok {
			return out
		}
		target, behind, closed := strings.Cut(after, ")")
		if !closed {
			return out
		}
		target, _, _ = strings.Cut(target, "#")
		if p, ok := asPath(target); ok {
			out = append(out, p)
		}
		rest = behind
	}
}

// asPath tells whether a word can only be meant as a path of a file or folder:
// a command, an address, a pattern or a module's name is none.
func asPath(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if at := strings.IndexByte(s, ':'); at > 1 && strings.Trim(s[at+1:], "0123456789-:L") == "" {
		s = s[:at] // file.go:12
	}
	s = strings.TrimSuffix(strings.TrimPrefix(s, "./"), "/")
	switch {
	case s == "", strings.ContainsAny(s, " \t*?{}<>$|&;=(),'\"@%[]^!"), strings.Contains(s, "://"), strings.Contains(s, "..."), s[0] == '-':
		return "", false
	case strings.Contains(s, "/"):
		first, _, _ := strings.Cut(s, "/") // of a module's path it is a host
		return s, len(first) < 2 || first == ".." || !strings.Contains(first[1:], ".")
	}
	return s, knownExtension(path.Ext(s)) && len(path.Ext(s)) < len(s)
}

// knownExtension tells extensions that make a single word a file's name: without
// them, "v1.2" and "time.Now" would be files.
func knownExtension(ext string) bool {
	switch strings.ToLower(ext) {
	case ".go", ".md", ".py", ".js", ".ts", ".tsx", ".jsx", ".c", ".h", ".cc", ".cpp", ".rs", ".java", ".rb", ".sh", ".sql", ".yml", ".yaml",
		".json", ".toml", ".html", ".css", ".txt", ".proto", ".lock", ".mod", ".sum", ".cfg", ".ini", ".xml", ".kt", ".swift", ".php", ".cs":
		return true
	}
	return false
}
