// Package query reads what one question or search needs. It reads the filter, opens the view of
// the moment that is asked about, runs the strategies of searching, and reads the sources of what
// they find. It follows links between items and ideas, finds leads where a search finds little or
// nothing, and sets the status of each citation. It also shows sources and lists ideas, topics,
// sessions and contributions. It must not know who asks, a person, a hook or a report, nor how an
// answer is composed.
package query
