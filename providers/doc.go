// Package providers defines what all team sources share: the [Item], the [Source] that yields items, and the
// [Cursor] that records how far a source was read. It also has two functions that only parse text,
// [InferType] and [References].
//
// It knows nothing about any particular source, about indexes or about storage, and it imports only the
// standard library. Each source is a package below this one and must pass the test suite in providertest.
package providers
