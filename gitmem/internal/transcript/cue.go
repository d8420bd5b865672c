package transcript

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/markdown"
)

// kind is a mark of the archive with what a session's quotes get it for.
type kind struct {
	intent   string
	rank     int                                   // of several kinds whose cues a sentence has, the lowest wins; from 1, 0 for a row without cues
	inPrompt bool                                  // cues count in the user's words too
	cues     []string                              // see kinds; none where a quote gets the mark for something else
	meant    func(cue, before, behind string) bool // by the words around a cue, nil for always
}

// kinds are in the order of the archive. A cue is a word or phrase that people use when
// they say a thing of a kind, and seldom otherwise. The lists are short on purpose: a
// missed sentence is still in the transcript, a wrong one stays in the archive for good.
// Cues are matched as whole words in lower case, outside code spans.
//
// What a user writes is a wish until the assistant acts on it, so decisions, failures and
// lessons count only in the assistant's words.
//
// The rank decides where several apply: "we chose A because B was too slow" is a decision
// with its reason, and only what is no decision is a failure.
var kinds = [...]kind{
	{intent: markdown.IntentWork}, // prompts
	// Words of choosing, in the past or as an agreed plan: see chosen.
	{intent: markdown.IntentDecision, rank: 1, meant: chosen, cues: []string{"decided", "chose", "went with", "settled on", "opted for", "opted to", "going with", "go with", "switched to", "agreed on", "we agreed to",
		"we ll use", "i ll use", "we will use", "made the decision to", "was chosen because", "was chosen over", "were chosen because"}},
	// Faults by name, or with their cause.
	{intent: markdown.IntentBug, rank: 4, inPrompt: true, cues: []string{"bug", "bugs", "root cause", "caused by", "the cause was", "the cause is", "regression", "race condition", "off by one", "memory leak", "deadlock", "crashes when", "crashed when", "segfault"}},
	// What was tried and did not lead anywhere.
	{intent: markdown.IntentFailed, rank: 2, meant: tried, cues: []string{"did not work", "didn t work", "does not work", "doesn t work", "not working", "failed because", "fails because", "too slow", "too large", "gave up", "dead end", "abandoned", "reverted", "rolled back", "no luck", "had no effect", "did not help", "didn t help",
		"made it worse", "made things worse", "made no difference", "so i dropped it", "so we dropped it"}},
	// What is known now and was not before.
	{intent: markdown.IntentLesson, rank: 3, cues: []string{"lesson", "lessons", "i learned", "we learned", "learned that", "learnt that", "turns out", "turned out", "next time", "note to self", "gotcha", "the trick is", "the catch is", "keep in mind", "be aware that", "in hindsight"}},
	{intent: markdown.IntentQuestion}, // sentences with a question mark
	// What is left, and the items below a head such as "Next steps:".
	{intent: markdown.IntentTodo, rank: 5, inPrompt: true, cues: []string{"todo", "still need to", "still needs", "still have to", "still missing", "still open", "remains to", "left to do", "follow up", "next step", "next steps", "don t forget to", "not yet implemented", "not yet tested", "later we", "needs to be done",
		"does not work yet", "doesn t work yet", "not working yet"}},
	{intent: markdown.IntentNote}, // the client's summaries
}

// classify returns the mark that a sentence gets by the words in it, "" for none; words is
// normal of it, and prompt says that it is the user's.
func classify(sentence, words string, prompt bool) string {
	count := strings.Count(words, " ") + 1
	words = " " + words + " "
	if len(sentence) > maxSentence || hypothetical(words) {
		return ""
	}
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？") {
		if count < 3 && isASCII(sentence) || courtesy(words) {
			return ""
		}
		return markdown.IntentQuestion
	}
	if !prompt && hasPrefix(sentence, "Decision:", "Agreed, we") {
		return markdown.IntentDecision
	}
	if count < 3 {
		return ""
	}
	if listHead(sentence) {
		return markdown.IntentTodo
	}
	var best kind
	for _, k := range kinds {
		if (k.inPrompt || !prompt) && (best.rank == 0 || k.rank < best.rank) && k.in(words) {
			best = k
		}
	}
	return best.intent
}

// in reports whether the words of a sentence hold one of the cues.
func (k kind) in(words string) bool {
	return slices.ContainsFunc(k.cues, func(cue string) bool {
		at := strings.Index(words, " "+cue+" ")
		return at >= 0 && !negated(words[:at]) && (k.meant == nil || k.meant(cue, words[:at], words[at+len(cue)+1:]))
	})
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

// tried reports whether something was, rather than supposed or still to be done.
func tried(_, before, behind string) bool {
	return !hasSuffix(before, " would be", " could be", " might be", " may be", " would", " might", " could") && !strings.HasPrefix(behind, " yet ")
}

// chosen reports whether the speakers are those who chose: by "I" or "we",
// at the beginning of a sentence, or without anybody where the word says so itself.
// What somebody else chose, or is only said to have chosen, is no decision.
func chosen(cue, before, _ string) bool {
	if strings.Contains(before, " said ") || strings.Contains(before, " says ") || strings.Contains(before, " no longer ") || strings.Contains(before, " if ") {
		return false
	}
	if hasPrefix(cue, "we ", "i ", "was ", "were ", "made ") {
		return true
	}
	before = strings.TrimRight(before, " ")
	for _, adverb := range []string{" finally", " then", " therefore", " also", " both", " just", " instead", " now", " have", " ve", " re", " m", " am", " are", " ll", " will"} {
		before = strings.TrimSuffix(before, adverb)
	}
	return before == "" || hasSuffix(before, " i", " we", " it was", " and", " so", " team")
}

// listHead recognises the head of a list of what is left, such as "Remaining:".
func listHead(sentence string) bool {
	head, _, ok := strings.Cut(sentence, ":")
	return ok && len(head) <= 40 && slices.Contains([]string{
		"todo", "todos", "to do", "remaining", "remaining work", "still open", "still to do", "open items", "open points", "left to do", "next", "next step", "next steps", "follow up", "follow ups",
	}, normal(head))
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
