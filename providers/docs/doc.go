// Package docs reads the documents that a team keeps in its repository: decision
// records, blueprints, proposals, README, CHANGELOG, CONTRIBUTING, ARCHITECTURE, manual
// pages, the texts of a doc folder, and who owns which paths (CODEOWNERS).
//
// It knows where such documents are, how they are split into sections, and how they state
// their status and date. It knows no repository: its caller passes the files, as they are
// in one commit. What is committed is what a team agreed on; a work tree also holds what
// one person is about to try. Rules for agents are not read here.
//
// A section's id is docs:<path>#<anchor of its heading>, and docs:<path> is the whole
// document.
package docs
