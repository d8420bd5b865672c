// Package claim reads which change a sentence tells, and compares it with the change that a question takes
// for granted.
//
// A change has an axis, such as being or power, a direction on it, an object, and where it took place. Some
// have two sides instead: what was there before and what is there since. [Read] finds the change of a
// question, and [Asked.Fit] says how a sentence stands to it: it tells the same, the opposite, or nothing of
// it. The words for changes are those of [templates.Changes]; what they act on is found by the order of
// the words of English.
//
// The package knows no source and no score. It decides no verdict: package ask does.
package claim
