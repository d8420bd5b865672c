// Package gitlab reads the merge requests, issues and notes of one project on
// GitLab, on gitlab.com or elsewhere, as items.
//
// It opens and updates merge requests too, see [providers.Proposer].
//
// It knows GitLab's REST API, version 4 (https://docs.gitlab.com/api/rest/), and nothing of
// storage, indexes or git. A token and the clock are passed in by [Options].
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
// Two lists cover a project, merge requests and issues, sorted by the last
// change, 100 a page. Notes have no such list: they cost a request for every
// merge request that is not a bot's, and for every issue that has notes, newest
// first, after the lists. When nothing is new, a fetch is two requests.
//
// # What is left out
//
// System notes, notes of bots, internal notes and confidential issues are left out and
// counted by [Source.Skipped]. Who approved a merge request is named in
// [providers.Item.Also] of it. What is deleted on GitLab is not noticed.
package gitlab
