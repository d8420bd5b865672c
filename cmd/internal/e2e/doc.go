// Package e2e shows that gitmem works with the real client: its tests, behind the
// build tag e2e, run Claude Code against a stub of the model's API in a network that
// has a loopback device and nothing else.
//
// What is not behind the tag is the stub: an HTTP server that speaks as much of the
// Messages API as the client needs, answers with scripted turns and keeps what it
// was sent. It knows nothing of gitmem.
package e2e
