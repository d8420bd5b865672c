// Package session knows what happens to a session of the client: what is added to it at its
// start and at each prompt, what is logged of it, and its section of the archive. It
// must not know the client's settings or payloads, which front ends read.
package session
