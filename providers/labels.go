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
		if w == "help" && strings.Contains(strings.ToLower(label), "want") {
			return "" // a call for help says nothing about the thread
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
