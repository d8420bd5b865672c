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
	kind     string // a path, or what the head of the list of patterns names
	strength int    // of patterns that say opposite things of one value the lowest wins
	words    []string
	re       func() *regexp.Regexp
}

// rules are what messages are read with.
type rules struct {
	patterns []pattern
	tests    map[string]func() *regexp.Regexp
	same     map[string]string // usual forms of words
}

var (
	rulesOnce sync.Once
	ruleTable [1]rules
)

// found is a change with where it is said and how strongly.
type found struct {
	Change
	at       [3]int // sentence, byte and number among the changes said there
	strength int
}

// Extract finds what a message says about the person who wrote it, in the order of the
// text, each once. It leaves out what is quoted, asked or supposed, and what holds for
// the task at hand only.
func Extract(message string) []Change {
	rulesOnce.Do(func() { ruleTable[0] = readRules(templates.ProfilePatterns(), templates.ProfileCues()) })
	r := ruleTable[0]
	var all []found
	sentences := r.sentences(message)
	for n, s := range sentences {
		lower := strings.ToLower(s.text)
		for _, p := range r.patterns {
			if slices.ContainsFunc(p.words, func(w string) bool { return strings.Contains(lower, w) }) &&
				(p.kind != "standing" && p.kind != "habit" || r.standing(sentences)) {
				all = append(all, r.matches(s, p, n)...)
			}
		}
	}
	return strongest(all)
}

// standing reports whether a message says that what it wants is wanted for good.
func (r rules) standing(all []sentence) bool {
	return slices.ContainsFunc(all, func(s sentence) bool { return r.re("durable").MatchString(s.text) })
}

// matches are the changes that a pattern finds in the sentence of that number.
func (r rules) matches(s sentence, p pattern, number int) []found {
	var all []found
	re := p.re()
	for _, m := range re.FindAllStringSubmatchIndex(s.text, -1) {
		groups, at := map[string]string{}, m[1]
		for i, name := range re.SubexpNames() {
			if name != "" && m[2*i] >= 0 {
				groups[name] = s.text[m[2*i]:m[2*i+1]]
				at = min(at, m[2*i])
			}
		}
		if !r.counts(s, p, m[0], at) {
			continue
		}
		for i, c := range r.resolve(p.kind, groups) {
			all = append(all, found{c, [3]int{number, at, i}, p.strength})
		}
	}
	return all
}

// counts reports whether what a pattern matched is said of now, for good and of the writer.
func (r rules) counts(s sentence, p pattern, from, value int) bool {
	end := len(s.text)
	if at := r.re("clause").FindStringIndex(s.text[value:]); at != nil {
		end = value + at[0]
	}
	before, clause := s.text[:from], s.text[:end]
	order := p.kind == "codePreferences.tone" || p.kind == "codePreferences.language"
	switch {
	case r.re("sarcasm").MatchString(s.text), r.re("supposed").MatchString(before):
		return false
	case s.question && !order && (end == len(s.text) || r.re("asks").MatchString(s.text)):
		return false
	case p.strength > 0 && r.re("past").MatchString(clause):
		return false
	}
	return strings.HasPrefix(p.kind, "work.") || r.re("durable").MatchString(s.text) || !r.re("oneoff").MatchString(clause)
}

// strongest orders changes as they are said. Of those about one value it keeps what the
// strongest pattern says.
func strongest(all []found) []Change {
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.strength, b.strength) })
	var kept []found
	for _, f := range all {
		key := Key(f.Value)
		if key != "" && !slices.ContainsFunc(kept, func(k found) bool {
			return Key(k.Value) == key || f.Path == style && k.strength < f.strength && slices.Equal(k.at[:2], f.at[:2])
		}) {
			kept = append(kept, f)
		}
	}
	slices.SortStableFunc(kept, func(a, b found) int { return slices.Compare(a.at[:], b.at[:]) })
	var changes []Change
	for _, f := range kept {
		changes = append(changes, f.Change)
	}
	return changes
}

// readRules reads the patterns, whose head says how a line is read, and the words that
// they name in braces.
func readRules(list string, cues map[string][]string) rules {
	r := rules{tests: map[string]func() *regexp.Regexp{}, same: map[string]string{}}
	var macros []string
	for name, words := range cues {
		macros = append(macros, "{"+name+"}", "(?:"+alternatives(words, r.same)+")")
	}
	strength := 0
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		name, expr, isTest := strings.Cut(line, " = ")
		expr = strings.NewReplacer(macros...).Replace(expr)
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "== "):
			strength = slices.Index([]string{"negation", "comparison", "statement"}, line[strings.LastIndexByte(line, ' ')+1:])
		case isTest && strings.HasPrefix(line, "let "):
			macros = append(macros, "{"+name[len("let "):]+"}", expr)
		case isTest && strings.HasPrefix(line, "test "):
			r.tests[name[len("test "):]] = lazily(expr)
		default:
			head, expr, _ := strings.Cut(line, "]: ")
			kind, words, _ := strings.Cut(head, " [")
			r.patterns = append(r.patterns, pattern{kind, strength, strings.Split(words, "|"), lazily(strings.NewReplacer(macros...).Replace(expr))})
		}
	}
	return r
}

// lazily compiles an expression when it is first needed.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?i)" + expr) })
}

// alternatives are words as an expression; a = b notes that b is the usual form of a.
func alternatives(words []string, same map[string]string) string {
	var all []string
	for _, w := range words {
		word, usual, ok := strings.Cut(w, " = ")
		if ok {
			same[word] = usual
		}
		expr := regexp.QuoteMeta(word)
		if word[0] < 0x80 {
			expr = `\b` + expr
		}
		if word[len(word)-1] < 0x80 {
			expr += `\b`
		}
		all = append(all, expr)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return strings.Join(all, "|")
}
