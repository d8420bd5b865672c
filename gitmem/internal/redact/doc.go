// Package redact finds secrets in text and replaces each by a visible mark.
//
// It knows the shapes of well-known credentials, the plain forms in which a
// password is assigned to a name, and the <private>…</private> blocks by which
// a person keeps words out of every memory. It knows nothing about files,
// stores, transcripts or configuration: text goes in, text comes out.
//
// # How a text is read
//
// One pass over the bytes looks for the first words of all rules at once,
// whatever their case. Only where such a word stands does a rule look closer,
// from that place on and with bounds on how far, so the time stays linear in
// the size of the text, also on hostile input, and a text without any of the
// words costs next to nothing. The rules are byte scanners and need no
// compilation: a short-lived process pays nothing for those it does not use.
//
// # What is promised
//
// A redacted text is stable: redacting it again changes nothing. Marks have
// the form [redacted:<kind>]. What merely names a secret (a placeholder, a
// variable, a function call) stays, because a memory without it would lie
// about the code it describes.
package redact
