package transcript

import (
	"strings"
	"unicode"
)

// category is what a sentence is worth quoting for.
type category int

const (
	none category = iota
	question
	decision
	failed
	lesson
	bug
	todo
)

type cueList struct {
	category category
	phrases  []string
}

// cues returns the lists. A cue is a word or phrase that people use when they say a thing of a
// category, and seldom otherwise. The lists are short on purpose: a missed
// sentence is still in the transcript, a wrong one stands in the archive for
// good. Cues are matched as whole words in lower case, outside code spans.
//
// The order decides where several apply: "we chose A because B was too slow"
// is a decision with its reason, and only what is no decision is a failure.
func cues() []cueList {
	return []cueList{
		// Words of choosing, in the past or as an agreed plan.
		{decision, []string{"decided", "decision", "chose", "settled on", "opted for", "opted to", "going with", "we go with", "i go with", "switched to", "agreed on", "agreed to", "we ll use", "i ll use", "we will use"}},
		// What was tried and did not lead anywhere.
		{failed, []string{"did not work", "didn t work", "does not work", "doesn t work", "not working", "failed because", "fails because", "too slow", "too large", "gave up", "dead end", "abandoned", "reverted", "rolled back", "no luck", "had no effect", "did not help", "didn t help"}},
		// What somebody knows now and did not before.
		{lesson, []string{"lesson", "lessons", "learned", "learnt", "turns out", "turned out", "next time", "note to self", "gotcha", "the trick is", "the catch is", "keep in mind", "in hindsight"}},
		// Faults by name, or with their cause.
		{bug, []string{"bug", "bugs", "root cause", "caused by", "the cause was", "the cause is", "regression", "race condition", "off by one", "memory leak", "deadlock", "crashes when", "crashed when", "segfault"}},
		// What is left.
		{todo, []string{"todo", "still need to", "still needs", "still have to", "still missing", "still open", "remains to", "left to do", "follow up", "next step", "next steps", "don t forget to", "not yet implemented", "not yet tested", "later we", "needs to be done"}},
	}
}

// classifySentence returns the category of a sentence by the cues; user says that it
// stands in a prompt. What a user writes is a wish until somebody acts on it,
// so decisions, failures and lessons count only in the assistant's words.
func classifySentence(sentence string, user bool, cues []cueList) category {
	words := " " + normal(sentence) + " "
	count := strings.Count(words, " ") - 1
	if len(sentence) > maxSentence || hypothetical(words) {
		return none
	}
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？") {
		if count < 3 && isASCII(sentence) || courtesy(words) {
			return none
		}
		return question
	}
	if count < 3 {
		return none
	}
	for _, list := range cues {
		if user && (list.category == decision || list.category == failed || list.category == lesson) {
			continue
		}
		for _, phrase := range list.phrases {
			if at := strings.Index(words, " "+phrase+" "); at >= 0 && !negated(words[:at]) {
				return list.category
			}
		}
	}
	return none
}

// maxSentence is the length in bytes beyond which a text is a log or a list
// rather than a sentence.
const maxSentence = 600

// hypothetical recognises sentences that only announce or suppose.
func hypothetical(words string) bool {
	return hasPrefix(words, " if ", " let me ", " let s see ", " suppose ", " unless ", " whether ")
}

// courtesy recognises questions that ask for an action or for leave.
func courtesy(words string) bool {
	return hasPrefix(words, " can you ", " could you ", " would you ", " will you ", " please ", " shall i ", " should i ", " do you want ", " want me ", " may i ",
		" is there anything else ", " anything else ", " ready to ", " does that ", " does this look ", " how does that sound ", " sound good ")
}

// negated reports whether a no stands right before a cue: "there is no bug".
func negated(before string) bool {
	return strings.HasSuffix(before, " no") || strings.HasSuffix(before, " not a") || strings.HasSuffix(before, " without") || strings.HasSuffix(before, " any")
}

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// normal returns the words of a sentence in lower case with single blanks
// between them, without code spans.
func normal(s string) string {
	var b strings.Builder
	code := false
	for _, r := range s {
		if r == '`' {
			code = !code
		}
		if code || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// trivial reports whether a prompt says nothing worth remembering: greetings,
// thanks, consent.
func trivial(prompt string) bool {
	words := strings.Fields(normal(prompt))
	for _, w := range words {
		switch w {
		case "hi", "hello", "hey", "thanks", "thank", "you", "thx", "ok", "okay", "yes", "no", "y", "n", "test", "testing", "ping", "continue", "go", "on", "ahead",
			"good", "great", "cool", "nice", "bye", "exit", "quit", "please", "sure", "morning", "evening", "there", "claude", "done", "stop", "help", "again":
		default:
			return false
		}
	}
	return true
}
