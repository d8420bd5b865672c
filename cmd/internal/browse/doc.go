// Package browse serves the pages for people: sessions, notes, rules, people, ideas, and live answers to
// questions.
//
// It listens on 127.0.0.1 only. The user opens it with a code that works once and for a minute; the page
// exchanges it for a token and sends that in a header with each request. There are no cookies, which the
// browser would send to every server on this machine, and no other credentials are sent automatically, so a
// foreign page can't make authorised requests.
//
// It knows the façade, and converts its results to view values for pages and for GraphQL alike. It must not
// know how memory is stored.
package browse
