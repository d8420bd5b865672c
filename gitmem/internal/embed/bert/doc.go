// Package bert computes the vectors of texts with a BERT encoder as in sentence-transformers: quantised word, position
// and layer weights, mean pooling, and normalisation to length 1.
//
// It knows the file format of such a model and the arithmetic, in plain Go and, if the processor has them, with vector
// instructions. It must not know how texts are split into word pieces, where models come from or what vectors are used
// for.
//
// # Numbers
//
// A weight is an int8 times a scale per output row. An activation is an uint8 with a scale and a zero point per text
// position, so a matrix product is exact in integers. All float32 values are computed in a fixed order, so that the
// kernels agree to the last bit. Some channels of a layer's input are far larger than the others in every text; these
// are divided by a power of two, and the weights of that channel are multiplied by it (Xiao et al., SmoothQuant, 2022).
// The rows of the word table have five bits per number with a scale for every 32. Attention, normalisation and sums are
// float32.
package bert
