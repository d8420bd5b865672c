package claim_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/claim"
)

// TestUnborne: a statement is supported only by a text that makes the same statement about the same subject, with the
// same negation.
func TestUnborne(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		statement, told string // sentences of a source, separated by |
		names           string // of the statement
		borne           bool
	}{
		{"Redis was dropped because sessions fit in memory.", "Drop Redis: sessions fit in memory", "Redis", true},
		{"Redis was never dropped.", "Drop Redis: sessions fit in memory", "Redis", false},
		{"Redis was added.", "Drop Redis: sessions fit in memory", "Redis", false},
		{"Redis was dropped.", "Keep Redis|We did not drop Redis.", "Redis", false},
		{"Redis was added.", "Keep Redis|We did not drop Redis.", "Redis", false},
		{"Redis was dropped.", "Redis|Should we drop Redis?", "Redis", false},
		{"Sessions do not fit in memory.", "Drop Redis: sessions fit in memory", "", false},
		{"Kafka was dropped since sessions fit in memory.", "Drop Redis: sessions fit in memory", "Kafka", false},
		{"Perl was removed from the fish key bindings.", "Remove perl from the fish key bindings", "Perl", true},
		{"Perl was removed from the bash key bindings.", "Remove perl from the fish key bindings", "Perl", false},
		{"Perl was removed.", "Remove perl from the fish key bindings", "", false},
		{"The fish key bindings were removed.", "Remove perl from the fish key bindings", "", false},
		{"A crash on empty files was fixed in v1.2.0.", "Fix crash on empty files", "v1.2.0", true},
		{"A crash in the parser was fixed.", "Fix crash on empty files", "", false},
		{"Ada added fuzzy matching.", "Add fuzzy matching|Suggested by Dora.", "Ada", true},
		{"Dora added fuzzy matching.", "Add fuzzy matching|Suggested by Dora.", "Dora", false},
		{"Fuzzy matching was added by Dora.", "Add fuzzy matching|Suggested by Dora.", "Dora", false},
		{"Nobody downloads JSON.", "Deprecate the XML exporter|Nobody downloads XML.", "JSON", false},
		{"The flag --jobs was renamed to --workers.", "Rename --jobs to --workers", "--jobs --workers", true},
		{"--workers was renamed to --jobs.", "Rename --jobs to --workers", "--jobs --workers", false},
		{"logging uses zap instead of logrus.", "Use zap instead of logrus for logging", "", true},
		{"zap is used instead of logrus.", "Switch from logrus to zap", "", true},
		{"logrus is used instead of zap.", "Use zap instead of logrus", "", false},
		{"reader.Size() was removed.", "Fix reader.Size()", "reader.Size", false},
		{"The regex search is never expensive.", "Do not use the regex search, which is expensive", "", false},
		{"The regex search is expensive.", "Do not use the regex search, which is expensive", "", true},
		{"The format is affected.", "The format is unaffected", "", false},
		{"The format is not affected.", "The format is unaffected", "", true},
		{"The tables were updated.", `Revert "Update tables"`, "", false},
		{"zap took the place of logrus.", "Use zap instead of logrus", "", true},
	} {
		var src claim.Source
		for _, text := range strings.Split(tt.told, "|") {
			src = append(src, claim.Told{Text: text, Title: strings.Split(tt.told, "|")[0], By: "Ada Example", Facts: "v1.2.0"})
		}
		if why := src.Unborne(tt.statement, strings.Fields(tt.names)); (why == "") != tt.borne {
			t.Errorf("%q by %q: %q is not borne out", tt.statement, tt.told, why)
		}
	}
}

// TestMisplaced: a number counts only at the same place as in the text.
func TestMisplaced(t *testing.T) {
	t.Parallel()
	const text = "Raise the timeout from 10 to 30 seconds\n\nSlow mirrors took 22 seconds. Broken since v1.1.0."
	for statement, want := range map[string]string{
		"The timeout was raised to 30 seconds.":           "",
		"The timeout was raised from 10 to 30 seconds.":   "",
		"The timeout was raised to 10 seconds.":           "10",
		"The timeout was raised in v1.1.0.":               "v1.1.0",
		"The timeout was raised in v1.2.0.":               "",
		"The timeout was broken since version 1.1.0.":     "",
		"Mirrors answered in 22 seconds.":                 "",
		"It was broken since v1.1.0 and fixed in v1.2.0.": "",
	} {
		if got := claim.Misplaced(statement, text, "v1.2.0 2024-03-01"); got != want {
			t.Errorf("%q: %q, want %q", statement, got, want)
		}
	}
}
