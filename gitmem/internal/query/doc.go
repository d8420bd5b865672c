// Package query knows how one question is answered from the sources: it reads the filter,
// runs the strategies, fetches what they find, and says how each citation stands today. It
// must not know who asks: a person, a hook or a report.
package query
