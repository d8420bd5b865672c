package git

import "errors"

const (
	// maxHeld bounds the lines that are held while the renames of one commit are
	// looked for, some 60 MB of memory.
	maxHeld = 1 << 21
	// maxSteps bounds the comparisons of lines and of names, some seconds.
	maxSteps = 1 << 27
)

// errLimit says that the files of a commit can't be compared with each other: only
// renames without a change are found then.
var errLimit = errors.New("more content was added and taken away than is compared, so only files that stayed equal " +
	"count as renamed")

// cost is what the search for the renames of one commit has cost so far.
type cost struct{ held, steps int }

func (e *cost) hold(lines int) error {
	e.held += lines
	return e.over()
}

func (e *cost) step(n int) error {
	e.steps += n
	return e.over()
}

func (e *cost) over() error {
	if e.held > maxHeld || e.steps > maxSteps {
		return errLimit
	}
	return nil
}
