// Package workspace knows where a call stands: the folder and its repository, the project
// with its aliases, what config.yaml excludes and pauses, memory's root and store, and the
// moment that is asked about. It collects what the answer has to tell besides. It must not
// know what is indexed, how anything is found, or what is done with it.
package workspace
