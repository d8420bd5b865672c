package redact_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/redact/redacttest"
)

// TestPlantedSecretsDoNotSurvive has the formats that issuers document, in the contexts in which people leave them.
// Half a value is as bad as a whole one.
func TestPlantedSecretsDoNotSurvive(t *testing.T) {
	t.Parallel()
	r := redact.New()
	missed := 0
	for seed := range uint64(8) {
		for _, s := range redacttest.Planted(seed) {
			out, _ := r.Text(s.Text)
			if survives(out, s.Value) {
				missed++
				t.Errorf("%s in %s: %q keeps %q", s.Kind, s.Form, out, s.Value)
			}
		}
	}
	t.Logf("%d missed", missed)
}

// survives reports whether a value, or a significant half of it, is in the text.
func survives(out, value string) bool {
	if half := len(value) / 2; half >= 8 {
		return strings.Contains(out, value[:half]) || strings.Contains(out, value[half:])
	}
	return strings.Contains(out, value)
}
