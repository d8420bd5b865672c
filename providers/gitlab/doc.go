// Package gitlab reads the merge requests, issues and notes of one project on GitLab, on gitlab.com or
// elsewhere, as items.
//
// It also opens and updates merge requests, see [providers.Proposer].
//
// It knows GitLab's REST API, version 4 (https://docs.gitlab.com/api/rest/), but not storage, indexes or git.
// The token and the clock come from [Options].
//
// # Identifiers
//
//	gitlab:mr:<number>
//	gitlab:issue:<number>
//	gitlab:note:<number>:<id>       a note on a merge request or an issue
//
// The number is the one that people see in the project, the id is GitLab's own.
//
// # Requests
//
// Two lists cover a project, merge requests and issues, sorted by the last change, 100 per page. There is no
// such list of notes: they cost one request for every merge request that is not a bot's, and for every issue
// that has notes, newest first, after the lists. If nothing is new, a fetch is two requests.
//
// # What is left out
//
// System notes, notes by bots, internal notes and confidential issues are left out and counted by
// [Source.Skipped]. The approvers of a merge request are in its [providers.Item.Also]. Deletions on GitLab
// are not detected.
package gitlab
