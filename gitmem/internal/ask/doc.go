// Package ask answers questions from evidence, or says that nothing is recorded.
//
// [Ask] takes pasted lines out of the question and opens a view through package query. It then
// reads the question ([Read]): its kind decides which sources count most, a time in it becomes a
// filter, and its content words are what evidence must cover. [Engine] searches the view, reads
// the sources of the hits, cuts them to passages and scores these. It follows links, references
// and reverts of the best passages within a budget. It looks each citation up again before it is
// given. If a model may help (hyde) and nothing answers, the search runs once more with a passage
// that the model wrote. At last query adds leads where nothing is recorded, and sets the state of
// the citations.
//
// The verdict is answered, closest or not recorded. A source answers only if the sentence that is cited
// tells the change that the question takes for granted (package claim) and holds every name of it, and
// a model of features finds it likely. A closest answer lists what is near and claims nothing.
// [Engine.Recall] judges passages for a prompt by how much of its subject they name.
//
// The package opens no file and no index itself, and knows no command line.
package ask
