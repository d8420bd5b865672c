package ask

import (
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/templates"
)

// name is a word of a question that identifies one thing: an identifier, a path, a version, a quoted phrase or a proper
// noun.
type name struct {
	text string // as written, without the marks around it
	term string // analysed; for an identifier or a path, the term of the whole
}

// namesIn returns the names in a question. Capitals mark names only if capitals is set: German capitalises all nouns,
// and headings all words.
func namesIn(words []string, capitals bool) (out []name) {
	for i, w := range words {
		bare := trimMarks(w)
		if bare == "" || !isName(bare, capitals && i > 0 && !endsSentence(words[i-1])) {
			continue
		}
		if terms := index.QueryTerms(bare); len(terms) > 0 {
			out = append(out, name{bare, terms[0]})
		}
	}
	return out
}

// NamesIn returns the names in a sentence. It includes the first word and lowercase words if they are not English.
func NamesIn(sentence string) (names []string) {
	words := strings.Fields(sentence)
	for _, n := range namesIn(words, true) {
		names = append(names, n.text)
	}
	for i, word := range words {
		bare := trimMarks(word)
		small := len(bare) >= leastName && strings.Trim(bare, "abcdefghijklmnopqrstuvwxyz") == ""
		terms := index.QueryTerms(bare)
		mayName := small || i == 0 && bare != "" && isName(bare, true)
		if mayName && len(terms) == 1 && !index.IsStopword(bare) && !isEnglish(terms[0]) {
			names = append(names, bare)
		}
	}
	return names
}

// trimMarks removes punctuation around a word and a possessive ending.
func trimMarks(w string) string {
	bare := strings.Trim(w, `?!.,;:"'()[]`+"`“”‘’„«»")
	return strings.TrimSuffix(strings.TrimSuffix(bare, "'s"), "’s")
}

func endsSentence(w string) bool { return strings.ContainsAny(w[len(w)-1:], ".?!:") }

var (
	quantityOrPair = lazy.Pattern(`^([0-9]+[a-zA-Z%]{1,2}|[a-z]+/[a-z]+)$`)
	innerCapital   = lazy.Pattern(`[a-z][A-Z]`)
)

// isName reports whether a word has the form of a name: inner marks or digits, an inner capital, or an initial capital
// if capital is set.
func isName(w string, capital bool) bool {
	if strings.ContainsAny(w, "/0123456789") && quantityOrPair().MatchString(w) {
		return false // a quantity, or alternatives such as and/or
	}
	// as removeItem and GraphQL
	if strings.ContainsAny(w, "_/\\0123456789") || strings.HasPrefix(w, "--") || strings.Contains(w[1:], ".") ||
		innerCapital().MatchString(w) {
		return true
	}
	upper := func(b byte) bool { return b >= 'A' && b <= 'Z' }
	return capital && len(w) > 1 && upper(w[0])
}

// capitalsTell reports whether capitals in a text mark names. They do not if most words have them, as in headings and
// in German.
func capitalsTell(words []string) bool {
	n := 0
	for _, w := range words {
		if w = trimMarks(w); w != "" && w[0] >= 'A' && w[0] <= 'Z' {
			n++
		}
	}
	return 2*n <= len(words)
}

// isOneOf reports whether a list of words, each surrounded by blanks, contains a word.
func isOneOf(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

// plainWords returns the words of a text in lower case.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || strings.ContainsRune(`?!,;:"()`, r)
	})
}

// lowIDF is the factor for the inverse document frequency of terms that name nothing in a project.
const lowIDF = 0.25

// lowIDFTerms returns the stems of everyday words that shape a question but name nothing in a project. A source need
// not contain them. It excludes words that may be the subject of a project (file, test, run, error …) and verbs of
// change.
func lowIDFTerms() map[string]bool { return index.TermSet(lowIDFWords) }

const lowIDFWords = `
	able about above across actual afterwards ahead allow almost alone along already also alternatively although always
	another anybody anyone anything anyway anywhere apart around ask aside available away
	back bad basically become before begin behind being belong below beside better beyond big both bring
	call came can care cause certain certainly clearly come common completely consider could course current currently
	day deal decide definitely depend different difficult directly easy effectively either else enough entire especially
	even eventually ever every everybody everyone everything everywhere exact exactly except expect extra
	far few final finally find first follow former forward found frequently front full further
	general generally get give given go good great
	half happen happy hard hardly have help hence hold hope however huge
	idea immediately important indeed inside instead interest
	just keep kind know large last late later latter least leave left less let like likely little long longer look lot
	made main mainly make many matter maybe mean meant mention might mind more most mostly much must
	name namely near nearest nearly necessary need neither never nevertheless new newly next nobody none nor normal
	normally
	nothing now nowhere number
	obvious obviously offer often okay old older one only onto open opposite order ordinary other otherwise
	ought outside overall own
	part particular particularly people perhaps person pick place plain please point possible possibly
	prefer present press previous previously probably problem properly purpose put
	question quick quickly quite rather ready real really reason recent recently regard related relevant
	remain respective rest result right
	same say second see seem self sense separate several shall should show side similar simple
	simply since single small somebody someone something sometimes somewhere soon sort special specific start still stop
	straight
	stuff such sudden suddenly suppose sure
	take talk tell tend thank than then thereby therefore thing think third though thought
	together too total totally toward tried true truly try turn twice two
	unless until upon use usual usually
	various want way well went whatever whenever where whereas whether which while whoever
	whole why wide will within without word work world worse worth would wrong yet
	three four five six seven eight nine ten dozen week month year`

// unfamiliar returns the lowercase words that are neither English nor similar to any indexed term: people also write
// product names this way. It returns none for questions in other languages.
func (e *Engine) unfamiliar(ctx context.Context, q Question, w *weigher) (out []name) {
	sure := false
	for _, word := range q.Words {
		bare := trimMarks(word)
		all := index.Terms(bare)
		if len(bare) < leastName || strings.Trim(bare, "abcdefghijklmnopqrstuvwxyz") != "" || len(all) != 1 ||
			!slices.Contains(w.terms, all[0]) || w.heldBy[all[0]] > 0 || isEnglish(all[0]) {
			continue
		}
		if sure = sure || q.script == none && inEnglish(q.Text); !sure || len(out) == mostUnfamiliar {
			return out
		}
		if !e.Vocabulary.HasNear(ctx, all[0]) {
			out = append(out, name{bare, all[0]})
		}
	}
	return out
}

// mostUnfamiliar limits these words: more do not change the answer.
const mostUnfamiliar = 3

// leastName is the minimum length of a name; shorter words may be abbreviations.
const leastName = 4

// inEnglish reports whether most words of a text are English.
func inEnglish(text string) bool {
	words, known := plainWords(text), 0
	for _, w := range words {
		if terms := index.Terms(w); index.IsStopword(w) || len(terms) == 1 && isEnglish(terms[0]) {
			known++
		}
	}
	return 3*known >= 2*len(words)
}

// isEnglish reports whether a term is the stem of a common English word.
func isEnglish(term string) bool {
	const same = 3 // length of the common prefix of a word and its stem
	list := templates.English()
	prefix := "\n" + term[:min(same, len(term))]
	at := strings.Index(list, prefix)
	if at < 0 {
		return false
	}
	for word := range strings.Lines(list[at+1:]) {
		if !strings.HasPrefix(word, prefix[1:]) {
			return false
		}
		if stem := index.Terms(word); len(stem) == 1 && stem[0] == term {
			return true
		}
	}
	return false
}
