package ask

import (
	"errors"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// unreadable counts the sources that matched and could not be cited.
type unreadable struct {
	gone   int // no longer there
	failed int // there, but not readable
	first  error
}

func (l *unreadable) add(err error) {
	switch {
	case err == nil:
	case errors.Is(err, cite.ErrNotFound):
		l.gone++
	default:
		if l.failed == 0 {
			l.first = err
		}
		l.failed++
	}
}

// caveats names all losses, in at most one sentence for each sort.
func (l *unreadable) caveats() (out []string) {
	say := func(n int, one, several string) {
		switch {
		case n == 1:
			out = append(out, "1 source that matched "+one)
		case n > 1:
			out = append(out, fmt.Sprintf("%d sources that matched %s", n, several))
		}
	}
	say(l.gone, "is no longer there and was left out.", "are no longer there and were left out.")
	say(l.failed, fmt.Sprintf("could not be read and was left out: %v", l.first), fmt.Sprintf("could not be read and were left out, the first one because of: %v", l.first))
	return out
}
