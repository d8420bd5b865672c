// Package jira reads the issues of projects on Jira, Cloud or Data Center, with their comments, as items.
//
// It knows Jira's REST API: version 3 of Cloud
// (https://developer.atlassian.com/cloud/jira/platform/rest/v3/), where texts are JSON documents, and version
// 2 of Data Center, where they are wiki markup. It must not know storage, indexes or git. The token and the
// clock come from [Options].
//
// # Identifiers
//
//	jira:<KEY>      an issue, such as jira:ABC-12; its comments are part of its text
//
// # Requests
//
// One list covers all projects, sorted by the last change, 100 issues per page with their comments. Issues
// with more comments than a page contains cost two requests or more, after the list. If nothing is new, a
// fetch is one request.
//
// # What is left out
//
// Comments by apps and bots, and restricted ones, are left out and counted by [Source.Skipped]. Deletions in
// Jira are not detected.
package jira
