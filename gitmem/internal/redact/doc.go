// Package redact finds secrets in text and replaces each by a visible mark.
//
// It knows the shapes of well-known credentials, the plain forms in which a
// password is assigned to a name, and the <private>…</private> blocks by which
// a person keeps words out of every memory. It knows nothing about files,
// stores, transcripts or configuration: text goes in, text comes out.
//
// # How a text is read
//
// One pass over the bytes hashes each four of them and looks up one bit: could
// the first word of any rule stand here, in any case? Only there a rule looks
// closer, from that place on and with bounds on how far, so the time stays
// linear in the size of the text, also on hostile input, and one more rule
// costs nothing where its word does not stand. The rules are tables and byte
// scanners and need no compilation: building the index takes some twenty
// microseconds.
//
//   - issued is the table of credentials that say by themselves whose they are:
//     a fixed part, the characters around it, how many.
//   - vendors is the table of those that only a vendor's name beside them gives
//     away.
//   - secretWords are the words in names of secrets; separator reads what stands
//     between a name and its value, reach the calls, elements, types and blocks
//     where no sign does; accepts judges the value.
//   - proseWords are words for secrets in the languages that people write in; inProse reads
//     the sentence around one.
//   - commands and calls are the tables of programs and functions that take a
//     password or a key by a flag or as one of their arguments; showing is the
//     table of programs that print one on the next line.
//   - rules has the forms that need code: keys of many lines, addresses,
//     headers, cookies, manifests.
//   - column reads the cells of a table below a name.
//   - bare finds the passwords that need no name: words of letters of both cases,
//     digits and signs that turn too often for anything else.
//
// What is written once in base64, in hexadecimal digits, in percent signs or in the
// escapes of strings is read as what it stands for, too: encoded decodes runs of
// digits and keeps what is text, window finds the parts of a text that read
// differently once their escapes are characters.
//
// # What counts
//
// A value under a name like secret, token or api_key must look drawn: letters
// and digits, and an entropy of 2.5 bits a byte or more. A password may be a
// plain word where the form leaves no doubt that it is the value: quoted,
// NAME=value, a line of settings, a flag, a cell; and words with blanks between
// them where they read like no sentence. Keys of services in tests and examples of
// documentation are taken as well: nobody can tell them from real ones.
//
// What merely names a secret (a placeholder, a variable, a function call, a
// type, a path, a regular expression, a public id) stays, because a memory
// without it would lie about the code it describes. Hashes, UUIDs, checksums of
// lock files and images in base64 stay unless such a name stands before them.
//
// # What is promised
//
// A redacted text is stable: redacting it again changes nothing. Marks have
// the form [redacted:<kind>].
//
// # What is not found
//
// Client ids of OAuth, which are public; ids of accounts; files that are
// secrets as a whole, such as .p12; what is split over several strings or
// encoded twice; tables without a first line of names; and a drawn value that stands
// alone with no name and no form of
// its own.
package redact
