// Package bert computes the vectors of texts with a BERT encoder of the kind of
// sentence-transformers: word, position and layer weights in few bits, mean pooling, length 1.
//
// It knows the file of such a model and the arithmetic, in plain Go and, where the processor
// has them, with vector instructions. It must not know how texts become word pieces, where
// models come from or what vectors are for.
//
// # Numbers
//
// A weight is an int8 times a scale for its output row. An activation is an uint8 with a scale
// and a zero point for its text position, so a product of matrices is exact in integers. All that
// is float32 is computed in one order, so that the kernels agree to the last bit. Some channels
// of a layer's input are far larger than the others in every text; these are divided by a power
// of two, by which the weights of that channel are multiplied (Xiao et al., SmoothQuant, 2022).
// The rows of the table of words are five bits a number with a scale for every 32. Attention,
// normalisation and sums are float32.
package bert
