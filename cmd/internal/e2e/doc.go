// Package e2e shows that gitmem works with the real client. Its tests have the build tag e2e. They
// run Claude Code against a stub of the model's API, in a network namespace that has a loopback
// device only. Where GITMEM_E2E_AGENTS names a folder they run other coding agents as well, against a
// stub of their models' APIs.
//
// The stub has no build tag. It is an HTTP server that speaks as much of the Messages API as the
// client needs, answers with scripted turns and keeps what it was sent. It knows nothing of
// gitmem.
package e2e
