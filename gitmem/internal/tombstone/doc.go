// Package tombstone stores what was forgotten and removes it from text.
//
// It is pure: it takes files and messages as bytes, and returns what remains of them. It knows the list of forgotten
// text, how lines are compared, and which lines of a file belong to a citation. It does not know stores, commits,
// indexes or time, and writes nothing.
//
// # The list
//
// gitmem/forgotten.md is frontmatter Markdown (format 1, kind tombstones) with one line for each entry, in any order,
// so that the lists of two machines merge by lines:
//
//   - 2026-11-20 line 6f1c0d2e9a7b4c33 0f3a…
//
// An entry consists of a day, a kind, a salt of 16 and a hash of 32 hex digits: the first half of SHA-256 over salt,
// class and value, separated by NUL. Classes and values are
//
//	line    a line in the form that [Normal] returns, in any file
//	local   a citation id of a section, NUL, and such a line: only there
//	quote   the shortened form of a line in which commits and titles quote it
//	unit    the key that [UnitKey] returns for a citation id
//	deleted the key of something that a person deleted from a file of the archive
//
// The kinds are line, local, quote and deleted, for units the kind of the citation (idea, session, decision, task,
// observation, transcript, rules, git and others), and commit for a commit of memory's own history that was replaced: a
// history that contains it is neither merged nor pushed. The list never contains the text itself. The hash reveals
// nothing to somebody who can't guess the text; a guess can be checked, as with every hash.
//
// If a person deletes a line from the list, memory accepts that text again.
//
// What was deleted by hand is not secret: history still shows it, and so do files that contain it. It is not archived
// again, and a merge does not bring it back.
package tombstone
