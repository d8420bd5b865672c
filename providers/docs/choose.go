package docs

import (
	"path"
	"slices"
	"strings"
)

// docType is the type of a document, which determines how it is split.
type docType int

const (
	ignored docType = iota
	plainDoc
	decision  // one decision per file
	proposal  // an RFC or a design
	blueprint // has a name and a summary
	changelog // split into releases
)

// Wanted reports whether the file at a slash-separated path of a repository is a document that this package
// reads.
func Wanted(name string) bool { return docTypeOf(name) != ignored }

// Decides reports whether the document at this path records or proposes a decision.
func Decides(name string) bool {
	k := docTypeOf(name)
	return k == decision || k == proposal || k == blueprint
}

// LogsChanges reports whether the document at this path is a changelog or release notes.
func LogsChanges(name string) bool { return docTypeOf(name) == changelog }

// ID returns the citation id of a whole document.
func ID(name string) string { return id(name, "") }

func docTypeOf(name string) docType {
	lower := strings.ToLower(name)
	base, dir := path.Base(lower), path.Dir(lower)
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	folders := strings.Split(dir, "/")
	switch {
	case hidden(folders) || isRules(base):
		return ignored
	case isManPage(base) && !within(folders, "test", "tests"):
		return plainDoc
	case !isText(ext):
		return ignored
	case within(folders, "adr", "adrs", "decisions", "architecture-decisions", "decision-records") && ext != "":
		return decision
	case within(folders, "rfc", "rfcs", "proposals", "keps", "design-docs") && ext != "":
		return proposal
	case within(folders, "blueprints") && ext != "":
		return blueprint
	case begins(stem, "changelog", "changes", "history", "news", "release_notes", "release-notes", "releasenotes"):
		return changelog
	case begins(stem, "readme", "contributing", "architecture", "design", "hacking", "development", "governance",
		"maintainers", "security", "roadmap"):
		return plainDoc
	case ext == ".txt": // elsewhere it may be anything
		if within(folders, "doc", "docs") && !begins(stem, "requirements", "constraints", "cmakelists") {
			return plainDoc
		}
	case ext != "":
		return plainDoc
	}
	return ignored
}

// hidden reports whether the documents in these folders are third-party or generated, or belong to tools.
func hidden(folders []string) bool {
	return within(folders, "vendor", "node_modules", "third_party", "thirdparty", "testdata", "fixtures", "dist", "build",
		"site-packages") ||
		slices.ContainsFunc(folders, func(f string) bool {
			return strings.HasPrefix(f, ".") && f != "." && f != ".github" && f != ".gitlab"
		})
}

// Rules reports whether the file at a slash-separated path of a repository has rules for agents that work in
// its folder.
func Rules(name string) bool {
	lower := strings.ToLower(name)
	return isRules(path.Base(lower)) && !hidden(strings.Split(path.Dir(lower), "/"))
}

func isRules(base string) bool {
	return base == "claude.md" || base == "claude.local.md" || base == "agents.md"
}

func isText(ext string) bool {
	return slices.Contains([]string{".md", ".markdown", ".rst", ".adoc", ".asciidoc", ".txt", ""}, ext)
}

func within(folders []string, names ...string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return slices.Contains(names, f) })
}

// begins reports whether stem is one of words, with or without a suffix, as in README.de or CHANGELOG-2.0.
func begins(stem string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		rest, ok := strings.CutPrefix(stem, w)
		return ok && (rest == "" || strings.ContainsAny(rest[:1], "-_. "))
	})
}
