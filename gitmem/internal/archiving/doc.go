// Package archiving knows what becomes of a session's transcript and logs. It writes the section
// of a session into the dated archive: when the session ends, when a killed one is recovered, in a
// backfill, and again on request. It may ask a model for a summary and for ideas, and relates
// ideas through package graph. It replaces old logs by sections and keeps transcripts. It must not
// know what hooks add to a session while it goes on.
package archiving
