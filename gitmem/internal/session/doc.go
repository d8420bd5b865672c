// Package session implements the hooks of a running client session. At its start it composes the session context. After
// a tool call it appends a line to the log. At the end of a turn it logs the messages, updates the profile from the
// prompts, and commits both. It records which process of the client works on which session. It must not know how
// sessions are archived, nor the client's settings or payloads, which front ends parse.
package session
