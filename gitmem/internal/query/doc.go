// Package query knows how one question is answered from the sources: it reads the filter,
// runs the strategies, fetches what they find, and gives the status of each citation. It
// must not know who asks: a person, a hook or a report.
package query
