// Package diagnose knows how to find out what state memory, its indexes, its hooks and its
// traces are in, and repairs what can be repaired. It must not know what is in memory beyond
// what it counts.
package diagnose
