// Package ask answers questions from evidence, or reports that nothing is recorded.
//
// [Ask] removes pasted lines from the question and opens a view through package query. [Read] parses the question: its
// kind determines the weights of the sources, a time in it becomes a filter, and evidence must cover its content words.
// [Engine] searches the view, reads the sources of the hits, splits them into passages and scores those. It follows
// links, references and reverts of the best passages within a budget, and verifies each citation. If nothing answers
// and a model may help (hyde), it searches once more with a passage that the model wrote. If nothing is recorded, query
// adds leads; it also sets the status of the citations.
//
// The verdict is answered, closest or not recorded. A source answers only if the cited sentence describes the change
// that the question presupposes (package claim) and contains every name of the question, and if a feature model rates
// it as likely. A closest answer lists related records and makes no claim. [Engine.Recall] judges passages for a prompt
// by how much of its subject they name.
//
// The package opens no files and no indexes, and it does not know the command line.
package ask
