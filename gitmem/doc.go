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
// ([None]). Package ask controls the process: query passes it functions that search, fetch
// and resolve, and each citation is looked up again in its source before it is given.
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
// quoted as data and never twice; [Sessions.Observe] logs a tool call, [Sessions.EndTurn]
// the messages of a turn, and [Sessions.End] writes the session's section of the archive.
// [Sessions.Recover] does that for sessions that were killed, [Sessions.Backfill] for old
// ones. What they write only adds, and none makes a repository or builds an index;
// [Memory.Detach] leaves longer work to a process in the background. [Sessions.Compact] puts
// sections in the place of old logs.
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
// This package is a façade. Each call makes a view of its own and passes it on:
//
//	6  report  session  curate  promote  forget  diagnose    what is done for a person
//	5  query                                        one question
//	4  ingest  ask                                  where documents come from; what an answer is made of
//	2  workspace  forge  search  cite               the folder and its project, and what can be looked at
//
// Package cmd/internal/architecture lists all layers and keeps arrows pointing down.
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
