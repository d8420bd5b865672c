package git

import "errors"

const (
	// maxHeld limits the lines held in memory during the rename detection of one commit, some 60 MB.
	maxHeld = 1 << 21
	// maxSteps limits the comparisons of lines and of names, some seconds.
	maxSteps = 1 << 27
)

// errLimit means that the files of a commit are too large to compare with each other: only renames of
// unchanged files are found.
var errLimit = errors.New("more content was added and taken away than is compared, so only files that stayed equal " +
	"count as renamed")

// cost is the cost of the rename detection of one commit so far.
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
