// Package diagnose checks memory, its indexes, its hooks and its traces, and repairs what can be
// repaired. It counts what memory holds and must not interpret it.
package diagnose
