// Package session does what hooks do while a session of the client goes on. At its start it
// composes what the session is told. After a tool it appends a line to the log. At the end of a
// turn it logs the messages, lets the profile learn from the prompts, and commits both. It records
// which process of the client works on which session. It must not know what becomes of a session
// in the archive, nor the client's settings or payloads, which front ends read.
package session
