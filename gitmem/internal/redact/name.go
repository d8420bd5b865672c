package redact

import "strings"

// Name reports whether a name of a file, given as a slash path, or of a branch
// holds a secret, and the kind of the first one. Names of things that are
// addressed by hashes or UUIDs hold none, and neither does a name that already
// has a mark.
//
// It costs about as much as a line of text. A name cannot be redacted without
// becoming another name, so callers refuse what it finds; see [Redactor.Path]
// for names that are only told.
func (r *Redactor) Name(path string) (kind string, found bool) {
	if f := r.find(path); len(f) > 0 {
		return f[0].Kind, true
	}
	for part := range strings.SplitSeq(path, "/") {
		stem, _ := cutEnding(part)
		for _, s := range []string{part, stem} {
			if f := r.find(s); len(f) > 0 {
				return f[0].Kind, true
			}
		}
	}
	return "", false
}

// Path returns a path with a mark in the place of each secret. Each part is a word
// of its own, which it may not be in a text: there, a slash can be a letter of
// what stands around it. Name finds nothing in the result.
func (r *Redactor) Path(path string) string {
	path, _ = r.Text(path)
	if _, found := r.Name(path); !found {
		return path
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		stem, ending := cutEnding(part)
		stem, _ = r.Text(stem)
		parts[i], _ = r.Text(stem + ending)
	}
	return strings.Join(parts, "/")
}

// cutEnding parts a file's name: an ending may hide where a value ends.
func cutEnding(name string) (stem, ending string) {
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		return name[:dot], name[dot:]
	}
	return name, ""
}
