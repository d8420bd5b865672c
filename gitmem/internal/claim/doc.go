// Package claim extracts the change that a sentence describes and compares it with the change that a question
// presupposes.
//
// A change has an axis, such as being or power, a direction on that axis, an object, and a place. Some changes have an
// old and a new side instead. [Read] finds the change in a question. [Asked.Fit] reports whether a sentence describes
// the same change, the opposite, or neither. The verbs of change come from [templates.Changes]; their objects are found
// by English word order.
//
// The package knows no sources and no scores, and it makes no verdict: package ask does.
package claim
