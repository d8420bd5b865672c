package profile

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/templates"
)

// pattern is a way to say something about oneself.
type pattern struct {
	kind     string // a kind of paths, or one of those that resolve knows
	strength int    // of rules that say opposite things of one value the lowest wins
	words    []string
	re       func() *regexp.Regexp
}

// rules are what messages are read with.
type rules struct {
	cues     cues
	patterns []pattern
}

var (
	rulesOnce sync.Once
	ruleTable [1]rules
)

// found is a change with where it is said and how strongly.
type found struct {
	Change
	at, order, strength int
}

// Extract finds what a message says about the person who wrote it, in the order of the
// text, each once. It leaves out what is quoted, asked or supposed, and what holds for
// the task at hand only.
func Extract(message string) []Change {
	rulesOnce.Do(func() { ruleTable[0] = readRules(templates.ProfilePatterns(), templates.ProfileCues()) })
	r := ruleTable[0]
	var all []found
	for n, s := range sentences(message, r.cues) {
		if r.cues.has("sarcasm", s.lower) {
			continue
		}
		for _, p := range r.patterns {
			if slices.ContainsFunc(p.words, func(w string) bool { return strings.Contains(s.lower, w) }) {
				all = append(all, r.matches(s, p, n*(maxMessage+1))...)
			}
		}
	}
	return strongest(all)
}

// matches are the changes that a pattern finds in a sentence.
func (r rules) matches(s sentence, p pattern, offset int) []found {
	var all []found
	re := p.re()
	for _, m := range re.FindAllStringSubmatchIndex(s.text, -1) {
		if !r.counts(s, p, m[0], m[1]) {
			continue
		}
		groups := map[string]string{}
		at := m[0]
		for i, name := range re.SubexpNames() {
			if name != "" && m[2*i] >= 0 {
				groups[name] = s.text[m[2*i]:m[2*i+1]]
				at = m[2*i]
			}
		}
		for i, c := range r.cues.resolve(p.kind, groups, m[0] == 0) {
			all = append(all, found{c, offset + at, i, p.strength})
		}
	}
	return all
}

// counts reports whether what a pattern matched is said of now and of the writer.
func (r rules) counts(s sentence, p pattern, from, to int) bool {
	before, clause := s.lower[:from], s.lower[from:]
	rest := s.lower[to:]
	if end := strings.IndexAny(rest, ",;:()，；：（"); end >= 0 {
		clause, rest = s.lower[from:to+end], rest[end:]
	} else {
		rest = ""
	}
	if s.question && (rest == "" || slices.Contains(r.cues.lists["question"], firstWord(s.lower))) {
		return false
	}
	if r.cues.has("conditional", before) || p.strength > 0 && r.cues.has("past", before+clause) {
		return false
	}
	identity := p.kind == "role" || p.kind == "team" || p.kind == "location" || p.kind == "name"
	return identity || r.cues.has("durable", s.lower) || !r.cues.has("oneoff", before+clause)
}

// strongest orders changes as they are said. Of those about one value it keeps what the
// strongest pattern says.
func strongest(all []found) []Change {
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.strength, b.strength) })
	var kept []found
	for _, f := range all {
		key := Key(f.Value)
		if key != "" && !slices.ContainsFunc(kept, func(k found) bool { return Key(k.Value) == key }) {
			kept = append(kept, f)
		}
	}
	slices.SortStableFunc(kept, func(a, b found) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
	var changes []Change
	for _, f := range kept {
		changes = append(changes, f.Change)
	}
	return changes
}

// readRules reads the patterns; the head of their list says how a line is read.
func readRules(list string, lists map[string][]string) rules {
	c := cues{lists: lists}
	macros := c.macros()
	r := rules{cues: c}
	strength := 0
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		head, expr, ok := strings.Cut(line, ": ")
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "== "):
			strength = slices.Index([]string{"negation", "comparison", "statement"}, line[strings.LastIndexByte(line, ' ')+1:])
		case strings.HasPrefix(line, "let "):
			name, expr, _ := strings.Cut(line[len("let "):], " = ")
			macros = append(macros, "{"+name+"}", strings.NewReplacer(macros...).Replace(expr))
		case ok:
			kind, words, _ := strings.Cut(head, " ")
			r.patterns = append(r.patterns, pattern{kind: kind, strength: strength, words: strings.Split(strings.Trim(words, "[]"), "|"),
				re: sync.OnceValue(func() *regexp.Regexp {
					return regexp.MustCompile("(?i)" + strings.NewReplacer(macros...).Replace(expr))
				})})
		}
	}
	return r
}
