package embed

import (
	"encoding/hex"
	"errors"
)

// InputType distinguishes questions from documents, for which some models need different
// prefixes.
type InputType int

// The input types.
const (
	Document InputType = iota
	Question
	Prompt // of which an encoder reads the beginning
)

// Fingerprint identifies all that a vector depends on beside the text: the model's bytes or
// its server and name, prefixes and the version of this package's pooling.
type Fingerprint [32]byte

// String returns the first half in hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:16]) }

// ErrMismatch means that vectors have another number of dimensions than expected.
var ErrMismatch = errors.New("other number of dimensions")
