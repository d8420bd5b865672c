package git

import "errors"

// ErrNotRepository means that no git repository was found.
var ErrNotRepository = errors.New("not a git repository")

// ErrUnsupported means that the format of the repository can't be read here. The message names the format and
// a workaround.
var ErrUnsupported = errors.New("unsupported repository")

// ErrEmpty means that HEAD refers to a branch without commits.
var ErrEmpty = errors.New("no commits yet")

// ErrNotFound means that a revision, a path or an object does not exist.
var ErrNotFound = errors.New("not found")

// ErrAmbiguous means that a short id matches more than one object.
var ErrAmbiguous = errors.New("ambiguous")

// ErrShallow means that the answer is beyond the end of a shallow clone.
var ErrShallow = errors.New("the history is cut off here (shallow clone)")

// ErrTooLarge means that a file or a tree is larger than this package reads.
var ErrTooLarge = errors.New("too large")

// errCorrupt means that the bytes of an object do not follow git's format.
var errCorrupt = errors.New("corrupt object")
