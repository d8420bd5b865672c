// Package store owns the files of memory: where they are, which of them may be tracked, how they are appended to and
// rewritten, and how they are committed to their own git repository.
//
// It knows paths, bytes, locks and git objects. It does not know the meaning of a memory: parsing, searching, asking
// and the format of each file are in other packages, except for project.md, which maps checkouts to projects. It
// accepts new text only as [redact.Clean], so no caller can store a secret by mistake.
//
// # Layout
//
// The root contains gitmem/ (ours) and projects/<name>/memory/ (the client's own Markdown). The repository is either
// <root>/.git, with an allow-list .gitignore beside it, or, if the root belongs to somebody else's repository,
// <root>/gitmem/.git with core.worktree = ../.. and the allow-list in its info/exclude. A repository is ours only if
// its config has gitmem.owned = true; any other one is never committed to. [Allowed] is the same allow-list in code,
// checked again before every write and commit.
//
// gitmem/.index is the cache. It is ignored and disposable; the store uses .index/lock (an flock between gitmem
// processes) and .index/locks in it.
//
// # Appending
//
// [Store.Append] takes no lock and does not fsync: it is for hooks. A new file becomes visible atomically, by a hard
// link; an existing one gets one write in append mode. [Store.Rewrite] holds the flock, replaces the file by a rename
// and then checks whether somebody wrote to the replaced file meanwhile.
//
// # Committing
//
// [Store.Commit] follows git's own protocol, so that a real git may run at the same time:
//
//  1. take the flock, then repair leftovers of a dead process
//  2. create index.lock, git's mutex, exclusively, and write the new index to it: a
//     copy with only the changed entries replaced
//  3. write the objects: blobs, the trees on the changed paths only, the commit
//  4. take <ref>.lock and compare the ref with the parent; start over if it moved
//  5. rename the ref into place and write the reflog
//  6. rename the index into place
//
// Before a file's content becomes a blob it is scanned for secrets, whoever wrote it: people and clients also write to
// memory directly. A file with a secret is held back: HEAD keeps its old version, the disk its new one, see [Held].
//
// The files on disk are authoritative. The next commit finds whatever a crash left uncommitted, since it compares the
// files with HEAD.
//
// # Crashes
//
// A git lock is taken by hard-linking a file of .index/locks to the path of the lock. Both names are one inode. The
// process that next holds the flock knows that no other gitmem process commits, can distinguish a dead lock of ours
// from any other, and removes only ours. After a dead index lock it compares the index entries of the paths that the
// last commit changed with HEAD.
//
// With Change.Fsync a returned commit survives power loss: the files, objects, ref and index are synced, and so are the
// folders that contain them. Without it, the commit survives the death of the process. There are three waits for the
// disk, each for everything that may be synced at once: contents; names of objects and the new reference; names of
// reference and index.
//
// # While git is busy
//
// During a rebase or similar operation, and with HEAD detached, a commit could be abandoned and a file may be reset.
// Then [Store.Commit] commits nothing. Each write adds an entry to gitmem/pending, and each commit adds one after those
// of its files. The next process that takes the flock after git is done repeats lost writes in the files, by lines and
// fields, and makes the commits. A failed commit adds such an entry, too.
//
// # Purging
//
// [Store.Purge] is the only operation that rewrites history, and only at a person's request. git fast-export lists the
// commits; those that change are recreated in memory and written as one pack. Then all references move to packed-refs,
// which one rename replaces. Only when no reference leads to the old objects any more does git pack the others and
// prune, and reflogs, ORIG_HEAD and similar files are deleted. Meanwhile a file beside the lock records marks the purge
// as unfinished: Repair completes it.
package store
