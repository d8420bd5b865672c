package promote

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/internal/lazy"
)

// Phrases that express a wish explicitly.
var (
	courtesy = lazy.Pattern(`(?i)\b((can|could|would) (we|you)|please|pls)\b`)
	unsure   = lazy.Pattern(`(?i)\b(open question|whether|not sure|i wonder|love|lovely|great|awesome|yay|pleasure)\b`)
	general  = lazy.Pattern(`(?i)\b(always|never|every|each|everywhere|whenever|from (now|here) on|must|mustn'?t|should` +
		`|banned|forbidden|convention|policy|belongs? (to|in)|goes in|agree that|(like|as) (in )?(the )?(elsewhere` +
		`|everywhere|others?|rest|same)|(in|for|of) all|all (our|the|new|of)|no \w+ without|we (really |all )?(do not` +
		`|don'?t|use|want|need|require|pin|prefer|do|keep|build|put|write)|our (convention|rule)|not want|do not` +
		`|don'?t (accept|merge)|not acceptable)\b`)
	asking = lazy.Pattern(`(?i)\b(please|pls|plz|use|prefer|avoid|instead|don'?t|no|not|needs?|needed|missing|can (we` +
		`|you)|could (we|you)|goes|rather)\b`)
	personal = lazy.Pattern(`(?i:\b(?:ask|ping|cc|talk to|check with|tell))\s(?:@\w|[A-Z]\w+)|(?i:\b(?:for me|answer me` +
		`|to me|i use|my (?:editor|shell|terminal|font|theme)|fwiw|\w+ team (?:always|never|uses?|has|have|does|do` +
		`|requires?|wants?)|other teams?|their team|they (?:do|use|have|require|want|need|always|never)|who needs` +
		`|what could (?:possibly )?go wrong|lol|haha|at my (?:old|last|previous))\b)`)
	dissent = lazy.Pattern(`(?i)\b(disagree|(don'?t|do not|not|can'?t) agree|not (so )?convinced|i don'?t think so` +
		`|no consensus|opinions\?|let'?s (talk|discuss|decide|vote)|take (it |that )?back|don'?t see (why|the point)` +
		`|(please|i'd|i would) (leave|keep) (it|them)|would prefer (no|not))\b`)
	moment = lazy.Pattern(`(?i)\b(until|till|for now|for the moment|temporar(?:y|ily)|today|tomorrow|tonight` +
		`|this (?:week|month|sprint|release)|(?:on|before|until|next) (?:mon|tues|wednes|thurs|fri)day|days to go` +
		`|we'?re in the middle of)\b`)
	secrets = lazy.Pattern(`(?i)\b(?:pin|pw|password|passphrase|credentials?|login)\b\W{0,3}(?:is\W+)?\w*\d{3,}` +
		`|\S*[a-z][!$%&]+\d`)
	takesBack = lazy.Pattern(`(?i)\b(back to|revert\w*|switched off|undo|give up|abandon\w*|allowed again|no longer` +
		`|any ?more)\b`)
	opening = lazy.Pattern(`(?i)^(from (now|here) on,? )?(never|always|use|prefer|avoid|no|do not|don'?t|every|each` +
		`|all|put|keep|write)\b`)
	// hereAndNow matches words about the location of a statement, or about the two people who talk there.
	hereAndNow = lazy.Pattern(`(?i)\b(i|i'm|me|my|this|here|again|these|those|that|you|your|lgtm|thx|thanks|nit|u|pls` +
		`|please|same|still|missing|too|also)\b|→|\p{So}`)
)

// forceOf returns the force that the words of a text claim.
func forceOf(text string) Force {
	if question, rest, ok := strings.Cut(text, "?"); ok {
		if courtesy().MatchString(question) {
			return max(Asks, forceOf(rest))
		}
		return forceOf(rest)
	}
	switch {
	case len(strings.Fields(text)) < 3 || unsure().MatchString(text):
		return Silent
	case general().MatchString(text):
		return Holds
	case asking().MatchString(text):
		return Asks
	}
	return Tells
}

// aside reports whether a text is about a person, personal taste, or what others do, is a joke, or contains a secret,
// and so can't be a rule.
func aside(text string, people map[string]bool) bool {
	if personal().MatchString(text) || moment().MatchString(text) || secrets().MatchString(text) {
		return true
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(words[min(1, len(words)):], func(w string) bool { return people[w] })
}

// peopleIn returns the first names of authors, as written, except those that somebody writes in lower case, like the
// name of a tool.
func peopleIn(all []Said) map[string]bool {
	out := map[string]bool{}
	for _, s := range all {
		name, _, _ := strings.Cut(s.Author, " ")
		if first, size := utf8.DecodeRuneInString(name); len(name) > 2 {
			out[string(unicode.ToUpper(first))+name[size:]] = true
		}
	}
	for _, s := range all {
		for w := range strings.FieldsFuncSeq(strings.Join(s.Sentences, " "), func(r rune) bool {
			return !unicode.IsLetter(r)
		}) {
			if first, size := utf8.DecodeRuneInString(w); unicode.IsLower(first) {
				delete(out, string(unicode.ToUpper(first))+w[size:])
			}
		}
	}
	return out
}

var likeBefore = lazy.Pattern(`(?i)^(as|like|same|we agreed)\b`)

// withoutAside returns a sentence without a last clause about its context.
func withoutAside(sentence string) string {
	at := strings.LastIndexAny(sentence, ",;")
	if at < 0 || len(strings.Fields(sentence[:at])) < 4 || forceOf(sentence[:at]) < forceOf(sentence) {
		return sentence
	}
	if last := strings.TrimSpace(sentence[at+1:]); hereAndNow().MatchString(last) || likeBefore().MatchString(last) {
		return sentence[:at]
	}
	return sentence
}

// isCue reports whether a word only expresses that something is wanted or done.
func isCue(word string) bool {
	return strings.Contains(" please pls plz always never must should use using used prefer avoid instead rather don't "+
		"dont need needs want let let's stop start make sure go keep everything everywhere every like "+
		"add adds change fix rename remove move handle check see get gets take put write we're it's that's can't doesn't "+
		"via also now new one still again thing things way code imo thanks thx nit ok done look looks good nice fine lgtm ",
		" "+word+" ")
}
