// Package meaning embeds the encoder that turns texts into vectors, and the model that finds sentences with
// ideas. It must not know how they are computed. Only the main package imports it, so that no test binary
// contains its bytes.
package meaning

import _ "embed"

//go:embed encoder.gmbert
var encoder []byte

//go:embed sentences.gmpair
var sentences []byte

// Encoder returns the file of the encoder, see package bert. The caller must not change its bytes.
func Encoder() []byte { return encoder }

// Sentences returns the file of the sentence model, whose input comes from the encoder. The caller must not
// change its bytes.
func Sentences() []byte { return sentences }
