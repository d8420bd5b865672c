// Package curate knows how a person changes memory and reads its history: notes, edits,
// undo, blame, differences, lint, and which projects count as one. It must not know of
// sessions or of what is forgotten for good.
package curate
