// Package github reads the pull requests, reviews, issues and comments of one repository on GitHub, or on a
// host with GitHub's REST API, as items.
//
// It also opens and updates pull requests, see [providers.Proposer].
//
// It knows that API (https://docs.github.com/rest) but not storage, indexes or git. The token and the clock
// come from [Options].
//
// # Identifiers
//
//	github:pr:<number>
//	github:review:<number>:<id>     a review with a text, of pull request <number>
//	github:comment:<number>:<id>    a comment on an issue or a pull request, also on its lines
//	github:issue:<number>
//
// # Requests
//
// Four lists cover a repository, each sorted by the last change: pull requests, issues, comments, and
// comments on lines. A page of a list has 100 entries, so 2,000 pull requests with 500 issues and 4,000
// comments are about 90 requests. There is no such list of reviews: they cost one request for every pull
// request, newest first, after everything else. If nothing is new, a fetch is four conditional requests,
// which GitHub does not count if there is a token.
//
// # What is left out
//
// Comments and reviews by bots, reviews without a text and invalid entries are left out and counted by
// [Source.Skipped]. The author of a review without a text is in [providers.Item.Also] of the pull request.
// Deletions on GitHub are not detected.
package github
