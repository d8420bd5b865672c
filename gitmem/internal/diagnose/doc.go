// Package diagnose checks memory, its indexes, its hooks and its traces, and makes repairs that are safe. It also
// counts the content of memory. It must not interpret that content.
package diagnose
