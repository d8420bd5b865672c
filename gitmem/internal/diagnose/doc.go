// Package diagnose knows how to tell what state memory, its indexes, its hooks and its
// traces are in, and mends what can be mended. It must not know what is in memory beyond
// what it counts.
package diagnose
