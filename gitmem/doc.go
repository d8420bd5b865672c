// Package gitmem is a memory for coding agents and the people who work with them.
//
// # Memory
//
// [Open] returns a [Memory]: the records about a workspace, as seen from one working folder. Open reads nothing; each
// call opens what it needs and closes it.
//
//	m, err := gitmem.Open(gitmem.Options{Dir: dir, Home: home, Now: time.Now})
//	answer, err := m.Ask(ctx, "why did we drop Redis?", gitmem.Filter{})
//
// # Asking
//
// [Memory.Ask] answers from evidence with citations, or reports that nothing is recorded ([None]). It opens the sources
// for the question, searches them, and verifies each citation in its source. [Memory.Research] lets a language model
// research the question instead. [Memory.Search] returns ranked hits, [Memory.Shown] the source of a citation id, and
// [Memory.Data] lists the available data. None of them creates a store. They keep an index beside the store, or in the
// user's cache folder without one; it can be deleted at any time.
//
// # The store
//
// [Memory.Init] and [Memory.Note] create a git repository of memory's own below the root and commit to it.
//
// # Sessions
//
// [Memory.Sessions] is for hooks and follows the client's sessions: [Sessions.Context] at the beginning of a session
// and [Sessions.Recall] at each prompt pass related records to the model, quoted as data and without repetitions;
// [Sessions.Observe] logs a tool call. [Sessions.EndTurn] logs the messages of a turn, updates the profile and commits.
// [Sessions.Archive] writes the session's section of the archive in the background, and [Sessions.End] in the
// foreground. [Sessions.Recover] does that for sessions that were killed, [Sessions.Backfill] for old ones. None of
// them creates a repository or builds an index; [Memory.Detach] leaves longer work to a background process.
// [Sessions.Compact] replaces old logs by sections.
//
// # Rules
//
// [Rules.Plan] plans a rule for the repository: its file, its evidence, and contradicting statements. [Rules.Open]
// creates a branch with it, without touching a work tree, and opens a pull request or updates the open one.
//
// # Forgetting
//
// [Memory.PlanForget] finds pieces of memory by citation or words, and [Memory.Forget] removes them from memory's
// files, indexes and traces, and if requested from every commit. A list of salted hashes, gitmem/forgotten.md, prevents
// them from coming back.
//
// Every text passes the redactor before it is written, indexed or shown.
//
// # Layers
//
// This package is a façade. Each call creates its own view and passes it down. Package cmd/internal/architecture lists
// the layers below, and checks that imports point down.
//
// # Concurrency
//
// A Memory contains configuration only: it is safe for concurrent use, and any number of processes may work on one root
// at the same time. The next call uses everything that any process wrote, forgot, excluded or paused.
//
// Every later version can read files of format 1. JSON forms gain fields and lose none. The index has no compatibility:
// it is rebuilt.
package gitmem
