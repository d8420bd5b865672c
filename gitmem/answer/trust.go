// Package answer defines the parts of an answer: its text, authors, sources and confidence. Every layer may use these
// types; the package knows no sources and no way to search them.
package answer

import "strings"

// Trust identifies the author of a text. It is a label, not a rank.
type Trust string

// The values of trust.
const (
	Reviewed  Trust = "reviewed"  // rules of a repository, and decisions that a person accepted
	Mine      Trust = "mine"      // typed, written by hand or confirmed by the user
	Model     Trust = "model"     // written into memory by a model in its own words
	Imported  Trust = "imported"  // from another tool
	Untrusted Trust = "untrusted" // text of others and of programs, and a model's answers
)

// The marks at the end of a Markdown line whose text is not the user's own.
const (
	modelMark    = " (by a model)"
	importedMark = " (imported)"
)

// Mark returns the mark for a Markdown line with such text, "" for all others.
func (t Trust) Mark() string {
	return map[Trust]string{Model: modelMark, Imported: importedMark}[t]
}

// CutMark removes a mark from the end of a line; by is "" if there is none.
func CutMark(line string) (text string, by Trust) {
	for _, by := range []Trust{Model, Imported} {
		if text, ok := strings.CutSuffix(line, by.Mark()); ok {
			return text, by
		}
	}
	return line, ""
}
