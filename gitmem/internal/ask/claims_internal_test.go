package ask

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/linear/lineartest"
	"github.com/gitmem/gitmem/templates"
)

var update = flag.Bool("update", false, "write the model of templates/models anew")

// TestClaimModel: the built-in model equals the one trained on the examples. Each example is a source that was cited
// for a question of a judged set, with its features and whether it answers the question.
func TestClaimModel(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/claims.txt")
	if err != nil {
		t.Fatal(err)
	}
	var examples []lineartest.Example
	for line := range strings.Lines(string(b)) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			examples = append(examples,
				lineartest.Example{Features: words[1:], Class: map[string]int{"wrong": 0, "right": right}[words[0]]})
		}
	}
	examples = slices.Repeat(examples, 10) // there are few: repeat them for more iterations
	taught := lineartest.Train([]string{"wrong", "right"}, examples, 3, nil)
	if err := lineartest.Check(*update, "claims", templates.Claims(), taught); err != nil {
		t.Error(err)
	}
}
