package redact

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// Name reports whether a file's slash path or a branch's name holds a secret, and the kind
// of the first one. Names that consist of hashes or UUIDs hold none, and neither does a
// name that already has a mark.
//
// It costs about as much as a line of text. A name cannot be redacted without becoming
// another name, so callers refuse what it finds; see [Redactor.Path] for names that are
// only shown, and [Redactor.Distinct] for names that become paths.
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
		if from := r.passwordInName(stem); from > 0 {
			return kindPassword, true
		}
	}
	return "", false
}

// passwordInName returns where the password begins that ends a file's name behind a word
// for one, as in backup_pw_…; 0 if there is none.
func (r *Redactor) passwordInName(stem string) int {
	if r.index == nil {
		r = New()
	}
	for _, at := range r.index.candidates(stem) {
		for word, w := range r.index.secretWordsAt(stem, at) {
			end := at + len(word)
			head, tail := stem[:at], stem[end:]
			rest, _ := cutPassword(tail)
			v := strings.TrimLeft(rest, "-_= ")
			n := w.is
			n.text, n.term, n.end = strings.ToLower(word), word, end
			sign := v != rest || unspaced(word[0])
			if sign && w.judge(&n, head, stem[at:end], tail[:len(tail)-len(rest)]) && n.password && digits(v) > 1 && chosen(v) &&
				(!strings.ContainsAny(v, "-_ ") || strings.HasPrefix(rest, "=")) {
				return len(stem) - len(v)
			}
		}
	}
	return 0
}

// Path returns a path with a mark for each secret. Each part is read as a text of its own,
// because in running text a slash can be a character of the value around it. Name finds
// nothing in the result.
func (r *Redactor) Path(path string) string {
	path, _ = r.Text(path)
	if _, found := r.Name(path); !found {
		return path
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		stem, ending := cutEnding(part)
		if from := r.passwordInName(stem); from > 0 {
			stem = stem[:from] + mark(kindPassword)
		}
		stem, _ = r.Text(stem)
		parts[i], _ = r.Text(stem + ending)
	}
	return strings.Join(parts, "/")
}

// Distinct returns an external name as it may become a part of a path: unchanged, or where
// it holds a secret as Path returns it, with three bytes of the name's hash behind it. They
// keep two such names apart, and are too few to recover a random secret from. Distinct of
// its own result is that result.
func (r *Redactor) Distinct(name string) string {
	clean := r.Path(name)
	if clean == name {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s-%x", clean, sum[:3])
}

// cutEnding cuts the extension of a file's name, which may hide where a value ends.
func cutEnding(name string) (stem, ending string) {
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		return name[:dot], name[dot:]
	}
	return name, ""
}
