// Package store owns the files of memory: where they lie, which of them may be
// tracked, how they are appended to and rewritten, and how they are committed
// to a git repository of their own.
//
// It knows paths, bytes, locks and git objects. It does not know what a memory
// says: parsing, searching, asking and the shape of each file (but for
// project.md, which maps checkouts to projects) lie elsewhere. It accepts new
// text only as [redact.Clean], so no caller can store a secret by mistake.
//
// # Layout
//
// The root holds gitmem/ (ours) and projects/<name>/memory/ (the client's own
// Markdown). The repository is either <root>/.git, with an allow-list
// .gitignore beside it, or, when the root belongs to somebody else's
// repository, <root>/gitmem/.git with core.worktree = ../.. and the allow-list
// in its info/exclude. A repository is ours only if its config says
// gitmem.owned = true; any other one is never committed to. [Allowed] is the
// same allow-list in code, checked again before every write and commit.
//
// gitmem/.index is the cache. It is ignored and disposable; of it the store
// uses .index/lock (an flock between gitmem processes) and .index/locks.
//
// # Appending
//
// [Store.Append] takes no lock and does not fsync: it is for hooks. A new file
// becomes visible whole, by a hard link; an existing one gets one write in
// append mode. [Store.Rewrite] holds the flock, replaces the file by a rename
// and looks afterwards whether somebody wrote to the replaced file meanwhile.
//
// # Committing
//
// [Store.Commit] speaks git's own protocol, so a real git may run beside it:
//
//  1. the flock, then leftovers of a dead process are repaired
//  2. index.lock, created exclusively: git's mutex; it gets the new index, a
//     copy with the changed entries only
//  3. objects: blobs, only the trees on the changed paths, the commit
//  4. <ref>.lock, compare the ref with the parent, start over if it moved
//  5. the ref is renamed into place, the reflog
//  6. the index is renamed into place
//
// Before a file's content becomes a blob it is scanned for secrets, no matter who
// wrote it: people and clients write to memory without us. A file with one is
// held back: HEAD keeps its old version, the disk its new one, see [Held].
//
// The files on disk are the truth. Whatever a crash leaves uncommitted is
// found by the next commit, since it compares the files with HEAD.
//
// # Crashes
//
// A git lock is taken by hard-linking a file of .index/locks to its place.
// Both names are one inode, so the process that next holds the flock (and thus knows
// that no other gitmem process commits) can distinguish a dead lock of ours from
// anybody else's, and removes only ours. After a dead lock of the index its entries
// of what the last commit changed are compared with HEAD.
//
// With Change.Fsync a returned commit survives power loss: the files, objects,
// ref and index are synced, and so are the folders that name them. Without, it
// survives the death of the process. A disk is waited for three times, each time
// with all that may be synced at once: contents; names of objects and the new
// reference; names of reference and index.
//
// # While git is busy
//
// In the middle of a rebase or the like, and with HEAD detached, a commit would be left
// behind and a file may be reset. Then [Store.Commit] commits nothing. Each write leaves an
// entry in gitmem/pending, and each commit one behind those of its files. Whoever takes
// the flock when git is done repeats in the files what they have lost, by lines and fields,
// and makes the commits. A commit that failed leaves such an entry, too.
//
// # Purging
//
// [Store.Purge] is the one thing that rewrites history, and only when a person
// says so. git fast-export lists the commits, and those that change are made anew in
// memory and written as one pack. Then all references come to lie in packed-refs,
// which one rename replaces. Only when no reference leads to the old objects any more
// does git pack the others and prune, and reflogs, ORIG_HEAD and its like go. A file
// beside the records of locks says meanwhile that this is yet to be done: Repair does it.
package store
