package git

import "errors"

// ErrNotRepository says that no git repository was found.
var ErrNotRepository = errors.New("not a git repository")

// ErrUnsupported says that the repository has a form that can't be read here.
// The message names the form and a way out.
var ErrUnsupported = errors.New("unsupported repository")

// ErrEmpty says that HEAD names a branch without commits.
var ErrEmpty = errors.New("no commits yet")

// ErrNotFound says that a revision, a path or an object is not there.
var ErrNotFound = errors.New("not found")

// ErrAmbiguous says that a short id fits more than one object.
var ErrAmbiguous = errors.New("ambiguous")

// ErrShallow says that the answer is beyond the end of a shallow clone.
var ErrShallow = errors.New("the history is cut off here (shallow clone)")

// ErrTooLarge says that a file or a tree is larger than this package reads.
var ErrTooLarge = errors.New("too large")

// errCorrupt says that the bytes of an object do not follow git's format.
var errCorrupt = errors.New("corrupt object")
