package profile

import (
	"slices"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/templates"
)

// Order is an instruction that holds from now on, not only for the task at hand.
type Order struct {
	Text    string // in the person's words, a part of the message's prose; at most 200 characters
	Person  bool   // it holds everywhere, else in this project
	Revokes bool   // it takes an order back
}

const (
	maxOrder  = 200 // runes of an order
	maxOrders = 10  // of a message; one with more is a document

	// orderFrom is how probable it must be that a clause begins an order. It is high: a wrong one
	// is told to every later session, and one that was missed can be said again.
	orderFrom = 0.8
	// revokedFrom is how probable it must be that it takes one back, which changes nothing where no
	// order has its words.
	revokedFrom = 0.4
)

// orderClasses are the names of the classes of clauses, in their order.
var orderClasses = [...]string{"none", "project", "person", "revoke"}

// The classes of clauses.
const (
	noOrder = iota
	projectOrder
	personOrder
	revokedOrder
)

// orderModels has what the written messages taught, see the tests of this package.
var orderModels = [...]func() *linear.Model{linear.Built(templates.Orders)}

// Orders finds the instructions of a message that hold from now on, in the order of the
// text, each once. It leaves out what is quoted, asked, supposed or told, texts that the
// agent is to write, and what holds for the task at hand only.
func Orders(message string) []Order { return ordersBy(orderModels[0](), orderFrom, message) }

// ordersBy finds the orders that a model is sure enough of, at most one in a sentence.
func ordersBy(model *linear.Model, sure float64, message string) (all []Order) {
	r := orderRules()
	m := r.clauses(message)
	var best Order
	surest := 1.0 // the quotient of how probable the best one is and how probable it must be
	for i, c := range m.list {
		p := model.Predict(c.features)
		if order := (p[projectOrder] + p[personOrder]) / sure; order >= surest {
			surest, best = order, Order{Text: m.text[c.from:c.to], Person: p[personOrder] > p[projectOrder]}
		}
		if revoked := p[revokedOrder] / revokedFrom; revoked >= surest {
			surest, best = revoked, Order{Text: m.text[c.from:c.to], Revokes: true}
		}
		if i+1 < len(m.list) && m.list[i+1].to == c.to {
			continue // the sentence goes on
		}
		best.Text = r.trimmed(best.Text)
		said := func(o Order) bool { return fold(o.Text) == fold(best.Text) }
		if best.Text != "" && !slices.ContainsFunc(all, said) {
			all = append(all, best)
		}
		if len(all) == maxOrders {
			break
		}
		surest, best = 1, Order{}
	}
	return all
}

var orderTable = [...]func() rules{sync.OnceValue(readOrderRules)}

// orderRules are the tests by which [Orders] cuts orders out of a message.
func orderRules() rules { return orderTable[0]() }

// readOrderRules reads them, and takes those by which prose is read from [Extract].
func readOrderRules() rules {
	r := readRules(templates.Profile("orders"))
	for name, test := range extractRules().tests {
		if _, own := r.tests[name]; !own {
			r.tests[name] = test
		}
	}
	return r
}

// plain is a text, byte for byte, with quotes and code hidden, and without the stops
// between a sentence and a fragment that says how long it holds.
func (r rules) plain(text string) string {
	text = r.re("quoted").ReplaceAllStringFunc(text, func(quote string) string {
		return strings.Repeat("¤", len(quote)/len("¤")) + strings.Repeat(" ", len(quote)%len("¤"))
	})
	return r.re("continued").ReplaceAllStringFunc(text, func(stop string) string {
		return "," + stop[1:]
	})
}

// trimmed is an order without what leads to it and what follows, and within its bound.
func (r rules) trimmed(text string) string {
	words := r.replace("closing", r.replace("opening", text, ""), "")
	if long := []rune(words); len(long) > maxOrder {
		words = string(long[:maxOrder])
		if end := strings.LastIndexAny(words, " ，,"); end > 0 {
			words = words[:end]
		}
	}
	return words
}
