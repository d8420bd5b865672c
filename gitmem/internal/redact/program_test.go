package redact_test

import (
	"os"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact/redacttest"
)

// TestWhatProgramsShow has forms in which programs show and take secrets, eight values of each. None may survive.
func TestWhatProgramsShow(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/programs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	forms, err := redacttest.ReadForms(f)
	if err != nil || len(forms) == 0 {
		t.Fatalf("%d forms: %v", len(forms), err)
	}
	for i, form := range forms {
		if left := surviving(form, form.Plant(uint64(i), 8)); left > 0 {
			t.Errorf("%s: %d of 8 survive", form.Name, left)
		}
	}
}
