// Package query reads the data that one question or search needs. It parses the filter, opens the view of the requested
// moment, runs the search strategies, and reads the sources of the hits. It follows links between items and ideas,
// finds leads if a search finds little or nothing, and sets the status of each citation. It also shows sources and
// lists ideas, topics, sessions and contributions. It must not know whether a person, a hook or a report asks, nor how
// an answer is composed.
package query
