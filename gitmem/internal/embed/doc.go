// Package embed turns texts into vectors and finds the nearest ones.
//
// It knows two sources of vectors: static models (model2vec and potion: a table with one
// vector a word piece, whose mean is the vector of a text) and servers with OpenAI's
// embeddings API; how a static model is imported; and the file in which vectors are stored.
// It must not know what is embedded or why, where a user's configuration is, or how ranks
// are fused. The environment, the clock and the folders are parameters.
//
// # A static model's folder
//
//	model.safetensors  tensor embeddings or embedding.weight (F32, F16 or I8, one
//	                   row a token), optional weights (one number a token) and
//	                   mapping (from a token to its row)
//	tokenizer.json     a WordPiece model behind BertNormalizer and BertPreTokenizer
//	config.json        optional: normalize
//	gitmem.json        written by [Import]: sizes and SHA-256 of the files above
//
// Pooling is model2vec's: no special tokens, unknown words dropped, the first 512 pieces,
// the mean of their rows (each times its weight), normalised to length 1 if the
// configuration says so. A text without a known word has no vector.
//
// # A file of vectors
//
// [Vectors] describes it. It is keyed by the hash of a text and names the model by its
// fingerprint, so a text that moves or returns is not embedded again, and vectors of two
// models are never mixed.
package embed
