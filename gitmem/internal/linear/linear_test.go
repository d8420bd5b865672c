package linear_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
)

// TestTrain: what was learnt tells apart what was not seen, the same examples give the same text,
// and a rare feature is not learnt.
func TestTrain(t *testing.T) {
	t.Parallel()
	var examples []linear.Example
	for range 20 {
		examples = append(examples,
			linear.Example{Features: []string{"warm", "red"}, Class: 1}, linear.Example{Features: []string{"warm", "orange"}, Class: 1},
			linear.Example{Features: []string{"cold", "blue"}}, linear.Example{Features: []string{"cold", "green"}})
	}
	examples = append(examples, linear.Example{Features: []string{"seldom"}, Class: 1})
	text := linear.Train([]string{"ice", "fire"}, examples, 2, nil)
	if again := linear.Train([]string{"ice", "fire"}, examples, 2, nil); again != text {
		t.Error("the same examples give another text")
	}
	if strings.Contains(text, "seldom") {
		t.Errorf("a feature of one example is in\n%s", text)
	}
	if hidden := linear.Train([]string{"ice", "fire"}, examples, 2, func() bool { return true }); hidden != "classes ice fire\n" {
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

func TestParseNamesTheLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "line 1",
		"classes a b\nx 1 2\nw 1 2\n": "line 3",
		"classes a b\nx 1 2\r\n":      "line 2",
		"w=x 1 2\n":                   "line 1",
		"classes a b\nw=x 1\n":        "line 2",
		"classes a b\nw=x 1 2 3\n":    "line 2",
		"classes a b\nw=x 1 two\n":    "line 2",
		"classes a b\nw=x 1 99999\n":  "line 2",
		"classes a b\nw=x -1 2\n":     "",
	} {
		_, err := linear.Parse(text)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
