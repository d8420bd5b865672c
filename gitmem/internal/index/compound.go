package index

import "strings"

// connector parses what joins two words at i, if a word follows directly: one of . / - @, underscores, one or two
// backslashes, or the # of an issue after the name of its repository.
func connector(text string, i int) (joint byte, next int, ok bool) {
	if i >= len(text) {
		return 0, i, false
	}
	joint = text[i]
	switch joint {
	case '_':
		for i < len(text) && text[i] == '_' {
			i++
		}
	case '.', '/', '-', '@':
		i++
	case '\\':
		if i++; i < len(text) && text[i] == '\\' {
			i++
		}
		joint = '/'
	case '#':
		return joint, i + 1, isNumber(text[i+1:])
	default:
		return 0, i, false
	}
	if i >= len(text) {
		return 0, i, false
	}
	r, _ := runeAt(text, i)
	return joint, i, isWordRune(r) && !isDense(r)
}

// isNumber reports whether a text begins with a complete number.
func isNumber(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	if rest == "" || rest == text {
		return rest != text
	}
	r, _ := runeAt(rest, 0)
	return !isWordRune(r)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// rank orders connectors by how loosely they join, from 1.
func rank(joint byte) int {
	switch joint {
	case '_', '-':
		return 1
	case '.':
		return 2
	case '/':
		return 3
	}
	return 4
}

// dropVersionMarks removes the v from versions: v1.2.3 becomes 1.2.3.
func (a *analyzer) dropVersionMarks(text string) {
	for k := range len(a.parts) - 1 {
		p, next := a.parts[k], a.parts[k+1]
		if p.joint == '.' || next.joint != '.' || !isDigit(text[next.start]) || p.end-p.start < 2 ||
			text[p.start]|0x20 != 'v' {
			continue
		}
		if strings.Trim(text[p.start+1:p.end], "0123456789") == "" {
			a.parts[k].start++
		}
	}
}

// group emits the words [lo, hi) of a compound: the whole if it is a term, then the parts between its loosest
// connectors, recursively. A path is not a term: most paths occur once, and their names find them as well.
func (a *analyzer) group(text string, lo, hi int, emit emitFunc) {
	if hi-lo == 1 {
		a.emitLast(text, a.parts[lo], hi == len(a.parts), emit)
		return
	}
	top := 0
	for _, p := range a.parts[lo+1 : hi] {
		top = max(top, rank(p.joint))
	}
	if top == 2 || top == 1 && a.isWhole(text, lo, hi) {
		a.emitWhole(text, lo, hi, top, emit)
	}
	for from := lo; from < hi; {
		to := from + 1
		for to < hi && rank(a.parts[to].joint) < top {
			to++
		}
		if from > lo && a.parts[from].joint == '#' {
			a.emitSigil(text, '#', from, emit)
		}
		a.group(text, from, to, emit)
		from = to
	}
}

// isWhole reports whether words joined by underscores and hyphens are a separate term. Two words with a hyphen, as in
// left-leaning, are a term in documents, but in a question only if they contain a digit, as in ABC-12.
func (a *analyzer) isWhole(text string, lo, hi int) bool {
	if !a.query || hi-lo > 2 || a.parts[lo+1].joint == '_' {
		return true
	}
	for i := a.parts[lo].start; i < a.parts[hi-1].end; i++ {
		if isDigit(text[i]) {
			return true
		}
	}
	return false
}

// whole writes the term of several words to a.word. It drops underscores and hyphens, since the same name is written
// with either, or in camelCase.
func (a *analyzer) whole(text string, lo, hi int) {
	for k, p := range a.parts[lo:hi] {
		if k > 0 && p.joint != '_' && p.joint != '-' {
			a.word = append(a.word, p.joint)
		}
		end := min(p.end, p.start+8*maxTerm) // see emitStemmed
		if a.word = fold(a.word, text[p.start:end]); len(a.word) > maxTerm {
			break
		}
	}
	a.word = cut(a.word)
}

func (a *analyzer) emitWhole(text string, lo, hi, top int, emit emitFunc) {
	a.word = a.word[:0]
	a.whole(text, lo, hi)
	if len(a.word) == 0 {
		return
	}
	term := a.word
	if top == 1 {
		term = a.stemmed(a.word)
	}
	emit(term, a.word, a.parts[lo].start, a.parts[hi-1].end)
}

// emitSigil emits a sigil with the words from lo up to a connector that is looser than those in file names.
func (a *analyzer) emitSigil(text string, sigil byte, lo int, emit emitFunc) {
	hi := lo + 1
	for hi < len(a.parts) && rank(a.parts[hi].joint) <= 2 {
		hi++
	}
	a.word = append(a.word[:0], sigil)
	a.whole(text, lo, hi)
	if len(a.word) > 1 {
		emit(a.word, a.word, a.parts[lo].start-1, a.parts[hi-1].end)
	}
}

// emitLast emits one word of a compound. last means that no connector follows, so the following characters may belong
// to the word.
func (a *analyzer) emitLast(text string, p span, last bool, emit emitFunc) {
	if last {
		a.emitSuffixed(text, p, emit)
	}
	if last && len(a.parts) == 1 && isCommit(text[p.start:p.end]) {
		a.emitStemmed(text, p.start, p.end, emit)
		a.word = fold(a.word[:0], text[p.start:p.start+shortCommit])
		emit(a.word, a.word, p.start, p.start+shortCommit)
		return
	}
	a.emitWord(text, p.start, p.end, emit)
}

// emitSuffixed emits names of languages that end in symbols: C++, C#.
func (a *analyzer) emitSuffixed(text string, p span, emit emitFunc) {
	if p.end == len(text) || p.end-p.start > 12 || !isASCIILetter(text[p.start]) {
		return
	}
	n := 0
	switch rest := text[p.end:]; {
	case len(rest) > 1 && rest[0] == '+' && rest[1] == '+' &&
		(len(rest) == 2 || rest[2] != '+' && !isASCIILetter(rest[2])):
		n = 2
	case rest[0] == '#' && p.end-p.start == 1 && (len(rest) == 1 || !isASCIIWord(rest[1])):
		n = 1
	default:
		return
	}
	a.word = append(fold(a.word[:0], text[p.start:p.end]), text[p.end:p.end+n]...)
	emit(a.word, a.word, p.start, p.end+n)
}

// shortCommit is the usual length of abbreviated commit ids.
const shortCommit = 7

// isCommit reports whether a word is a commit id or a prefix of one: more than shortCommit and up to 40 hexadecimal
// digits, with both letters and digits.
func isCommit(s string) bool {
	if len(s) <= shortCommit || len(s) > 40 {
		return false
	}
	letters, figures := false, false
	for i := range len(s) {
		switch b := s[i] | 0x20; {
		case isDigit(s[i]):
			figures = true
		case 'a' <= b && b <= 'f':
			letters = true
		default:
			return false
		}
	}
	return letters && figures
}
