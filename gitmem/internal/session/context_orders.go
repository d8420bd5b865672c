package session

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// Limits for quotations of orders from elsewhere.
const (
	quotedOrders = 3
	orderChars   = 80
)

// foreignOrder is a standing order that came from another machine.
type foreignOrder struct{ text, file string }

// foreignOrders returns a message, once, about standing orders from another machine, "" for none: a session obeys them
// although its person did not give them here.
func (c *contextBuilder) foreignOrders(ctx context.Context) string {
	if !c.s.ws.HasStore() {
		return ""
	}
	moves, seen, err := c.s.ws.Store.ForeignMoves()
	var orders []foreignOrder
	came := "came from another machine"
	for _, m := range moves {
		var more []foreignOrder
		if more, err = c.ordersOf(ctx, m); err != nil {
			break
		}
		if m.From == "" {
			came = "came with this memory"
		}
		orders = append(orders, more...)
	}
	if ctx.Err() != nil {
		return "" // the next session tries again
	}
	if seenErr := seen(); seenErr != nil {
		c.skip("orders of other machines", seenErr)
	}
	switch {
	case err != nil:
		return "which standing orders came from another machine is not known (" +
			messages.OneLine(plain.Text(err), 200) + "); gitmem profile shows those that hold"
	case len(orders) == 0:
		return ""
	}
	return quoteOrders(orders, came)
}

// ordersOf returns the orders that a move of HEAD brought, except those of excluded projects.
func (c *contextBuilder) ordersOf(ctx context.Context, m store.Move) (orders []foreignOrder, err error) {
	files, err := c.s.ws.Store.DifferenceOf(ctx, m.From, m.To, func(rel string) bool {
		return rel == profile.File || path.Base(rel) == profile.OrdersFile && strings.HasPrefix(rel, "gitmem/projects/")
	})
	for _, f := range files {
		project, _ := store.ProjectOf(f.Path)
		if c.s.ws.ExcludedMemory(f.Path, project) != "" {
			continue
		}
		before := c.orderTexts(f.Before)
		for _, text := range c.orderTexts(f.After) {
			if !slices.Contains(before, text) {
				orders = append(orders, foreignOrder{text, f.Path})
			}
		}
	}
	return orders, err
}

// orderTexts returns the redacted orders in a file, none if it can't be parsed, as for a session.
func (c *contextBuilder) orderTexts(src []byte) []string {
	p, err := profile.Read([]byte(c.s.ws.Redactor.Lines(string(src))))
	if err != nil {
		return nil
	}
	return p.OrderTexts()
}

// quoteOrders returns one line about orders for a person.
func quoteOrders(orders []foreignOrder, came string) string {
	var quoted []string
	for _, o := range orders[:min(len(orders), quotedOrders)] {
		text := strings.ReplaceAll(messages.OneLine(o.text, orderChars), `"`, "'")
		quoted = append(quoted, fmt.Sprintf("\"%s\" (%s)", text, messages.OneLine(o.file, 2*orderChars)))
	}
	if n := len(orders) - quotedOrders; n > 0 {
		quoted = append(quoted, fmt.Sprintf("and %d more", n))
	}
	return fmt.Sprintf("%s %s: %s; take one back with gitmem edit FILE",
		messages.Plural(len(orders), "standing order"), came, strings.Join(quoted, ", "))
}
