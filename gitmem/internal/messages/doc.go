// Package messages formats text as one safe line: it folds, cuts, counts and quotes it, so that
// the line cannot begin a block, carry a block id, control a terminal or end the quotation around
// it. It also declares the errors that several packages share. It must not know what the text
// means or where it comes from, and removes no secrets.
package messages
