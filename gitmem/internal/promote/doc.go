// Package promote turns a person's lasting wish into a rule of the repository. It chooses the text, the file and the
// evidence, and opens a pull request that other people review. Only git's own remotes and the user's configuration
// determine the destination of a rule: no file of the repository and no answer of a server can change it. It must not
// know commands or sessions.
package promote
