package redact

import "strings"

// Name reports whether a name of a file, given as a slash path, or of a branch
// holds a secret, and the kind of the first one. Names of things that are
// addressed by hashes or UUIDs hold none, and neither does a name that already
// has a mark.
//
// It costs about as much as a line of text. A name cannot be redacted without
// becoming another name, so callers refuse what it finds.
func (r *Redactor) Name(path string) (kind string, found bool) {
	if f := r.find(path); len(f) > 0 {
		return f[0].Kind, true
	}
	// An ending may hide where a value ends: ghp_….bak is caught above, but
	// password=word.txt is not.
	for part := range strings.SplitSeq(path, "/") {
		dot := strings.LastIndexByte(part, '.')
		if dot <= 0 || strings.IndexByte(part, '=') < 0 {
			continue
		}
		if f := r.find(part[:dot]); len(f) > 0 {
			return f[0].Kind, true
		}
	}
	return "", false
}
