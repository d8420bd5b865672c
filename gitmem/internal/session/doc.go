// Package session knows what hooks do while a session of the client goes on: what it is told at its
// start, the log of its turns and tools, what the profile learns from its prompts, and which client
// works on it. It must not know what becomes of it in the archive, nor the client's settings or
// payloads, which front ends read.
package session
