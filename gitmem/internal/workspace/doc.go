// Package workspace knows where a call is made from: the folder and its repository, the project
// with its aliases, what configuration excludes and pauses, memory's root and store, and the
// time that is asked about. It collects the caveats of the answer. It must not
// know what is indexed, how anything is found, or what is done with it.
package workspace
