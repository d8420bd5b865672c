// Package messages knows how any text is put on one line: folded, cut, counted and
// quoted, so that it can't begin a block, carry a block id, steer a terminal or end
// the quotation that it stands in. It must not know what the text says or where it
// comes from; taking out secrets is for others, before.
package messages
