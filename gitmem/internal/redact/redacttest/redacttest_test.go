package redacttest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/redact/redacttest"
)

func TestPlantedIsBroadAndWellFormed(t *testing.T) {
	t.Parallel()
	all := redacttest.Planted(1)
	kinds, seen := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		kinds[s.Kind] = true
		id := s.Kind + " in " + s.Form
		if seen[id] {
			t.Errorf("%s is there twice", id)
		}
		seen[id] = true
		if len(s.Value) < 6 || strings.Count(s.Text, s.Value) != 1 {
			t.Errorf("%s: the value %q must stand once in %q", id, s.Value, s.Text)
		}
		if strings.ContainsAny(s.Text, "«»") {
			t.Errorf("%s: %q has a mark of the table", id, s.Text)
		}
	}
	if len(all) < 900 || len(kinds) < 400 {
		t.Errorf("%d secrets of %d kinds", len(all), len(kinds))
	}
	t.Logf("%d secrets of %d kinds", len(all), len(kinds))
}

func TestPlantedFollowsItsSeed(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(redacttest.Planted(7), redacttest.Planted(7)); diff != "" {
		t.Error(diff)
	}
	one, two := redacttest.Planted(1), redacttest.Planted(2)
	for i := range one {
		if one[i].Kind != two[i].Kind || one[i].Form != two[i].Form || one[i].Value == two[i].Value &&
			one[i].Form != "four words that all know" {
			t.Errorf("%d: %v and %v", i, one[i], two[i])
		}
	}
}
