// Package e2e tests gitmem with the real client. Its tests have the build tag e2e. They run Claude Code
// against a stub of the model's API, in a network namespace that only has a loopback device. If
// GITMEM_E2E_AGENTS names a folder, they also run other coding agents, against a stub of their models' APIs.
//
// The stub has no build tag. It is an HTTP server that implements the part of the Messages API that the
// client needs, answers with scripted turns and records the requests. It must not know gitmem.
package e2e
