// Package recall knows what of memory is added to a prompt: which passages are relevant, what the
// session has anyway or was told before, and the text that lists them. It must not know how passages
// are judged, which is ask's, nor what else a session is told.
package recall
