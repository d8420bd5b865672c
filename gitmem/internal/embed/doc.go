// Package embed converts texts to vectors and finds the nearest ones.
//
// It knows three sources of vectors: BERT encoders (package bert), static models (model2vec and potion: a table with
// one vector per word piece, whose mean is the vector of a text), and servers with OpenAI's embeddings API. It imports
// models and stores vectors in files. It must not know what is embedded or why, where a user's configuration is, or how
// ranks are fused. The environment, the clock and the folders are parameters.
//
// # A static model's folder
//
//	model.safetensors  tensor embeddings or embedding.weight (F32, F16 or I8, one
//	                   row per token), optional weights (one number per token) and
//	                   mapping (from a token to its row)
//	tokenizer.json     a WordPiece model after BertNormalizer and BertPreTokenizer
//	config.json        optional: normalize
//	gitmem.json        written by [Import]: sizes and SHA-256 of the files above
//
// Pooling is as in model2vec: the mean of the rows of the first 512 pieces, each times its weight, without special
// tokens and unknown words. It is normalised to length 1 if the configuration requires that. A text without a known
// word has no vector.
//
// # A file of vectors
//
// [Vectors] describes the format. A vector's key is the hash of its text, and the file names the model by its
// fingerprint. So a text that moves or returns is not embedded again, and vectors of two models are never mixed.
package embed
