package providers

import (
	"path"
	"slices"
	"strings"
)

// InferType returns the type of a change or a thread, judged by its text and the files it touches: decision,
// discussion, feature, fix, refactor, docs, test, chore, incident or idea.
//
// It tries these in order: a conventional-commit prefix ("fix(api)!: …"), the words of the title, a closing
// word in the body ("fixes #12"), and the files, if all of them are of one kind. Anything else is a feature:
// most changes without these signs add something.
func InferType(title, body string, paths []string) string {
	if t := typeOfPrefix(title); t != "" {
		return t
	}
	if t := typeOfWords(title); t != "" {
		return t
	}
	if t := typeOfPaths(paths); t != "" {
		return t
	}
	if t := typeOfVerb(title); t != "" {
		return t
	}
	if closesSomething(body) {
		return "fix"
	}
	return "feature"
}

// typeOfPrefix parses the form "type(scope)!: title".
func typeOfPrefix(title string) string {
	head, _, ok := strings.Cut(title, ":")
	if !ok || len(head) > 60 {
		return ""
	}
	head = strings.TrimSuffix(head, "!")
	if open := strings.IndexByte(head, '('); open > 0 && strings.HasSuffix(head, ")") {
		head = head[:open]
	}
	return typeOf(strings.ToLower(strings.TrimSpace(head)), []typeWords{
		{"feature", "feat feature"},
		{"fix", "fix bugfix hotfix revert"},
		{"docs", "docs doc"},
		{"refactor", "refactor perf"},
		{"test", "test tests"},
		{"chore", "chore ci build style deps release"},
		{"decision", "adr decision"},
		{"incident", "incident postmortem post-mortem"},
		{"idea", "rfc idea proposal"},
		{"discussion", "discussion question"},
	})
}

// typeWords are the words, separated by spaces, that indicate a type.
type typeWords struct{ name, words string }

// typeOf returns the type that word indicates, or "".
func typeOf(word string, types []typeWords) string {
	for _, t := range types {
		for w := range strings.FieldsSeq(t.words) {
			if w == word {
				return t.name
			}
		}
	}
	return ""
}

// typeOfWords looks for unambiguous words anywhere in the title. If two types match ("fix typo", "fix flaky
// test"), the narrower one wins, so it comes first.
func typeOfWords(title string) string {
	words := wordsOf(title)
	for _, t := range []typeWords{
		{"incident", "incident outage postmortem"},
		{"decision", "adr decision decide decided"},
		{"docs", "typo typos readme changelog documentation docs docstring"},
		{"test", "flaky"},
		{"fix", "fix fixes fixed fixing bug bugs bugfix hotfix revert reverts reverted crash crashes panic regression leak " +
			"deadlock"},
		{"refactor", "refactor refactors refactored refactoring cleanup"},
		{"idea", "proposal idea wishlist"},
	} {
		if slices.ContainsFunc(words, func(w string) bool { return typeOf(w, []typeWords{t}) != "" }) {
			return t.name
		}
	}
	return ""
}

// typeOfVerb reads the first word of the title, which in an imperative subject names the action but not its
// object.
func typeOfVerb(title string) string {
	words := wordsOf(title)
	if len(words) == 0 {
		return ""
	}
	return typeOf(words[0], []typeWords{
		{"refactor", "rename extract simplify move inline split rewrite clean"},
		{"docs", "document describe explain"},
		{"test", "test tests cover"},
		{"chore", "bump upgrade release vendor lint format pin prepare"},
		{"discussion", "why how what should question"},
	})
}

// typeOfPaths returns a type only if every file is of the same kind.
func typeOfPaths(paths []string) string {
	kind := ""
	for _, p := range paths {
		k := kindOfPath(p)
		if k == "" || kind != "" && k != kind {
			return ""
		}
		kind = k
	}
	return kind
}

// kindOfPath returns docs, test or chore for a path that is unambiguous, or "".
func kindOfPath(p string) string {
	p = strings.ToLower(p)
	base := path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	segments := "/" + p
	switch {
	case strings.Contains(segments, "/adr/") || strings.Contains(segments, "/adrs/") ||
		strings.Contains(segments, "/decisions/"):
		return "decision"
	case isCIFile(p, base):
		return "chore"
	case strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") ||
		strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") ||
		strings.Contains(segments, "/testdata/") || strings.Contains(segments, "/tests/") ||
		strings.Contains(segments, "/__tests__/"):
		return "test"
	case strings.HasSuffix(base, ".md") || strings.HasSuffix(base, ".rst") || strings.HasSuffix(base, ".adoc") ||
		strings.HasPrefix(segments, "/docs/") || strings.HasPrefix(segments, "/doc/"):
		return "docs"
	}
	return ""
}

// isCIFile reports whether a file only configures automation or locks dependencies.
func isCIFile(p, base string) bool {
	for _, dir := range []string{".github/workflows/", ".circleci/", ".buildkite/", ".gitlab/ci/"} {
		if strings.HasPrefix(p, dir) {
			return true
		}
	}
	switch base {
	case ".travis.yml", ".gitlab-ci.yml", "jenkinsfile", "azure-pipelines.yml", "appveyor.yml", "dependabot.yml",
		".golangci.yml", ".golangci.yaml", ".pre-commit-config.yaml", ".goreleaser.yml", ".goreleaser.yaml",
		"go.sum", "go.mod", "package-lock.json", "yarn.lock", "cargo.lock", "poetry.lock", ".gitignore":
		return true
	}
	return false
}

// closesSomething reports whether the body has a line such as "Fixes #12".
func closesSomething(body string) bool {
	for line := range strings.Lines(body) {
		words := strings.Fields(strings.ToLower(line))
		if len(words) < 2 {
			continue
		}
		switch strings.TrimSuffix(words[0], ":") {
		case "fix", "fixes", "fixed":
			if len(References(line)) > 0 {
				return true
			}
		}
	}
	return false
}

// wordsOf returns the lower-case words of s. Every ASCII character other than a letter or a digit is a
// separator.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r < 0x80 && !isAlnum(byte(r))
	})
}
