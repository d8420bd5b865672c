// Package jira reads the issues of projects on Jira, Cloud or Data Center, with
// their comments, as items.
//
// It knows Jira's REST API: version 3 of Cloud
// (https://developer.atlassian.com/cloud/jira/platform/rest/v3/), where texts are documents
// in JSON, and version 2 of Data Center, where they are wiki markup. It knows nothing of
// storage, indexes or git. A token and the clock are passed in by [Options].
//
// # Identifiers
//
//	jira:<KEY>      an issue, such as jira:ABC-12; its comments are part of its text
//
// # Requests
//
// One list covers all projects, sorted by the last change, 100 issues a page with their
// comments. Issues with more comments than a page holds cost two requests or more, after
// the list. When nothing is new, a fetch is one request.
//
// # What is left out
//
// Comments of apps and bots, and restricted ones, are left out and counted by
// [Source.Skipped]. What is deleted in Jira is not noticed.
package jira
