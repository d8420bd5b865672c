package git

import "errors"

const (
	// maxHeld bounds the lines that are held while the renames of one commit are
	// looked for, some 60 MB of memory.
	maxHeld = 1 << 21
	// maxSteps bounds the comparisons of lines and of names, some seconds.
	maxSteps = 1 << 27
)

// errEffort says that the files of a commit can't be compared with each other: only
// renames without a change are found then.
var errEffort = errors.New("more content was added and taken away than is compared, so only files that stayed equal count as renamed")

// effort is what the search for the renames of one commit has cost so far.
type effort struct{ held, steps int }

func (e *effort) hold(lines int) error {
	e.held += lines
	return e.over()
}

func (e *effort) step(n int) error {
	e.steps += n
	return e.over()
}

func (e *effort) over() error {
	if e.held > maxHeld || e.steps > maxSteps {
		return errEffort
	}
	return nil
}
