// Package ask answers questions from evidence, or says that nothing is recorded.
//
// A question is read ([Read]): its kind decides which sources count most, a time
// in it becomes a filter, its content words are what evidence must cover. Hits are
// fetched from their sources, cut to the passages that answer, and weighed. The best
// ones lead to others, by links, references and reverts, which join the evidence
// within a budget. An answer quotes passages, each with a citation that was looked up
// again before it is given. It is one of three: answered; closest, which lists what is
// near and claims nothing; or not recorded, with what was searched.
//
// [Ask] opens the view of a question, answers from it, and adds leads and the state of the citations.
// [Engine] does the answering: what it reads comes from the view that it is given, and from nothing
// else. The package knows no file, no index and no command line.
package ask
