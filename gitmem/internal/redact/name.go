package redact

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// Name reports whether a file's slash path or a branch's name contains a secret, and the kind of the first one. Names
// that consist of hashes or UUIDs contain none, and neither does a name that already has a mask.
//
// It costs about as much as a line of text. A redacted name is another name, so callers refuse names with secrets; see
// [Redactor.Path] for names that are only shown, and [Redactor.Distinct] for names that become paths.
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

// passwordInName returns the start of a password at the end of a file's name after a word for one, as in backup_pw_…; 0
// if there is none.
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

// Path returns a path with each secret masked. Each part is scanned as a separate text, because in running text a slash
// can be part of a value. Name finds nothing in the result.
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

// Distinct returns an external name in a form that may become part of a path: unchanged, or, if it contains a secret,
// the result of Path followed by three bytes of the name's hash. They distinguish such names, and are too few to
// recover a random secret. Distinct is idempotent.
func (r *Redactor) Distinct(name string) string {
	clean := r.Path(name)
	if clean == name {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s-%x", clean, sum[:3])
}

// cutEnding removes the extension of a file's name, which may hide the end of a value.
func cutEnding(name string) (stem, ending string) {
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		return name[:dot], name[dot:]
	}
	return name, ""
}
