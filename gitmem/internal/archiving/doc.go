// Package archiving turns a session's transcript and logs into archive sections. It writes a section when a session
// ends, when a killed session is recovered, in a backfill, and again on request. It may ask a model for a summary and
// for ideas, and it relates ideas through package graph. It also replaces old logs by sections and keeps transcripts.
// It must not know what hooks inject into a running session.
package archiving
