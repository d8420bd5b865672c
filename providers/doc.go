// Package providers holds the vocabulary that every team source shares: what
// an [Item] is, how a [Source] hands items out and how it remembers where it
// stopped ([Cursor]), plus two pure readers of text, [InferType] and
// [References].
//
// It knows nothing about any one source, about indexes, or about storage, and
// it imports only the standard library. A source lives in a package of its own
// below this one and is held to the contract by the suite in providertest.
package providers
