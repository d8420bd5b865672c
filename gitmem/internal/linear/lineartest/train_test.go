package lineartest_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/gitmem/internal/linear/lineartest"
)

// TestTrain checks that a model classifies unseen examples, that the same examples give the same text, and that a rare
// feature is ignored.
func TestTrain(t *testing.T) {
	t.Parallel()
	var examples []lineartest.Example
	for range 20 {
		examples = append(examples,
			lineartest.Example{Features: []string{"warm", "red"}, Class: 1},
			lineartest.Example{Features: []string{"warm", "orange"}, Class: 1},
			lineartest.Example{Features: []string{"cold", "blue"}}, lineartest.Example{Features: []string{"cold", "green"}})
	}
	examples = append(examples, lineartest.Example{Features: []string{"seldom"}, Class: 1})
	text := lineartest.Train([]string{"ice", "fire"}, examples, 2, nil)
	if again := lineartest.Train([]string{"ice", "fire"}, examples, 2, nil); again != text {
		t.Error("the same examples give another text")
	}
	if strings.Contains(text, "seldom") {
		t.Errorf("a feature of one example is in\n%s", text)
	}
	if hidden := lineartest.Train([]string{"ice", "fire"}, examples, 2, func() bool {
		return true
	}); hidden != "classes ice fire\n" {
		t.Errorf("of hidden features was learnt\n%s", hidden)
	}
	m, err := linear.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for features, want := range map[string]int{"warm blue": 1, "cold red": 0, "red": 1, "green": 0} {
		p := m.Predict(strings.Fields(features))
		if math.Abs(p[0]+p[1]-1) > 1e-9 || features != "warm blue" && features != "cold red" && p[want] < 0.6 {
			t.Errorf("%s: %v", features, p)
		}
	}
	if p := m.Predict([]string{"never seen"}); p[0] != 0.5 {
		t.Errorf("nothing known gives %v", p)
	}
}
