package transcript

import (
	"slices"
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
// sentence is still in the transcript, a wrong one stays in the archive for
// good. Cues are matched as whole words in lower case, outside code spans.
//
// The order decides where several apply: "we chose A because B was too slow"
// is a decision with its reason, and only what is no decision is a failure.
func cues() []cueList {
	return []cueList{
		// Words of choosing, in the past or as an agreed plan, by somebody: see chosen.
		{decision, []string{"decided", "chose", "went with", "settled on", "opted for", "opted to", "going with", "go with", "switched to", "agreed on", "we agreed to",
			"we ll use", "i ll use", "we will use", "made the decision to", "was chosen because", "was chosen over", "were chosen because"}},
		// What was tried and did not lead anywhere.
		{failed, []string{"did not work", "didn t work", "does not work", "doesn t work", "not working", "failed because", "fails because", "too slow", "too large", "gave up", "dead end", "abandoned", "reverted", "rolled back", "no luck", "had no effect", "did not help", "didn t help",
			"made it worse", "made things worse", "made no difference", "so i dropped it", "so we dropped it"}},
		// What somebody knows now and did not before.
		{lesson, []string{"lesson", "lessons", "i learned", "we learned", "learned that", "learnt that", "turns out", "turned out", "next time", "note to self", "gotcha", "the trick is", "the catch is", "keep in mind", "be aware that", "in hindsight"}},
		// Faults by name, or with their cause.
		{bug, []string{"bug", "bugs", "root cause", "caused by", "the cause was", "the cause is", "regression", "race condition", "off by one", "memory leak", "deadlock", "crashes when", "crashed when", "segfault"}},
		// What is left.
		{todo, []string{"todo", "still need to", "still needs", "still have to", "still missing", "still open", "remains to", "left to do", "follow up", "next step", "next steps", "don t forget to", "not yet implemented", "not yet tested", "later we", "needs to be done",
			"does not work yet", "doesn t work yet", "not working yet"}},
	}
}

// classifySentence returns the category of a sentence by the cues; user says that it
// is from a prompt. What a user writes is a wish until somebody acts on it,
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
	if !user && hasPrefix(sentence, "Decision:", "Agreed, we") {
		return decision
	}
	if count < 3 {
		return none
	}
	if listHead(words, sentence) && strings.HasSuffix(sentence, ":") {
		return none // its items say what
	}
	if listHead(words, sentence) {
		return todo
	}
	for _, list := range cues {
		if user && (list.category == decision || list.category == failed || list.category == lesson) {
			continue
		}
		for _, phrase := range list.phrases {
			at := strings.Index(words, " "+phrase+" ")
			if at >= 0 && !negated(words[:at]) && meant(list.category, phrase, words[:at], words[at+len(phrase)+1:]) {
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

// negated reports whether a no is right before a cue: "there is no bug".
func negated(before string) bool {
	return hasSuffix(before, " no", " not", " not a", " never", " without", " any", " no other", " any other", " no more", " no further", " no such", " the word", " nothing")
}

// meant reports whether a cue says what its category is about, by the words before
// and behind it.
func meant(c category, phrase, before, behind string) bool {
	switch c {
	case decision:
		return chosen(phrase, before)
	case failed:
		return !hasSuffix(before, " would be", " could be", " might be", " may be", " would", " might", " could") && !strings.HasPrefix(behind, " yet ")
	}
	return true
}

// chosen reports whether the speakers are those who chose: by "I" or "we",
// at the beginning of a sentence, or without anybody where the word says so itself.
// What somebody else chose, or is only said to have chosen, is no decision.
func chosen(phrase, before string) bool {
	if strings.Contains(before, " said ") || strings.Contains(before, " says ") || strings.Contains(before, " no longer ") || strings.Contains(before, " if ") {
		return false
	}
	if hasPrefix(phrase, "we ", "i ", "was ", "were ", "made ") {
		return true
	}
	before = strings.TrimRight(before, " ")
	for _, adverb := range []string{" finally", " then", " therefore", " also", " both", " just", " instead", " now", " have", " ve", " re", " m", " am", " are", " ll", " will"} {
		before = strings.TrimSuffix(before, adverb)
	}
	return before == "" || hasSuffix(before, " i", " we", " it was", " and", " so", " team")
}

// listHead recognises the head of a list of what is left, such as "Remaining:".
func listHead(words, sentence string) bool {
	head, _, ok := strings.Cut(sentence, ":")
	if !ok || len(head) > 40 {
		return false
	}
	switch normal(head) {
	case "todo", "todos", "to do", "remaining", "remaining work", "still open", "still to do", "open items", "open points", "left to do", "next", "next step", "next steps", "follow up", "follow ups":
		return hasPrefix(words, " "+normal(head)+" ")
	}
	return false
}

func hasSuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(end string) bool { return strings.HasSuffix(s, end) })
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
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
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
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
