package profile

import (
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/gitmem/internal/linear/lineartest"
	"github.com/gitmem/gitmem/templates"
)

var update = flag.Bool("update", false, "write the model that the written messages teach anew")

// taught is a message written for the model, with the orders in it.
type taught struct {
	Text   string
	Orders []taughtOrder
}

type taughtOrder struct {
	Text, Scope string
	Revokes     bool
}

// taughtMessages returns the training messages: short messages, the typed parts of prompts, and the prompts of the
// labelled sessions, which contain no orders.
func taughtMessages(t *testing.T) (list []taught) {
	t.Helper()
	for line := range dataLines(t, "orders-train.jsonl") {
		var parts [2]json.RawMessage
		var m taught
		var orders [][3]string // text, scope, and "revokes" if it revokes one
		decode(t, line, &parts)
		decode(t, string(parts[0]), &m.Text)
		decode(t, string(parts[1]), &orders)
		for _, o := range orders {
			m.Orders = append(m.Orders, taughtOrder{o[0], o[1], o[2] != ""})
		}
		list = append(list, m)
	}
	for line := range dataLines(t, "../../transcript/testdata/prompts-train.jsonl") {
		var p struct {
			Parts  []struct{ By, Text string }
			Orders []taughtOrder
		}
		decode(t, line, &p)
		m := taught{Orders: p.Orders}
		for _, part := range p.Parts {
			if part.By == "typed" {
				m.Text += part.Text + "\n"
			}
		}
		list = append(list, m)
	}
	for _, name := range []string{"train", "dev"} {
		for line := range dataLines(t, "../../transcript/testdata/sessions-"+name+".jsonl") {
			var p struct {
				Sessions []struct{ Turns []struct{ Role, Text string } }
			}
			decode(t, line, &p)
			for _, s := range p.Sessions {
				for _, turn := range s.Turns {
					if turn.Role == "user" {
						list = append(list, taught{Text: turn.Text})
					}
				}
			}
		}
	}
	rand.New(rand.NewPCG(3, 3)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

func dataLines(t *testing.T, name string) func(yield func(string) bool) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Lines(string(b))
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// letters returns the letters and digits of a text in lower case: prose lacks some characters of a message.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// examples returns the clauses of a message that begin its orders, and those that do not. Clauses before an order in
// its sentence, or within it, are excluded.
func (m taught) examples() (list []lineartest.Example) {
	found := orderRules().clauses(m.Text)
	for i, first := 0, 0; i < len(found.list); i++ {
		c := found.list[i]
		if found.list[first].to != c.to {
			first = i
		}
		from := found.list[first].from
		class, begins, ends := m.orderIn(letters(found.text[from:c.to]))
		at, next := len(letters(found.text[from:c.from])), math.MaxInt
		if i+1 < len(found.list) && found.list[i+1].to == c.to {
			next = len(letters(found.text[from:found.list[i+1].from]))
		}
		const slack = 2 // maximum offset of an order from its clause, in letters
		switch {
		case class == noOrder || at >= ends:
			list = append(list, lineartest.Example{Features: c.features})
		case at <= begins+slack && next > begins+slack:
			times := 1
			if class == revokedOrder { // of which there are few
				times = 5
			}
			list = append(list, slices.Repeat([]lineartest.Example{{Features: c.features, Class: class}}, times)...)
		}
	}
	return list
}

// orderIn returns the class of the order in a sentence and its bounds there.
func (m taught) orderIn(sentence string) (class, begins, ends int) {
	for _, o := range m.Orders {
		order := letters(o.Text)
		begins = strings.Index(sentence, order)
		ends = begins + len(order)
		if begins < 0 {
			if !strings.Contains(order, sentence) || 2*len(sentence) <= len(order) {
				continue
			}
			begins, ends = 0, len(sentence)
		}
		if o.Revokes {
			return revokedOrder, begins, ends
		}
		return slices.Index(orderClasses[:], o.Scope), begins, ends
	}
	return noOrder, 0, 0
}

// teachOrders trains a model of where orders begin.
func teachOrders(messages []taught) string {
	var all []lineartest.Example
	for _, m := range messages {
		all = append(all, m.examples()...)
	}
	const (
		rounds = 2  // rounds in which each example is shown, of those that lineartest.Train makes
		rare   = 5  // minimum number of messages with a feature
		hidden = .3 // share of features hidden each time
	)
	chance := rand.New(rand.NewPCG(1, 1))
	return lineartest.Train(orderClasses[:], slices.Repeat(all, rounds), rounds*rare, func() bool {
		return chance.Float64() < hidden
	})
}

// TestOrderModel checks that the built-in model is the one trained on the written messages.
func TestOrderModel(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns for seconds")
	}
	t.Parallel()
	if err := lineartest.Check(*update, "orders", templates.Orders(), teachOrders(taughtMessages(t))); err != nil {
		t.Error(err)
	}
}

// TestUnseenOrders measures the model on messages that it was not trained on.
func TestUnseenOrders(t *testing.T) {
	if os.Getenv("GITMEM_NIGHTLY") == "" {
		t.Skip("SKIPPED: .ci/nightly runs it, or GITMEM_NIGHTLY=1: it learns five times")
	}
	t.Parallel()
	bounds := []float64{0.3, 0.5, 0.6, 0.7, orderFrom}
	fared := make([]struct{ right, wrong, missed int }, len(bounds))
	for learnt, unseen := range lineartest.Fifths(taughtMessages(t)) {
		model, err := linear.Parse(teachOrders(learnt))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range unseen {
			for i, bound := range bounds {
				right := 0
				for _, o := range ordersBy(model, bound, m.Text) {
					if class, _, _ := m.orderIn(letters(o.Text)); class != noOrder {
						right++
					} else if slices.ContainsFunc(m.Orders, func(e taughtOrder) bool {
						return strings.Contains(letters(e.Text), letters(o.Text))
					}) {
						right++
					} else {
						fared[i].wrong++
					}
				}
				fared[i].right += right
				fared[i].missed += max(0, len(m.Orders)-right)
			}
		}
	}
	for i, f := range fared {
		precision, recall := float64(f.right)/float64(f.right+f.wrong), float64(f.right)/float64(f.right+f.missed)
		t.Logf("from %.1f: precision %.3f, recall %.3f: %+v", bounds[i], precision, recall, f)
		if bounds[i] == orderFrom && (precision < 0.93 || recall < 0.36) {
			t.Error("worse than was found")
		}
	}
}
