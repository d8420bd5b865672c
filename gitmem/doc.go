// Package gitmem is a memory for coding agents and the people who work with them.
//
// # Memory
//
// [Open] returns a [Memory]: what is recorded about a workspace, seen from one working
// folder. Opening reads nothing; each call opens what it needs and releases it.
//
//	m, err := gitmem.Open(gitmem.Options{Dir: dir, Home: home, Now: time.Now})
//	answer, err := m.Ask(ctx, "why did we drop Redis?", gitmem.Filter{})
//
// # Asking
//
// [Memory.Ask] answers from evidence with citations, or reports that nothing is recorded
// ([None]). It opens what the question needs, searches it, and looks each citation up again
// in its source before it is given. [Memory.Research] lets a language model research the
// question instead.
// [Memory.Search] returns ranked hits, [Memory.Shown] the source behind a citation id, and
// [Memory.Data] lists what there is to look through. None
// of them creates a store. They keep an index beside the store, or in the user's cache
// folder without one; it can be deleted at any time.
//
// # The store
//
// [Memory.Init] and [Memory.Note] make a git repository of memory's own below the
// root and commit to it.
//
// # Sessions
//
// [Memory.Sessions] is for hooks and follows the client's sessions: [Sessions.Context] at
// the beginning of one and [Sessions.Recall] at each prompt give the model what is known,
// quoted as data and never twice; [Sessions.Observe] logs a tool call. [Sessions.EndTurn]
// logs the messages of a turn, updates the profile and commits. [Sessions.Archive] writes the
// session's section of the archive in the background, and [Sessions.End] in the foreground.
// [Sessions.Recover] does that for sessions that were killed, [Sessions.Backfill] for old
// ones. None of them makes a repository or builds an index; [Memory.Detach] leaves longer work
// to a process in the background. [Sessions.Compact] replaces old logs by sections.
//
// # Rules
//
// [Rules.Plan] tells what a rule for the repository would be: its file, its evidence, and who
// says otherwise. [Rules.Open] makes a branch with it, without touching anybody's work tree,
// and opens a pull request or updates the one that is open.
//
// # Forgetting
//
// [Memory.PlanForget] finds what a citation or words name, and [Memory.Forget] removes it
// from memory's files, indexes and traces, and if requested from every commit. A list of
// salted hashes, gitmem/forgotten.md, keeps it from coming back.
//
// Every text passes the redactor before it is written, indexed or shown.
//
// # Layers
//
// This package is a façade. Each call makes a view of its own and passes it down. Package
// cmd/internal/architecture lists the layers below, and keeps imports pointing down.
//
// # Concurrency
//
// A Memory holds configuration only: many goroutines may use one, and any number of
// processes may work on one root at the same time. What was written, forgotten, excluded or
// paused by any process counts for the next call.
//
// Files of format 1 stay readable by every later version. JSON forms gain fields and lose
// none. The index has no compatibility: it is rebuilt.
package gitmem
