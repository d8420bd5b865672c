// Package redact finds secrets in text and replaces each by a visible mark.
//
// It knows the formats of well-known credentials, the ways in which a password is assigned
// to a name, and the <private>…</private> blocks by which a person keeps text out of every
// memory. It knows nothing about files, stores, transcripts or configuration: text goes in,
// text comes out.
//
// # How a text is read
//
// One pass hashes every four bytes of the text and looks up one bit: could a word of any
// rule begin here, in any case? Only there a rule looks closer, with bounds on how far, so
// the time stays linear in the size of the text, also on hostile input, and one more rule
// costs nothing where its word does not occur. The rules are tables and byte scanners and
// need no compilation: building the index takes some twenty microseconds.
//
//   - issued is the table of credentials with a format that identifies the issuer:
//     a prefix, a set of characters, a length.
//   - vendors is the table of those that only the vendor's name near them identifies.
//   - secretWords are the words in names of secrets; separator reads the text between a
//     name and its value, valueWithoutOperator the calls, elements, types and blocks that
//     have no operator; accepts judges the value.
//   - proseWords are words for secrets in the languages that people write in; inProse reads
//     the sentence around one.
//   - commands and calls are the tables of programs and functions that take a
//     password or a key by a flag or as an argument; printers is the
//     table of programs that print one on the next line.
//   - rules has the forms that need code: keys of many lines, URLs,
//     headers, cookies, manifests.
//   - column reads the cells of a table below a name.
//   - randomWords finds the passwords that need no name: words that switch between
//     letters of both cases, digits and symbols too often for anything else.
//
// What is encoded once in base64, hexadecimal digits, percent encoding or string escapes is
// read decoded, too: encoded decodes base64 and hexadecimal digits and keeps what is text,
// window finds the parts of a text that read differently without their escapes.
//
// # What counts
//
// A value under a name like secret, token or api_key must look random: letters and digits,
// and an entropy of 2.5 bits a byte or more. A password may be a plain word where the form
// leaves no doubt that it is the value (quoted, NAME=value, a line of settings, a flag, a
// cell), and words with blanks between them where they are no sentence. Keys in tests and
// documentation are replaced as well: nothing tells them from real ones.
//
// What merely names a secret (a placeholder, a variable, a function call, a type, a path, a
// regular expression, a public id) stays, because a memory without it would be wrong about
// the code it describes. Hashes, UUIDs, checksums of lock files and images in base64 stay
// unless a name of a secret precedes them.
//
// # Guarantees
//
// A redacted text is stable: redacting it again changes nothing. Marks have
// the form [redacted:<kind>].
//
// # What is not found
//
// OAuth client ids, which are public; account ids; files that are secret as a whole, such
// as .p12; what is split over several strings or encoded twice; tables without a header
// line; and a random value without a name and without a form of its own.
package redact
