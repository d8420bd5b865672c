// Package promote turns a lasting wish of a person into a rule of the repository. It chooses the
// wording, the file and the evidence, and opens a pull request that other people review. Only
// git's own remotes and the user's configuration decide where a rule goes: no file of the
// repository and no answer of a server has a say in it. It must not know of commands or of
// sessions.
package promote
