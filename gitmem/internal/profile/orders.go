package profile

import (
	"slices"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/templates"
)

// Order is an instruction that applies permanently, not only to the current task.
type Order struct {
	Text    string // verbatim part of the message's prose; at most 200 characters
	Person  bool   // it applies everywhere, otherwise in this project
	Revokes bool   // it revokes an order
}

const (
	maxOrder  = 200 // runes of an order
	maxOrders = 10  // of a message; one with more is a document

	// orderFrom is the minimum probability that a clause begins an order. It is high: a wrong order is shown to every
	// later session, while a missed one can be repeated.
	orderFrom = 0.8
	// revokedFrom is the minimum probability that a clause revokes an order, which has no effect unless an order has its
	// words.
	revokedFrom = 0.4
)

// orderClasses are the names of the classes of clauses, in order of the constants.
var orderClasses = [...]string{"none", "project", "person", "revoke"}

// The classes of clauses.
const (
	noOrder = iota
	projectOrder
	personOrder
	revokedOrder
)

// orderModels contains the model trained on the written messages, see the tests of this package.
var orderModels = [...]func() *linear.Model{linear.Built(templates.Orders)}

// Orders returns the permanent instructions in a message, in the order of the text, each once. It omits quotations,
// questions, suppositions and reports, texts that the agent is to write, and instructions for the current task only.
func Orders(message string) []Order { return ordersBy(orderModels[0](), orderFrom, message) }

// ordersBy returns the orders of which a model is sure enough, at most one for each sentence.
func ordersBy(model *linear.Model, sure float64, message string) (all []Order) {
	r := orderRules()
	m := r.clauses(message)
	var best Order
	surest := 1.0 // ratio of the best probability to its minimum
	for i, c := range m.list {
		p := model.Predict(c.features)
		if order := (p[projectOrder] + p[personOrder]) / sure; order >= surest {
			surest, best = order, Order{Text: m.text[c.from:c.to], Person: p[personOrder] > p[projectOrder]}
		}
		if revoked := p[revokedOrder] / revokedFrom; revoked >= surest {
			surest, best = revoked, Order{Text: m.text[c.from:c.to], Revokes: true}
		}
		if i+1 < len(m.list) && m.list[i+1].to == c.to {
			continue // the sentence continues
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

// orderRules returns the tests with which [Orders] extracts orders from a message.
func orderRules() rules { return orderTable[0]() }

// readOrderRules reads them, and adds the prose rules of [Extract].
func readOrderRules() rules {
	r := readRules(templates.Profile("orders"))
	for name, test := range extractRules().tests {
		if _, own := r.tests[name]; !own {
			r.tests[name] = test
		}
	}
	return r
}

// plain returns a text of the same length, with quotes and code hidden, and without the full stop between a sentence
// and a fragment that states its duration.
func (r rules) plain(text string) string {
	text = r.re("quoted").ReplaceAllStringFunc(text, func(quote string) string {
		return strings.Repeat("¤", len(quote)/len("¤")) + strings.Repeat(" ", len(quote)%len("¤"))
	})
	return r.re("continued").ReplaceAllStringFunc(text, func(stop string) string {
		return "," + stop[1:]
	})
}

// trimmed returns an order without introduction and closing words, at most maxOrder long.
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
