package profile

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// re returns a named test of the list of patterns.
func (r rules) re(name string) *regexp.Regexp { return r.tests[name]() }

func (r rules) replace(name, s, by string) string { return r.re(name).ReplaceAllString(s, by) }

// resolve returns the changes for a match of a pattern of a kind. Its groups are a and b for the chosen and the
// rejected value, l and m for lists of them, k for the kind of a, and words to put before or after a value.
func (r rules) resolve(kind string, g map[string]string) []Change {
	switch kind {
	case "use", "habit":
		return append(r.names(g["l"], false, false), r.names(g["m"], true, false)...)
	case "weak":
		return r.names(g["l"], false, true)
	case "setup":
		return slices.DeleteFunc(r.names(g["l"], false, false), func(c Change) bool {
			return !strings.HasPrefix(c.Path, "tools.")
		})
	case "mention":
		all := r.names(r.re("prep").Split(g["l"], 2)[0], false, false)
		for i := range all {
			all[i].Mentioned = true
		}
		return all
	case "drop":
		return r.dropped(g["m"])
	case "switch", "rival", "prefer":
		return r.compared(kind, g["a"], g["b"])
	case "slot":
		kind = r.same[strings.ToLower(g["k"])]
	case "standing":
		var all []Change
		for _, part := range r.re("and").Split(g["a"], -1) {
			all = append(all, r.resolve(cmp.Or(r.item(part).path, pathStyle), map[string]string{"a": part})...)
		}
		return all
	}
	value := g["a"] + g["b"]
	for name, v := range g {
		v = r.re("prep").Split(r.phrase(v), 2)[0]
		if word, ok := strings.CutPrefix(name, "before_"); ok {
			value = word + " " + v
		} else if word, ok := strings.CutPrefix(name, "behind_"); ok {
			value = v + " " + word
		}
	}
	if value = r.value(kind, value); value == "" {
		return nil
	}
	return []Change{{Remove: g["b"] != "", Path: kind, Value: value}}
}

// names returns the known names at the start of a list; strict omits ordinary words.
func (r rules) names(list string, remove, strict bool) []Change {
	var all []Change
	for _, part := range r.re("and").Split(list, -1) {
		k := r.item(part)
		if first, _ := utf8.DecodeRuneInString(strings.TrimSpace(part)); k.path == "" || strict && k.ordinary &&
			!unicode.IsUpper(first) {
			break
		}
		all = append(all, Change{Remove: remove, Path: k.path, Value: k.name})
	}
	return all
}

// dropped returns the removals of the items of a list. Unknown items are removed at any path.
func (r rules) dropped(list string) []Change {
	if all := r.names(list, true, false); all != nil {
		return all
	}
	if value := r.value(pathAvoid, list); value != "" && strings.Count(value, " ") < 3 {
		return []Change{{Remove: true, Value: value}}
	}
	return nil
}

// compared returns the changes for a comparison: two known names, which for kind rival must have the same path, or one
// known name and the other side, or two ways of doing something.
func (r rules) compared(kind, a, b string) []Change {
	ka, kb := r.item(a), r.item(b)
	if ka.path+kb.path == "" && kind != "prefer" || kind == "rival" && ka.path != kb.path {
		return nil
	}
	path := cmp.Or(ka.path, kb.path, pathStyle)
	var all []Change
	if ka.path != "" {
		all = r.names(a, false, false)
	} else if v := r.value(pathStyle, a); v != "" {
		all = []Change{{Path: path, Value: v}}
	}
	if kb.path == "" {
		kb = known{name: r.value(pathStyle, b), path: path}
	}
	if kb.name == "" && ka.path == "" || all == nil {
		return nil // not a comparison
	}
	if kb.name == "" {
		return all
	}
	return append(all, Change{Remove: true, Path: kb.path, Value: kb.name})
}

// value returns the value of a phrase at a path, "" if it can't be a value there.
func (r rules) value(path, s string) string {
	k := r.item(s)
	raw := strings.TrimSpace(s)
	only, restricted := r.tests["only "+path]
	never, some := r.tests["never "+path]
	switch {
	case path == pathTone || path == pathLanguage:
		s = raw
	case path == "work.location" && k.path != "":
		return ""
	case strings.HasPrefix(path, "work."):
		words := strings.Fields(r.re("prep").Split(r.phrase(s), 2)[0])
		for i, w := range words {
			words[i] = cmp.Or(r.same["role "+strings.ToLower(w)], w)
		}
		s = strings.Join(words, " ")
	case k.path != "":
		return k.name
	case some && never().MatchString(raw):
		return ""
	default:
		s = r.phrase(s)
	}
	if restricted && !only().MatchString(s) || some && never().MatchString(s) || r.re("long").MatchString(s) {
		return ""
	}
	return s
}

// item returns the known name in a phrase, alone or with its purpose, spelled as in the phrase.
func (r rules) item(s string) known {
	s = r.phrase(s)
	k := lookUp(s)
	if at := r.re("prep").FindStringIndex(s); k.path == "" && at != nil && !r.re("theirs").MatchString(s[at[1]:]) {
		s = s[:at[0]]
	}
	if k.path == "" {
		s = r.replace("version", s, "")
		k = lookUp(s)
	}
	if k.path != "" {
		k.name = strings.Join(strings.Fields(s), " ")
	}
	return k
}

// phrase returns the core of an object phrase: without reasons, articles and fillers.
func (r rules) phrase(s string) string {
	return r.replace("tail", r.replace("lead", r.replace("cut", s, ""), ""), "")
}
