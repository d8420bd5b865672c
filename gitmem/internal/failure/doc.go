// Package failure finds in the messages of a session how a failure ended. It compares error texts without
// what differs from run to run, follows the failed command, and determines which change preceded the
// success. It knows transcripts and shell commands. It must not know files, scope or secrets: it returns
// raw text.
//
// It prefers to find nothing. Two outputs contain the same failure only if the first and the longest line that
// describe the error are equal, and two thirds of all such lines. A failure ended only if the same command
// succeeded for the same targets, on the current branch of the conversation.
package failure
