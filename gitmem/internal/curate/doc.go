// Package curate lets a person change memory and read its history: notes, edits, undo, blame, differences, lint, and
// which projects count as one. Writing a note again on purpose removes its entry from the list of forgotten content.
// The package must not know about sessions.
package curate
