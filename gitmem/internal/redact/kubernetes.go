package redact

import "strings"

const (
	kindKubernetes = "kubernetes-secret"
	// maxManifest bounds how far from its data the kind of a manifest is
	// looked for, and how long the data are.
	maxManifest = 2 << 10
)

// matchKubernetes takes the values of the data of a manifest whose kind is
// Secret. The kind may stand before or after them.
func matchKubernetes(_ *Redactor, s string, at, floor int) (Finding, bool) {
	key := at
	if key-len("string") >= floor && hasPrefixFold(s[key-len("string"):], "string") {
		key -= len("string")
	}
	start := skipAny(s, at+len("data:"), " \r", 4)
	outer := len(s[skipBack(s, key, floor):key])
	if key-outer > floor && s[key-outer-1] != '\n' || start >= len(s) || s[start] != '\n' {
		return Finding{}, false
	}
	if near := s[max(floor, key-maxManifest):min(len(s), start+2*maxManifest)]; !strings.Contains(near, "ecret") {
		return Finding{}, false
	}
	first, end := manifestData(s, start, outer)
	if end == 0 || !secretManifest(s[max(floor, key-maxManifest):key], true) && !secretManifest(s[end:min(len(s), end+maxManifest)], false) {
		return Finding{}, false
	}
	return Finding{kindKubernetes, first, end}, true
}

// manifestData returns the bounds of the values on the indented lines after
// line, whose key is indented by outer: from the first value to the end of the
// last one. Values that are templates count for nothing.
func manifestData(s string, line, outer int) (first, end int) {
	limit := min(len(s), line+maxManifest)
	for line < limit {
		from := line + 1
		next := lineEnd(s, from)
		text := strings.TrimRight(s[from:max(from, next)], " \r")
		if len(text) <= outer || strings.Trim(text[:outer+1], " \t") != "" {
			break
		}
		if key, value, ok := strings.Cut(text, ": "); ok {
			if v := strings.Trim(value, `"' `); v != "" && !placeholder(v) {
				if first == 0 {
					first = from + len(key) + 2
				}
				end = from + len(text)
			}
		} else if first > 0 {
			end = from + len(text)
		}
		line = next
	}
	return first, end
}

// secretManifest reports whether a part of a manifest before or after its
// data says that its kind is Secret.
func secretManifest(s string, before bool) bool {
	if i := strings.LastIndex(s, "\n---"); before && i >= 0 {
		s = s[i:]
	}
	if i := strings.Index(s, "\n---"); !before && i >= 0 {
		s = s[:i]
	}
	for line := range strings.Lines(s) {
		kind, value, ok := strings.Cut(line, ":")
		if ok && strings.Trim(kind, " \"'") == "kind" && strings.EqualFold(strings.Trim(value, " \t\r\n\"'"), "secret") {
			return true
		}
	}
	return false
}

// skipBack returns the start of the blanks that end at at.
func skipBack(s string, at, floor int) int {
	floor = max(floor, at-maxName)
	for at > floor && (s[at-1] == ' ' || s[at-1] == '\t') {
		at--
	}
	return at
}
