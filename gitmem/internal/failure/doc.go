// Package failure finds in the messages of a session how a failure ended: it compares error texts without
// what differs from run to run, follows the commands behind a failure, and tells which change came before
// the success. It knows transcripts and shell commands, and nothing of files, scope or secrets: what it
// returns is raw text.
//
// It prefers to find nothing. Two outputs are the same failure only if the first and the longest line that
// say what went wrong, and two thirds of them, are equal. A failure ended only where the same command was
// seen to succeed for the same targets, on the branch of the conversation that holds.
package failure
