// Package github reads the pull requests, reviews, issues and comments of one
// repository on GitHub, or on a host that speaks GitHub's REST API, as items.
//
// It opens and updates pull requests too, see [providers.Proposer].
//
// It knows that API (https://docs.github.com/rest) and nothing of storage, indexes or git.
// A token and the clock are passed in by [Options].
//
// # Identifiers
//
//	github:pr:<number>
//	 github:review:<number>:<id> a review of pull request <number> with a text
//	github:comment:<number>:<id>    a comment on an issue or a pull request, also on its lines
//	github:issue:<number>
//
// # Requests
//
// Four lists cover a repository, each sorted by the last change: pull requests,
// issues, comments, and comments on lines. A page of a list holds 100 entries, so
// 2,000 pull requests with 500 issues and 4,000 comments are about 90 requests.
// Reviews have no such list: they cost a request for every pull request, newest
// first, after everything else. When nothing is new, a fetch is four conditional
// requests, which GitHub does not count where a token is given.
//
// # What is left out
//
// Comments and reviews of bots, reviews without a text and invalid entries are left out and
// counted by [Source.Skipped]. The author of a review without a text is named in
// [providers.Item.Also] of the pull request. What is deleted on GitHub is not noticed.
package github
