// Package agent lets a language model research a question with read-only tools, and checks
// what it claims before anybody sees it.
//
// It knows back ends, budgets and the record of runs. It must not know how memory is
// searched: the model's tools are those of a server of the Model Context Protocol, which
// runs as a process of its own and is the same for each back end. A claim whose citation
// does not exist, or does not hold it, is cut and reported; a model that fails, or is slow,
// costs its own answer only.
package agent
