package providers

import "strings"

// TypeOfLabels says what labels make of a thread, in the words of [Item.Type],
// and "" where they say nothing or contradict each other. Prefixes and
// separators don't matter: "kind/bug", "type: bug" and "C-bug" are a bug.
func TypeOfLabels(labels []string) string {
	found := ""
	for _, label := range labels {
		t := typeOfLabel(label)
		if t == "" || t == found {
			continue
		}
		if found != "" {
			return ""
		}
		found = t
	}
	return found
}

// typeOfLabel takes the first word of a label that says something.
func typeOfLabel(label string) string {
	for _, w := range wordsOf(label) {
		switch w {
		case "bug", "bugs", "bugfix", "fix", "defect", "regression", "crash", "panic":
			return "fix"
		case "feature", "features", "enhancement", "enhancements", "improvement", "story", "epic":
			return "feature"
		case "doc", "docs", "documentation":
			return "docs"
		case "question", "questions", "support", "discussion", "discuss", "help":
			return wantsHelp(label, w)
		case "refactor", "refactoring", "cleanup", "debt", "performance":
			return "refactor"
		case "test", "tests", "testing", "flake", "flaky":
			return "test"
		case "dependencies", "dependency", "chore", "ci", "build", "release", "maintenance":
			return "chore"
		case "rfc", "proposal", "idea", "wishlist":
			return "idea"
		case "incident", "outage", "postmortem":
			return "incident"
		case "decision", "adr":
			return "decision"
		}
	}
	return ""
}

// wantsHelp keeps "help wanted", which says nothing about the thread, apart from
// a call for help.
func wantsHelp(label, word string) string {
	if word == "help" && strings.Contains(strings.ToLower(label), "want") {
		return ""
	}
	return "discussion"
}
