package profile

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/templates"
)

// pattern is a way to state something about oneself.
type pattern struct {
	kind     string // a path, or a kind defined at the head of the list of patterns
	strength int    // if patterns contradict each other about a value, the lowest wins
	words    []string
	own      bool // it begins with the writer: I, I'm
	name     bool // it contains a known name
	role     bool // it contains a word for a role
	re       func() *regexp.Regexp
}

// rules are the rules for parsing messages.
type rules struct {
	patterns []pattern
	tests    map[string]func() *regexp.Regexp
	same     map[string]string // usual forms of words
	roles    []string          // words for roles of people
}

var ruleTable = [...]func() rules{sync.OnceValue(func() rules {
	return readRules(templates.Profile("cues") + templates.Profile("patterns"))
})}

// found is a change with its position and strength.
type found struct {
	Change
	at       [3]int // sentence, byte and index among the changes there
	strength int
}

// Extract returns the statements in a message about its writer, in the order of the text, each once. It omits
// quotations, questions and suppositions. It also omits what applies only to the current task, except that it reports
// known names as mentioned.
func Extract(message string) []Change {
	r := extractRules()
	if len(r.near(message)) == 0 {
		return nil // fast path for most messages, without compiling the prose patterns
	}
	var all []found
	for n, s := range r.sentences(message) {
		for _, p := range r.near(s.text) {
			if p.kind != "standing" && p.kind != "habit" || r.re("durable").MatchString(message) {
				all = append(all, r.matches(s, p, n)...)
			}
		}
	}
	return strongest(all)
}

// near returns the patterns that may match a text, by the words in it: this is cheaper than compiling them.
func (r rules) near(text string) (near []pattern) {
	lower := " " + strings.ToLower(text) // search words that begin with a blank match at the start of a word
	own := slices.ContainsFunc(strings.FieldsFunc(lower, func(c rune) bool {
		return !unicode.IsLetter(c)
	}), func(w string) bool { return w == "i" || w == "im" || w == "ive" })
	holds := func(w string) bool { return strings.Contains(lower, w) }
	named, roled := sync.OnceValue(func() bool {
		return namesOne(lower)
	}), sync.OnceValue(func() bool { return slices.ContainsFunc(r.roles, holds) })
	for _, p := range r.patterns {
		if (own || !p.own) && slices.ContainsFunc(p.words, holds) && (!p.name || named()) && (!p.role || roled()) {
			near = append(near, p)
		}
	}
	return near
}

// extractRules returns the rules of [Extract].
func extractRules() rules { return ruleTable[0]() }

// matches returns the changes that a pattern finds in the sentence with a number.
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
			c.Said = strings.Trim(strings.ReplaceAll(s.text[m[0]:m[1]], "¤", "…"), " ,;:.!–—-\n")
			all = append(all, found{c, [3]int{number, at, i}, p.strength})
		}
	}
	return all
}

// counts reports whether a match of a pattern is about the present, is meant permanently and is about the writer.
func (r rules) counts(s sentence, p pattern, from, value int) bool {
	end := len(s.text)
	if at := r.re("clause").FindStringIndex(s.text[value:]); at != nil {
		end = value + at[0]
	}
	before, clause := s.text[:from], s.text[:end]
	order := p.kind == pathTone || p.kind == pathLanguage
	switch {
	case r.re("sarcasm").MatchString(s.text), r.re("supposed").MatchString(before):
		return false
	case s.question && !order && (end == len(s.text) || r.re("asks").MatchString(s.text)):
		return false
	case p.strength > 0 && r.re("past").MatchString(clause):
		return false
	}
	return strings.HasPrefix(p.kind, "work.") || p.kind == "mention" || r.re("durable").MatchString(s.text) ||
		!r.re("oneoff").MatchString(clause)
}

// strongest sorts changes by position. Of contradicting changes of one value it keeps that of the strongest pattern.
func strongest(all []found) []Change {
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.strength, b.strength) })
	var kept []found
	for _, f := range all {
		key := Key(f.Value)
		if key != "" && !slices.ContainsFunc(kept, func(k found) bool {
			return Key(k.Value) == key || f.Path == pathStyle && k.strength < f.strength && slices.Equal(k.at[:2], f.at[:2])
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

// readRules parses the lists of cues and patterns; the head of each list documents its format.
func readRules(list string) rules {
	r := rules{tests: map[string]func() *regexp.Regexp{}, same: map[string]string{}}
	var macros []string
	strength := 0
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		what, rest, _ := strings.Cut(line, " ")
		name, expr, _ := strings.Cut(rest, " = ")
		switch what {
		case "", "#":
		case "==":
			strength = slices.Index([]string{"negation", "comparison", "statement", "mention"},
				rest[strings.LastIndexByte(rest, ' ')+1:])
		case "words":
			macros = append(macros, "{"+name+"}", alternatives(expr, r.same))
			if name == "role" {
				r.roles = strings.Split(expr, ", ")
			}
		case "let":
			macros = append(macros, "{"+name+"}", strings.NewReplacer(macros...).Replace(expr))
		case "test":
			r.tests[name] = lazily(expr, macros)
		default:
			words, expr, _ := strings.Cut(rest, "]: ")
			r.patterns = append(r.patterns, pattern{
				kind: what, strength: strength, words: strings.Split(words[1:], "|"), own: strings.HasPrefix(expr, "{I}") ||
					strings.HasPrefix(expr, "{Im}"),
				name: slices.Contains([]string{"use", "habit", "weak", "setup", "mention"}, what),
				role: strings.Contains(expr, "{role}"), re: lazily(expr, macros),
			})
		}
	}
	return r
}

// lazily returns a function that compiles an expression at first use.
func lazily(expr string, macros []string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?i)" + strings.NewReplacer(macros...).Replace(expr))
	})
}

// alternatives returns words as a regular expression, and adds their usual forms to same.
func alternatives(words string, same map[string]string) string {
	var all []string
	for w := range strings.SplitSeq(words, ", ") {
		word, usual, _ := strings.Cut(w, " = ")
		same[word] = cmp.Or(usual, same[word])
		expr := regexp.QuoteMeta(word)
		if word[0] < utf8.RuneSelf {
			expr = `\b` + expr
		}
		if word[len(word)-1] < utf8.RuneSelf {
			expr += `\b`
		}
		all = append(all, expr)
	}
	return "(?:" + strings.Join(all, "|") + ")"
}
