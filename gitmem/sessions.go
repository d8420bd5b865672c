package gitmem

import (
	"context"
	"fmt"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Sessions contains the calls that follow the sessions of the client: what hooks inject into a session and record about
// it, and the archive of its transcript.
type Sessions struct{ m *Memory }

// Sessions gives access to the calls for hooks.
func (m *Memory) Sessions() *Sessions { return &Sessions{m} }

// Context returns what is injected at the beginning of a session.
func (s *Sessions) Context(ctx context.Context, o ContextOptions) (SessionContext, error) {
	return with(s.m, func(v view) (SessionContext, error) { return v.sessions().Context(ctx, o) })
}

// Untold records that the agent compacted a session's conversation, so that what was added to the session before may be
// added again.
func (s *Sessions) Untold(session string) error {
	return within(s.m, func(v view) error { v.sessions().Untold(session); return nil })
}

// Recall returns what to inject at a prompt.
func (s *Sessions) Recall(ctx context.Context, o RecallOptions) (Recalled, error) {
	return with(s.m, func(v view) (Recalled, error) { return v.recaller().Recall(ctx, o) })
}

// MarkRecalled records what was recalled for a session, so that it is not repeated.
func (s *Sessions) MarkRecalled(session string, got Recalled) error {
	return within(s.m, func(v view) error { return v.recaller().MarkRecalled(session, got) })
}

// Synthesise has the model rephrase what was recalled for a prompt, if the configuration enables that.
func (s *Sessions) Synthesise(ctx context.Context, prompt string, got Recalled) (Recalled, error) {
	return with(s.m, func(v view) (Recalled, error) { return v.recaller().Synthesise(ctx, prompt, got, v.agent().Recall) })
}

// Observe appends a tool call to the session's log. It takes no lock, creates no repository and commits nothing;
// [Sessions.Stop] does. It returns the file. The error is [ErrNotCaptured] if capture is off or paused, or if the
// working folder or a file of the tool call is excluded.
func (s *Sessions) Observe(ctx context.Context, o Observation) (string, error) {
	return with(s.m, func(v view) (string, error) { return v.sessions().Observe(ctx, o) })
}

// Stop commits what hooks appended for a session, and returns the commit, "" if nothing was new. The error is
// [ErrNotCaptured] as in [Sessions.Observe].
func (s *Sessions) Stop(ctx context.Context, session string) (string, error) {
	return with(s.m, func(v view) (string, error) { return v.sessions().Stop(ctx, session) })
}

// EndTurn logs the messages of a turn, and commits.
func (s *Sessions) EndTurn(ctx context.Context, t Turn) (Stopped, error) {
	return with(s.m, func(v view) (Stopped, error) { return v.sessions().EndTurn(ctx, t) })
}

// Compacted logs the client's summary of a session, and reports whether it did.
func (s *Sessions) Compacted(ctx context.Context, session, transcriptFile, trigger,
	summary string) (logged bool, err error) {
	return with(s.m, func(v view) (bool, error) {
		return v.sessions().Compacted(ctx, session, transcriptFile, trigger, summary)
	})
}

// Log appends an event to the session's log, unless it is already there, and reports whether it did.
func (s *Sessions) Log(ctx context.Context, e LogEntry) (bool, error) {
	return with(s.m, func(v view) (bool, error) { return v.sessions().Log(ctx, e) })
}

// End appends the session's section to the dated archive of its project and commits.
func (s *Sessions) End(ctx context.Context, id, transcriptFile string) (Ended, error) {
	return with(s.m, func(v view) (Ended, error) { return v.archives().End(ctx, id, transcriptFile, nil) })
}

// Archive is [Sessions.End] in the background. The model may then summarise the session and search for possible rules,
// one of which the start of the next session mentions.
func (s *Sessions) Archive(ctx context.Context, id, transcriptFile string) (Ended, error) {
	return with(s.m, func(v view) (Ended, error) {
		out, err := v.archives().End(ctx, id, transcriptFile, v.agent())
		if err != nil {
			return out, err
		}
		var texts []session.Announcement
		for _, c := range v.promoter().Ready(ctx) {
			texts = append(texts, session.Announcement{About: c.IDs(),
				Text: fmt.Sprintf("\"%s\" is said in %d independent places; gitmem promote shows where, and proposes it as a rule",
					c.Rule, c.Seen)})
		}
		return out, v.sessions().Announce(ctx, texts)
	})
}

// Running returns the sessions that clients on this machine work on, as recorded by hooks.
func (s *Sessions) Running() []string {
	running, _ := with(s.m, func(v view) ([]string, error) { return v.sessions().Running(), nil }) // a cache
	return running
}

// Asking returns the session of an agent that does not name it, "" if it can't be determined: the only one in the
// working folder that has changed since the agent started this process.
func (s *Sessions) Asking(agent string, started time.Time) string {
	id, _ := with(s.m, func(v view) (string, error) { return v.ws.Asking(agent, started), nil }) // never an error
	return id
}

// InClient reports whether this process runs inside a coding agent, where a model may have started it, according to its
// environment.
func InClient(getenv func(string) string) bool { return workspace.InClient(getenv) }

// OwnSessions returns the agent sessions in which this process runs, according to its environment.
func OwnSessions(getenv func(string) string) []string { return workspace.SessionsIn(getenv) }

// Recover archives sessions that never ended, as [Sessions.Archive] does; current is the session that begins now.
func (s *Sessions) Recover(ctx context.Context, current string) (Recovered, error) {
	return with(s.m, func(v view) (Recovered, error) { return v.archives().Recover(ctx, current, v.agent()) })
}

// Backfill archives sessions that have transcripts.
func (s *Sessions) Backfill(ctx context.Context, o BackfillOptions) (Backfilled, error) {
	return with(s.m, func(v view) (Backfilled, error) { return v.archives().Backfill(ctx, o) })
}

// Rederive derives archived sections again, where it may ask a model as [Sessions.Archive] does. Edits by a person are
// kept.
func (s *Sessions) Rederive(ctx context.Context, o BackfillOptions) (Rederived, error) {
	return with(s.m, func(v view) (Rederived, error) { return v.archives().Rederive(ctx, o, v.agent()) })
}

// Backfillable counts the sessions for [Sessions.Backfill].
func (s *Sessions) Backfillable(ctx context.Context) (int, error) {
	return with(s.m, func(v view) (int, error) { return v.archives().Backfillable(ctx) })
}

// ArchiveAgent enables or disables archiving the sessions of an agent other than Claude Code. The error wraps ErrUsage
// for an unknown agent.
func (s *Sessions) ArchiveAgent(ctx context.Context, agent string, on bool) error {
	return within(s.m, func(v view) error { return v.archives().ArchiveAgent(ctx, agent, on) })
}

// Reopen returns how to resume the session of a citation. The error wraps ErrUsage if the source belongs to no session,
// and ErrNotFound if the client no longer has it.
func (s *Sessions) Reopen(ctx context.Context, citation string) (Reopening, error) {
	return with(s.m, func(v view) (Reopening, error) { return v.reader.Reopen(ctx, citation) })
}

// Compact replaces each old log of the project by a section of the archive. The log lines stay in the store's history,
// where citations of them are looked up. The error is [ErrNoStore] if there is no store.
func (s *Sessions) Compact(ctx context.Context, o CompactOptions) (Compaction, error) {
	return with(s.m, func(v view) (Compaction, error) { return v.archives().Compact(ctx, o) })
}

// KeepTranscript keeps a session's transcript and those of its subagents after the client deletes them, if
// keep_transcripts is on. It returns a message about what it did, "" for nothing.
func (s *Sessions) KeepTranscript(ctx context.Context, session, file string) (string, error) {
	return with(s.m, func(v view) (string, error) { return v.archives().KeepTranscript(ctx, session, file) })
}

// StatusLine returns the line that the client shows below its prompt.
func (s *Sessions) StatusLine(ctx context.Context, session string) string {
	line, err := with(s.m, func(v view) (string, error) { return v.sessions().StatusLine(ctx, session), nil })
	if err != nil {
		return "gitmem: " + ErrorText(err)
	}
	return line
}
