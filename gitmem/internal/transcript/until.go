package transcript

import (
	"iter"
	"time"
)

// Until yields the messages that a session contained at a time: those before the first one with a later date. A message
// without a date takes that of the previous one, and at the beginning that of the first dated one; a session without
// any date is omitted, since its time is not known.
//
// Cutting at one position makes a past session a prefix of its file, whatever is appended later. As a consequence,
// messages after one with a wrong future date are not in the past session.
func Until(msgs iter.Seq2[Message, error], until time.Time) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		dated := false
		var held []Message
		for m, err := range msgs {
			switch {
			case err != nil:
				yield(m, err)
				return
			case m.Time.After(until):
				return
			case m.Time.IsZero() && !dated:
				held = append(held, m)
				continue
			}
			dated = true
			for _, h := range held {
				if !yield(h, nil) {
					return
				}
			}
			held = nil
			if !yield(m, nil) {
				return
			}
		}
	}
}
