// Package redact finds secrets in text and replaces each by a visible mask.
//
// It knows the formats of well-known credentials, the ways in which a password is assigned to a name, and the
// <private>…</private> blocks by which a person keeps text out of every memory. It does not know files, stores,
// transcripts or configuration: it takes and returns text.
//
// # How a text is read
//
// One pass hashes every four bytes of the text and looks up one bit that shows whether a word of any rule could begin
// here, in any case. Only at these positions the rules are tried, with limits on how far they read, so the time is
// linear in the size of the text, also for hostile input, and another rule costs nothing if its word does not occur.
// The rules are tables and byte scanners and need no compilation: building the index takes some twenty microseconds.
//
//   - issued is the table of credentials with a format that identifies the issuer:
//     a prefix, a set of characters, a length.
//   - vendors is the table of credentials that only the vendor's name near them
//     identifies.
//   - secretWords are the words in names of secrets; separator parses the text between a
//     name and its value, valueWithoutOperator the calls, elements, types and blocks that
//     have no operator; accepts checks the value.
//   - proseWords are words for secrets in the languages that people write in; inProse parses
//     the sentence around one.
//   - commands and calls are the tables of programs and functions that take a
//     password or a key by a flag or as an argument; printers is the
//     table of programs that print one on the next line.
//   - rules contains the forms that need code: keys of many lines, URLs,
//     headers, cookies, manifests.
//   - column parses the cells of a table below a name.
//   - randomWords finds the passwords that need no name: words that switch between
//     letters of both cases, digits and symbols too often for anything else.
//
// Text that is encoded once in base64, hexadecimal digits, percent encoding or string escapes is scanned decoded, too:
// encoded decodes base64 and hexadecimal digits and keeps the text among the results, window finds the parts of a text
// that differ without their escapes.
//
// # What counts
//
// A value under a name like secret, token or api_key must look random: letters and digits, and an entropy of 2.5 bits a
// byte or more. A password may be a plain word if the form shows unambiguously that it is the value (quoted,
// NAME=value, a line of settings, a flag, a cell), and several words with blanks unless they are a sentence. Keys in
// tests and documentation are replaced as well: they can't be distinguished from real ones.
//
// Text that merely names a secret (a placeholder, a variable, a function call, a type, a path, a regular expression, a
// public id) is kept, because a memory without it would be wrong about the code it describes. Hashes, UUIDs, checksums
// of lock files and images in base64 are kept unless a name of a secret precedes them.
//
// # Guarantees
//
// A redacted text is stable: redacting it again changes nothing. Masks have the form [redacted:<kind>].
//
// # What is not found
//
// OAuth client ids, which are public; account ids; files that are secret as a whole, such as .p12; secrets split over
// several strings or encoded twice; tables without a header line; and a random value without a name and without a form
// of its own.
package redact
