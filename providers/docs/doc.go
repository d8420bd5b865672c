// Package docs reads the documents in a team's repository: decision records, blueprints, proposals, README,
// CHANGELOG, CONTRIBUTING, ARCHITECTURE, manual pages, the texts in a doc folder, and the owners of paths
// (CODEOWNERS).
//
// It knows where such documents are, how they are split into sections, and how they state their status and
// date. It must not know repositories: its caller passes the files as they are in one commit. The team agreed
// on what is committed; a work tree also contains what one person is trying out. Rules for agents are not
// read here.
//
// The id of a section is docs:<path>#<anchor of its heading>, and docs:<path> is the whole document.
package docs
