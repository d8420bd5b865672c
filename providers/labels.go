package providers

import "strings"

// TypeOfLabels returns the [Item.Type] that the labels of a thread indicate, or "" if they indicate none or
// contradict each other. Prefixes and separators don't matter: "kind/bug", "type: bug" and "C-bug" all mean a
// bug.
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

// typeOfLabel uses the first word of a label that indicates a type.
func typeOfLabel(label string) string {
	for _, w := range wordsOf(label) {
		if w == "help" && strings.Contains(strings.ToLower(label), "want") {
			return "" // "help wanted" does not indicate a type
		}
		if t := typeOf(w, []typeWords{
			{"fix", "bug bugs bugfix fix defect regression crash panic"},
			{"feature", "feature features enhancement enhancements improvement story epic"},
			{"docs", "doc docs documentation"},
			{"discussion", "question questions support discussion discuss help"},
			{"refactor", "refactor refactoring cleanup debt performance"},
			{"test", "test tests testing flake flaky"},
			{"chore", "dependencies dependency chore ci build release maintenance"},
			{"idea", "rfc proposal idea wishlist"},
			{"incident", "incident outage postmortem"},
			{"decision", "decision adr"},
		}); t != "" {
			return t
		}
	}
	return ""
}
