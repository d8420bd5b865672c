package ask_test

import "testing"

// first asks and returns the title of the first citation, whatever its role.
func first(t *testing.T, w *world, question string) string {
	t.Helper()
	a := w.ask(t, question)
	if len(a.Citations) == 0 {
		return ""
	}
	return a.Citations[0].Title
}

// TestDocumentsStandBehindChanges: a handbook tells how things stand, and not when and
// why they came to it. For how it keeps its place.
func TestDocumentsStandBehindChanges(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada <a@example.org>", "2024-03-01", "Handbook › Gauges", "The altimeter gauge in metres shows the metres.").role("doc").
		commit("Ada <a@example.org>", "2024-03-02", "Altimeter gauge in metres", "")
	w.sources[0].Type = "docs"
	if got := first(t, w, "when did the altimeter gauge in metres come in?"); got != "Altimeter gauge in metres" {
		t.Errorf("when: first is %q", got)
	}
	if got := first(t, w, "how do we show the altimeter gauge in metres?"); got != "Handbook › Gauges" {
		t.Errorf("how: first is %q", got)
	}
}

// TestTestsStandBehindWhatTheyTest unless they are asked about.
func TestTestsStandBehindWhatTheyTest(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada <a@example.org>", "2024-03-01", "Altimeter gauge checks", "").
		commit("Ada <a@example.org>", "2024-03-02", "Altimeter gauge itself", "")
	w.sources[0].Type = "test"
	if got := first(t, w, "when did the altimeter gauge come in?"); got != "Altimeter gauge itself" {
		t.Errorf("first is %q", got)
	}
	if got := first(t, w, "when did the altimeter gauge test come in?"); got != "Altimeter gauge checks" {
		t.Errorf("asked for tests, first is %q", got)
	}
}
