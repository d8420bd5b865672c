package ask

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// unreadable collects the errors of sources that matched but could not be cited, without duplicates.
type unreadable struct {
	gone   []string // deleted
	failed []string // not readable
}

func (l *unreadable) add(err error) {
	list := &l.failed
	if errors.Is(err, cite.ErrNotFound) {
		list = &l.gone
	}
	if err != nil && !slices.Contains(*list, err.Error()) {
		*list = append(*list, err.Error())
	}
}

// caveats returns at most one sentence for each kind of error.
func (l *unreadable) caveats() (out []string) {
	say := func(list []string, one, several string) {
		switch n := len(list); {
		case n == 1:
			out = append(out, "1 source that matched "+one)
		case n > 1:
			out = append(out, fmt.Sprintf("%d sources that matched %s", n, several))
		}
	}
	say(l.gone, "is no longer there and was left out.", "are no longer there and were left out.")
	if len(l.failed) > 0 {
		say(l.failed, "could not be read and was left out: "+l.failed[0],
			"could not be read and were left out, the first one because of: "+l.failed[0])
	}
	return out
}
