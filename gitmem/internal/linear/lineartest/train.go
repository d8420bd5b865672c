package lineartest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
)

// Example is an item with a known class.
type Example struct {
	Features []string // each once
	Class    int
}

const (
	rounds = 10
	rate   = 0.03
	shrink = 0.0005 // amount by which each round moves a weight towards zero, so that rarely useful ones vanish
	stride = 7919   // a prime, so that adjacent examples are not learnt one after the other
)

// Train trains a model on examples and returns it as text: AdaGrad (Duchi et al., 2011) on the logistic loss with an L1
// penalty. Features in fewer than rareness examples are ignored. Each time an example is shown, hides is called for
// each of its features and reports whether to hide it, so that a model with many features does not depend on few of
// them (Wager et al., 2013); nil hides none. The same examples and results of hides give the same text.
func Train(classes []string, examples []Example, rareness int, hides func() bool) string {
	t := newTrainer(len(classes), examples, rareness)
	var left []int // remaining features of an example
	for round := range rounds {
		for n := range examples {
			i := (n*stride + round) % len(examples)
			shown := t.examples[i]
			if hides != nil {
				left = slices.DeleteFunc(append(left[:0], shown...), func(int) bool { return hides() })
				shown = left
			}
			t.learn(shown, examples[i].Class)
		}
		t.shrink()
	}
	return t.text(classes)
}

// trainer is the state of training a model.
type trainer struct {
	names     []string    // of the features, sorted
	examples  [][]int     // features of each example
	weights   [][]float64 // by feature and class
	gradients [][]float64 // sums of the squared gradients
	p         []float64   // the last prediction minus the target
}

func newTrainer(classes int, examples []Example, rareness int) *trainer {
	count := map[string]int{}
	for _, e := range examples {
		for _, f := range e.Features {
			count[f]++
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return n < rareness })
	t := &trainer{names: slices.Sorted(maps.Keys(count)), p: make([]float64, classes)}
	for i, name := range t.names {
		count[name] = i
		t.weights = append(t.weights, make([]float64, classes))
		t.gradients = append(t.gradients, make([]float64, classes))
	}
	for _, e := range examples {
		known := make([]int, 0, len(e.Features))
		for _, f := range e.Features {
			if i, ok := count[f]; ok {
				known = append(known, i)
			}
		}
		slices.Sort(known)
		t.examples = append(t.examples, known)
	}
	return t
}

// learn moves the weights of features towards a class.
func (t *trainer) learn(features []int, class int) {
	clear(t.p)
	for _, f := range features {
		for c, w := range t.weights[f] {
			t.p[c] += w
		}
	}
	linear.Softmax(t.p)
	t.p[class]-- // now p contains the prediction errors
	for _, f := range features {
		weights, gradients := t.weights[f], t.gradients[f]
		for c, miss := range t.p {
			gradients[c] += miss * miss
			weights[c] -= rate * miss / (math.Sqrt(gradients[c]) + 1e-3)
		}
	}
}

func (t *trainer) shrink() {
	for _, row := range t.weights {
		for c, w := range row {
			row[c] = math.Copysign(max(0, math.Abs(w)-shrink), w)
		}
	}
}

// text returns the model without weights that round to zero.
func (t *trainer) text(classes []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "classes %s\n", strings.Join(classes, " "))
	for i, name := range t.names {
		row := fmt.Sprint(slices.Collect(func(yield func(int) bool) {
			for _, w := range t.weights[i] {
				if !yield(int(math.Round(w * linear.Scale))) {
					return
				}
			}
		}))
		if strings.Trim(row, "[]0 -") != "" {
			fmt.Fprintf(&b, "%s %s\n", name, strings.Trim(row, "[]"))
		}
	}
	return b.String()
}
