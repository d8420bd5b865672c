// Package meaning carries the encoder that turns texts into vectors. It knows nothing of how
// it is computed. Only the main package imports it, so that no test binary carries its bytes.
package meaning

import _ "embed"

//go:embed encoder.gmbert
var encoder []byte

// Encoder returns the file of the encoder, see package bert. Its bytes must not be changed.
func Encoder() []byte { return encoder }
