package ask

import (
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// standingChecks is how many changes are looked at for one question about an end.
const standingChecks = 6

// endings are the verbs whose thing is not there behind them.
func endings() (words string) {
	for _, group := range events() {
		switch name, _, _ := strings.Cut(group, " "); name {
		case "remove", "replace", "rename":
			words += group + " "
		}
	}
	return words
}

// refuseStanding takes evidence for no telling of an end whose thing stands on in what the
// change left: what was removed there is something of it, or another. From then on only a
// change is taken that the thing is seen to go with. That one is about it, whatever its
// title says.
func (e *Engine) refuseStanding(ctx context.Context, q Question, w *weigher, found []evidence) {
	names := w.ended(q)
	if e.Left == nil || len(names) == 0 {
		return
	}
	stands := false
	for checks := 0; judge(found, q) != None; checks++ {
		best := &found[spokesman(found)]
		became := unknown
		if checks < standingChecks && strings.HasPrefix(best.src.ID, "git:commit:") {
			became = e.became(ctx, best.src.ID, names)
		}
		switch {
		case became == went:
			best.about = true
			return
		case became == unknown && !stands:
			return
		}
		best.told, stands = false, true
	}
}

// fate is what became of a name with a change.
type fate int

const (
	unknown fate = iota
	stood        // about as often there as before
	went         // less than half as often
)

// became tells what became of the things that are said to have ended with a change: one
// that went is enough, since the others may say where it stood.
func (e *Engine) became(ctx context.Context, id string, names []string) fate {
	out := unknown
	for _, name := range names {
		before, after, ok := e.Left(ctx, id, name)
		switch {
		case !ok || before == 0:
		case 2*after < before:
			return went
		default:
			out = stood
		}
	}
	return out
}

// ended are the names written as code is, or with a dash, whose end a question is about.
func (w *weigher) ended(q Question) (names []string) {
	ends := index.Terms(endings())
	if w.negated || !slices.ContainsFunc(ends, func(t string) bool { return w.asked[t] }) {
		return nil
	}
	words := strings.Fields(q.Text)
	for i, word := range words {
		bare := strings.Trim(word, `?!.,;:"'()`+"`")
		isName := len(exactNames([]string{word})) > 0 || strings.ContainsAny(strings.Trim(bare, "-"), "-/")
		if isName && strings.IndexFunc(bare, isLetter) >= 0 && w.isObject(words, i) {
			names = append(names, bare)
		}
	}
	return names
}

// isObject tells whether the word at i is what a verb is said of, and no word that says
// where, what for or of what.
func (w *weigher) isObject(words []string, i int) bool {
	at := i - 1
	for at >= 0 && determines(plainWord(words[at])) {
		at--
	}
	if at < 0 {
		return false
	}
	before := plainWord(words[at])
	if !passive(before) && !w.changes(before) && !slices.Contains([]string{"did", "do", "does", "has", "have", "had", "removing", "and"}, before) {
		return false
	}
	if i+1 == len(words) || strings.ContainsAny(words[i][len(words[i])-1:], "?.,;:") {
		return true
	}
	next := plainWord(words[i+1])
	return passive(next) || locates(next) || namesKind(next) || next != "lose" && next != "lost" && (w.changes(next) || goes(next)) || next == "and" || next == "go" || next == "as" || next == "for" || next == "to"
}

func determines(word string) bool {
	return slices.Contains([]string{"the", "a", "an", "our", "its", "their", "old", "whole", "all", "both"}, word)
}

// namesKind tells nouns that only say what sort of thing a name before them stands for.
func namesKind(word string) bool {
	const kinds = `function functions method methods flag option options switch setting settings variable constant type struct class interface package module library dependency
		command subcommand script program tool file folder directory field property attribute helper api endpoint plugin linter formatter rule middleware decorator header
		keyword argument parameter macro target workflow action config key`
	return slices.Contains(strings.Fields(kinds), word)
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
