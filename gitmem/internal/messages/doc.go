// Package messages puts any text on one line: folded, cut, counted and quoted, so that it
// can't begin a block, carry a block id, control a terminal or end the quotation around it.
// It must not know what the text means or where it comes from; secrets are removed by
// others, before.
package messages
