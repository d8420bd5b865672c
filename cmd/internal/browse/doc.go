// Package browse serves the pages on which a person looks at memory: sessions, notes, rules,
// people, ideas, and a question as it is researched.
//
// It listens on 127.0.0.1 only. Whoever opens it has a code that works once and for a minute;
// the page trades it for a token and sends that in a header with each request. There are no
// cookies, which every server on this machine would get, and nothing is sent along by itself,
// so that a foreign page can ask for nothing.
//
// It knows the façade, and what it shows as values of its own, for pages and for GraphQL alike.
// It must not know how memory is kept.
package browse
