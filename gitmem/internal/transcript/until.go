package transcript

import (
	"iter"
	"time"
)

// Until yields the messages of a session that it held at a time: those before the
// first that is dated later. A message without a date belongs to the one before it,
// and at the beginning to the first that has one; a session without any date is
// left out, since its time is not known.
//
// Cutting at one place keeps a past session a beginning of its file, whatever is
// appended later. What comes behind a message with a wrong date in the future is
// lost to the past for it.
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
