// Package meaning carries the encoder that turns texts into vectors, and the model that tells which
// sentences are ideas. It knows nothing of how they are computed. Only the main package imports it, so
// that no test binary carries its bytes.
package meaning

import _ "embed"

//go:embed encoder.gmbert
var encoder []byte

//go:embed sentences.gmpair
var sentences []byte

// Encoder returns the file of the encoder, see package bert. Its bytes must not be changed.
func Encoder() []byte { return encoder }

// Sentences returns the file of the model of sentences, which reads with the encoder. Its bytes must
// not be changed.
func Sentences() []byte { return sentences }
