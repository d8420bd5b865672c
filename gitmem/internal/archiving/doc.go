// Package archiving knows what becomes of a session's transcript and logs: the section of the dated
// archive that is written when the session ends, later by backfill or by recovery, and anew; the
// compaction of old logs, and the transcripts that are kept. It must not know what hooks add to a
// session while it goes on.
package archiving
