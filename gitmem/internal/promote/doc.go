// Package promote turns what somebody wants for good into a rule of the repository: its
// wording, its file and its evidence, and the steps to a pull request that other people
// review. Where a rule goes follows from git's own remotes and the user's configuration;
// no file of the repository and no answer of a server has a say in it. It must not know of
// commands or of sessions.
package promote
