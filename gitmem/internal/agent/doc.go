// Package agent lets a language model do work on memory: it researches a question, summarises a
// session, finds ideas and rules, and puts what is recalled for a prompt into sentences.
//
// For research the model calls the read-only tools of a server of the Model Context Protocol,
// which runs as a process of its own and is the same for each back end. A claim whose citation
// does not exist, or does not support it, is removed and reported. If the model fails, or is slow,
// package ask answers. The package knows back ends, budgets and the record of runs. It must not
// know how memory is searched.
package agent
