// Package query knows what one question or search reads: it reads the filter, opens the view of the
// moment that is asked about, runs the strategies, fetches what they find, and gives the status of
// each citation. It must not know who asks, a person, a hook or a report, nor how an answer is
// composed.
package query
