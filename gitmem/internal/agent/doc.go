// Package agent lets a language model work on memory: it researches a question, summarises a session, finds ideas and
// rules, and puts what is recalled for a prompt into sentences.
//
// For research the model calls the read-only tools of a Model Context Protocol server, which runs as a separate process
// and is the same for each back end. A claim is removed and reported if its citation does not exist or does not support
// it. If the model fails or is too slow, package ask answers. The package knows back ends, budgets and the records of
// runs. It must not know how memory is searched.
package agent
