// Package workspace determines the context of a call: the folder and its repository, the project with its aliases, what
// the configuration excludes and pauses, memory's root and store, and the requested time. It collects the caveats of
// the answer. It must not know what is indexed, how anything is found, or how results are used.
package workspace
