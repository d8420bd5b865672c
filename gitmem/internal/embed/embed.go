package embed

import (
	"encoding/hex"
	"errors"
)

// Kind tells a question's text from a document's: some models want them marked.
type Kind int

// The kinds of texts.
const (
	Document Kind = iota
	Question
)

// Fingerprint stands for all that a vector depends on beside the text: the model's
// bytes or its server and name, prefixes and this package's way of using them.
type Fingerprint [32]byte

// String returns the first half in hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:16]) }

// ErrMismatch means that vectors have another number of dimensions than expected.
var ErrMismatch = errors.New("other number of dimensions")
