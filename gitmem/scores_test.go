package gitmem_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestScoresAreTheSameEveryTime asks one question of one index often: a score that is a sum in random order would
// differ in its last digits, and with it every comparison with a threshold or another score.
func TestScoresAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := ""
	w.with(w.repo.dir, func(m *gitmem.Memory) error {
		for range 40 {
			a, err := m.Ask(t.Context(), "oscillator drifts below minus ten degrees", gitmem.Filter{})
			if err != nil {
				return err
			}
			now := asJSON(t, timeless(a))
			if first == "" {
				first = now
			}
			if now != first {
				t.Fatalf("the same question to the same index:\n%s\n%s", first, now)
			}
		}
		return nil
	})
}
