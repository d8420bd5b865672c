// Package curate lets a person change memory and read its history: notes, edits, undo, blame,
// differences, lint, and which projects count as one. A note that is written on purpose again
// takes its entry off the list of what was forgotten. The package must not know of sessions.
package curate
