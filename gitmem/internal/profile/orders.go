package profile

import (
	"slices"
	"strings"
	"sync"

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
)

var orderTable = [...]func() rules{sync.OnceValue(readOrderRules)}

// Orders finds the instructions of a message that hold from now on, in the order of the
// text, each once. It leaves out what is quoted, asked, supposed or told, texts that the
// agent is to write, and what holds for the task at hand only.
func Orders(message string) []Order {
	r := orderRules()
	if len(r.near(message)) == 0 {
		return nil // most messages, which spares compiling what prose is told by
	}
	text := r.prose(message)
	plain := r.plain(text)
	var all []Order
	var before []string // the sentences so far
	from := 0
	for _, stop := range append(r.re("stop").FindAllStringIndex(plain, -1), []int{len(plain), len(plain)}) {
		s := plain[from:stop[0]]
		at, kind := r.order(s, strings.ContainsAny(plain[stop[0]:stop[1]], "?？"))
		if kind != "" && !r.dictated(before, s) {
			o := r.orderOf(text[from+at:stop[0]], kind)
			if o.Text != "" && !slices.ContainsFunc(all, func(a Order) bool { return fold(a.Text) == fold(o.Text) }) {
				all = append(all, o)
			}
		}
		if len(all) == maxOrders {
			break
		}
		before, from = append(before, s), stop[1]
	}
	return all
}

// orderRules are the rules of [Orders].
func orderRules() rules { return orderTable[0]() }

// readOrderRules reads the patterns of orders, and takes the tests by which prose is read
// from [Extract].
func readOrderRules() rules {
	r := readRules(templates.Profile("cues") + templates.Profile("orders"))
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

// order finds where in a sentence an order begins and of which kind it is, "" for none.
// Of two that begin at one place the pattern that stands first in the list counts.
func (r rules) order(s string, asked bool) (at int, kind string) {
	near := r.near(s)
	if len(near) == 0 {
		return 0, ""
	}
	request := r.re("requests").FindString(s)
	rest := s[len(request):]
	at = len(rest)
	for _, p := range near {
		re := p.re()
		if m := re.FindStringSubmatchIndex(rest); m != nil && m[2*re.SubexpIndex("a")] < at {
			at, kind = m[2*re.SubexpIndex("a")], p.kind
		}
		if at == 0 {
			break
		}
	}
	politely := request != "" && at == 0
	if kind == "" || !politely && (asked || r.re("inquires").MatchString(s)) || !r.holds(rest, at) {
		return 0, ""
	}
	return len(request) + at, kind
}

// holds reports whether an order that begins there in a sentence is meant, for good and
// by the writer.
func (r rules) holds(s string, at int) bool {
	before := r.replace("opens", s[:at], "")
	return !r.re("once").MatchString(s) && !r.re("ironic").MatchString(s) && !r.re("other").MatchString(s[at:]) &&
		!r.re("unsure").MatchString(before) && !r.re("dictates").MatchString(before)
}

// orderOf is the order of a kind that a text begins with.
func (r rules) orderOf(text, kind string) Order {
	o := Order{Revokes: kind == "revoke"}
	words := r.replace("closing", r.replace("opening", text, ""), "")
	if long := []rune(words); len(long) > maxOrder {
		words = string(long[:maxOrder])
		if end := strings.LastIndexAny(words, " ，,"); end > 0 {
			words = words[:end]
		}
	}
	o.Text = words
	o.Person = r.re("everywhere").MatchString(text) || r.re("personal").MatchString(text) && !r.re("local").MatchString(text)
	return o
}

// dictated reports whether a sentence belongs to a text that the sentences before it ask
// for: to a list that one of them introduces, or to a document, unless it says where or
// from when on it holds.
func (r rules) dictated(before []string, s string) bool {
	return slices.ContainsFunc(before, r.re("list").MatchString) ||
		!r.re("explicit").MatchString(s) && slices.ContainsFunc(before, r.re("document").MatchString)
}
