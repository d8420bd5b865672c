package redact

import "strings"

const (
	kindKubernetes = "kubernetes-secret"
	// maxManifest limits the distance between the data of a manifest and its kind, and the length of the data.
	maxManifest = 2 << 10
)

// matchKubernetes matches the values of the data of a manifest whose kind is Secret. The kind may precede or follow
// them.
func matchKubernetes(_ *Redactor, s string, at, floor int) (Finding, bool) {
	key := at
	if key-len("string") >= floor && hasPrefixFold(s[key-len("string"):], "string") {
		key -= len("string")
	}
	start := skipAny(s, at+len("data:"), " \r", 4)
	line := s[max(floor, key-maxName):key]
	outer := len(line) - len(strings.TrimRight(line, " \t"))
	if key-outer > floor && s[key-outer-1] != '\n' || start >= len(s) || s[start] != '\n' {
		return Finding{}, false
	}
	if near := s[max(floor, key-maxManifest):min(len(s), start+2*maxManifest)]; !strings.Contains(near, "ecret") {
		return Finding{}, false
	}
	first, end := manifestValues(s, start, outer)
	if end == 0 || !secretManifest(s[max(floor, key-maxManifest):key], true) &&
		!secretManifest(s[end:min(len(s), end+maxManifest)], false) {
		return Finding{}, false
	}
	return Finding{kindKubernetes, first, end}, true
}

// manifestValues returns the bounds of the values on the indented lines after line, whose key
// is indented by outer: from the first value to the end of the last one. Templates are
// ignored.
func manifestValues(s string, line, outer int) (first, end int) {
	limit := min(len(s), line+maxManifest)
	for from, next := range indented(s, line, outer) {
		if from > limit {
			break
		}
		text := strings.TrimRight(s[from:next], " \r")
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
	}
	return first, end
}

// secretManifest reports whether the part of a manifest before or after its data has the
// kind Secret.
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
