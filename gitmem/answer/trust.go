// Package answer holds what answers are made of: small types that every layer may use.
package answer

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
