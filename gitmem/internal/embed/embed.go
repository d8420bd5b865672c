package embed

import (
	"encoding/hex"
	"errors"
)

// InputType distinguishes questions from documents, for which some models need different prefixes.
type InputType int

// The input types.
const (
	Document InputType = iota
	Question
	Prompt // an encoder reads only its start
)

// Fingerprint identifies everything that a vector depends on except the text: the model's bytes or its server and name,
// prefixes and the version of this package's pooling.
type Fingerprint [32]byte

// String returns the first half in hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:16]) }

// ErrMismatch means that the number of dimensions is not as expected.
var ErrMismatch = errors.New("other number of dimensions")
