// Package lint checks the memory that a client loads at every start. It reports four problems to a person: text that
// the client does not load, repeated text, stale text, and contradictions.
//
// It knows lines of Markdown and words. It does not know folders, stores or repositories: it takes files as bytes and
// returns findings. It never proposes a text, since only a person knows which of two lines is right.
package lint
