// Package answer knows the parts of an answer: what it says, by whom, from which sources, and how
// sure it is. Every layer may use these types; the package knows no source and no way to find one.
package answer

import "strings"

// Trust is whose words a text is. It is a label and no rank.
type Trust string

// The values of trust.
const (
	Reviewed  Trust = "reviewed"  // rules of a repository, and decisions that a person accepted
	Mine      Trust = "mine"      // what the user typed, wrote by hand or confirmed
	Model     Trust = "model"     // what a model wrote into memory in words of its own
	Imported  Trust = "imported"  // what another tool kept
	Untrusted Trust = "untrusted" // what others and programs said, and a model's answers
)

// The marks that end a line of Markdown whose words are not the user's own.
const (
	modelMark    = " (by a model)"
	importedMark = " (imported)"
)

// Mark is the end of a line of Markdown with such words, "" for all others.
func (t Trust) Mark() string {
	return map[Trust]string{Model: modelMark, Imported: importedMark}[t]
}

// CutMark takes a mark off the end of a line; by is "" where it has none.
func CutMark(line string) (text string, by Trust) {
	for _, by := range []Trust{Model, Imported} {
		if text, ok := strings.CutSuffix(line, by.Mark()); ok {
			return text, by
		}
	}
	return line, ""
}
