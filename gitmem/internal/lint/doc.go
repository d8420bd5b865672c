// Package lint looks over the memory that a client loads at every start, and reports
// to a person what is not loaded, repeated, stale or contradicted.
//
// It knows lines of Markdown and words. It does not know folders, stores or
// repositories: files come in as bytes and findings go out as values. It never
// proposes a text, since only a person knows which of two lines is right.
package lint
