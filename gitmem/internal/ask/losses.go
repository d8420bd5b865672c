package ask

import (
	"errors"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// losses counts the sources that matched and could not be cited.
type losses struct {
	gone   int // no longer there
	failed int // there, but not readable
	first  error
}

func (l *losses) add(err error) {
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

// caveats tell of all losses in at most one sentence for each sort.
func (l *losses) caveats() []string {
	var out []string
	switch {
	case l.gone == 1:
		out = append(out, "1 source that matched is no longer there and was left out.")
	case l.gone > 1:
		out = append(out, fmt.Sprintf("%d sources that matched are no longer there and were left out.", l.gone))
	}
	switch {
	case l.failed == 1:
		out = append(out, fmt.Sprintf("1 source that matched could not be read and was left out: %v", l.first))
	case l.failed > 1:
		out = append(out, fmt.Sprintf("%d sources that matched could not be read and were left out, the first one because of: %v", l.failed, l.first))
	}
	return out
}
