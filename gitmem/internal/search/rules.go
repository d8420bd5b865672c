package search

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/lazy"
)

// Features are the properties of a query for the rules of the ranking, parsed once.
type Features struct {
	ids     []string // of commits, sessions and citations, in lower case
	refs    []string // terms of #123 and ABC-1
	symbols []symbol
	paths   []string // in lower case
	words   []string // analysed terms
	recent  bool     // the query is about recent changes
	now     time.Time
}

// symbol is an identifier in a query: as written, and its whole term.
type symbol struct{ name, term string }

var issueRef = lazy.Pattern(`^(#\d+|[A-Z][A-Z0-9]+-\d+)$`)

// ReadFeatures parses the text of a query for the rules. now is the reference for recency.
func ReadFeatures(text string, now time.Time) Features {
	a := Features{now: now, words: index.QueryTerms(text)}
	ref := issueRef()
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, `"'`+"`"+`?!,;:()[]{}<>`)
		terms := index.Terms(word)
		switch {
		case len(terms) == 0:
		case isID(strings.ToLower(word)):
			a.ids = append(a.ids, strings.ToLower(word))
		case ref.MatchString(word):
			a.refs = append(a.refs, terms[0])
		case isPath(word):
			a.paths = append(a.paths, strings.ToLower(strings.Trim(word, "./")))
		case isSymbol(word):
			a.symbols = append(a.symbols, symbol{word, terms[0]})
		case isNow(strings.ToLower(word)):
			a.recent = true
		}
	}
	return a
}

// NamesRecords reports whether the query names commits, sessions, citations or tickets.
func (a Features) NamesRecords() bool { return len(a.ids)+len(a.refs) > 0 }

var fileExtension = lazy.Pattern(`^(go|py|js|ts|jsx|tsx|rs|c|h|cc|cpp|hpp|java|kt|rb|php|cs|swift|sh|md|txt|json` +
	`|ya?ml|toml|xml|html|css|sql|proto|mod|sum|lock|cfg|ini|env)$`)

// isPath reports whether a word is a path or file name: a slash between names, or an extension.
func isPath(word string) bool {
	dir, base, ok := strings.Cut(word, "/")
	if ok {
		return dir+base != "" && !strings.Contains(word, "://") &&
			(strings.Contains(base, "/") || strings.Contains(base, ".") || strings.HasPrefix(word, "/"))
	}
	dot := strings.LastIndexByte(word, '.')
	return dot > 0 && fileExtension().MatchString(word[dot+1:])
}

var symbolSign = lazy.Pattern(`[A-Za-z0-9]_+[A-Za-z0-9]|[a-z][A-Z]|[A-Za-z]{2}\.[A-Za-z]{2}`)

// isSymbol reports whether a word is an identifier: it has an underscore, an inner capital, or a dot between names of
// two letters or more, unlike e.g.
func isSymbol(word string) bool {
	return symbolSign().MatchString(word)
}

func isNow(word string) bool {
	return slices.Contains([]string{"recent", "recently", "latest", "newest", "lately", "last", "now", "currently",
		"today"}, word)
}

// verdict is a rule's result for a hit: a factor of its score, 1 for no change, and the reason as text. exact: the
// query names the hit.
type verdict struct {
	factor float64
	why    string
	exact  bool
}

func nothing() verdict { return verdict{factor: 1} }

// rowRules returns the rules that use the indexed properties of a document, but not its text.
func rowRules() []func(Features, Hit) verdict {
	return []func(Features, Hit) verdict{authority, lowerGenerated, reference, wholeSymbol, namedFile, recency}
}

// authority weights the source: team agreements before notes, notes before conversations, and those before the output
// of programs.
func authority(_ Features, h Hit) verdict {
	role, _, _ := strings.Cut(h.Doc.Role, " ")
	of := func(f float64, who string) verdict { return verdict{factor: f, why: who} }
	switch {
	case h.Doc.Layer == "rules":
		return of(1.15, "a rule")
	case role == "decision":
		return of(1.15, "a decision")
	case role == "observation":
		return of(0.8, "an observation")
	case h.Doc.Layer == "memory":
		return of(1.1, "memory")
	case h.Doc.Layer == "summaries", h.Doc.Layer == "team":
		return of(1.05, h.Doc.Layer)
	}
	switch h.Doc.Type {
	case "thinking":
		return of(0.85, "thinking")
	case "tool":
		return of(0.75, "a tool's use")
	case "result":
		return of(0.65, "a tool's result")
	}
	if role == "sidechain" {
		return of(0.95, "a subagent's turn")
	}
	return nothing()
}

// lowerGenerated lowers merges and generated documents, which contain nothing worth remembering.
func lowerGenerated(_ Features, h Hit) verdict {
	switch {
	case h.Doc.Layer != "team":
		return nothing()
	case h.Doc.Role == "merge":
		return verdict{factor: 0.8, why: "a merge"}
	case strings.Contains(h.Doc.Author, "[bot]"):
		return verdict{factor: 0.8, why: "by a bot"}
	}
	return nothing()
}

// reference prefers documents with a ticket or a pull request that the query names.
func reference(a Features, h Hit) verdict {
	for _, r := range a.refs {
		if slices.Contains(h.Matched, r) {
			return verdict{2, "names " + r, true}
		}
	}
	return nothing()
}

// wholeSymbol prefers documents with an identifier as a whole to those with its parts.
func wholeSymbol(a Features, h Hit) verdict {
	for _, s := range a.symbols {
		if slices.Contains(h.Matched, s.term) {
			return verdict{1.5, "holds " + s.name, true}
		}
	}
	return nothing()
}

// namedFile prefers documents about a file that the query names. The file in which a turn is recorded does not count.
func namedFile(a Features, h Hit) verdict {
	files := h.Doc.Paths
	if h.Doc.Layer != "transcripts" {
		files = append([]string{h.Doc.File}, files...)
	}
	for _, p := range a.paths {
		for _, f := range files {
			f = strings.ToLower(f)
			if f == p || strings.HasSuffix(f, "/"+p) || strings.Contains("/"+f, "/"+p+"/") {
				return verdict{2, "touches " + p, true}
			}
		}
	}
	return nothing()
}

// halfLife is the age at which the bonus for recency has halved.
const halfLife = 30 * 24 * time.Hour

// recency prefers recent documents, if the query is about them.
func recency(a Features, h Hit) verdict {
	if !a.recent || h.Doc.Time.IsZero() {
		return nothing()
	}
	age := max(0, a.now.Sub(h.Doc.Time))
	f := 1 + 0.5*math.Exp2(-float64(age)/float64(halfLife))
	if f < 1.005 {
		return nothing()
	}
	return verdict{factor: f, why: fmt.Sprintf("%d days old", int(age.Hours()/24))}
}

// Reciprocal ranks are closer together than scores: the tenth has 0.87 of the first. The cube root of a factor moves a
// hit about as far.
const ofRanks = 1.0 / 3

// apply applies rules to a hit.
func (h *Hit) apply(verdicts ...verdict) {
	for _, v := range verdicts {
		h.Exact = h.Exact || v.exact
		if v.factor != 1 {
			if h.ranked {
				v.factor = math.Pow(v.factor, ofRanks)
			}
			h.Fused *= v.factor
			h.Rules = append(h.Rules, fmt.Sprintf("%s × %.2f", v.why, v.factor))
		}
	}
	h.Fused = math.Round(h.Fused*1e9) / 1e9
}

// byRules sorts hits by their scores with the rules' factors, and keeps the first.
func byRules(a Features, hits []Hit, limit int) []Hit {
	rules := rowRules()
	for i := range hits {
		hits[i].Fused = hits[i].Score
		for _, rule := range rules {
			hits[i].apply(rule(a, hits[i]))
		}
	}
	slices.SortStableFunc(hits, byFused)
	return hits[:min(len(hits), limit)]
}

func byFused(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Fused, a.Fused), cmp.Compare(a.Doc.ID, b.Doc.ID))
}

// SourceText is the source of a hit.
type SourceText struct {
	Title, Text string
	// Confidence and Turn are set for ideas: the stated confidence, and the line of the session's transcript from which
	// the idea was taken; 0 if unstated.
	Confidence float64
	Turn       int
}

// Read is a hit with its source. N is for the caller.
type Read struct {
	Hit    Hit
	Source SourceText
	N      int
}

// Reread sorts hits by their sources: a matching heading, the definition of a symbol, an uncertain idea. Hits of a
// query without words keep their order.
func (a Features) Reread(hits []Read) {
	if len(a.words) == 0 {
		return
	}
	for i := range hits {
		s := hits[i].Source
		hits[i].Hit.apply(a.heading(s), a.definition(s), confidence(s))
	}
	slices.SortStableFunc(hits, func(x, y Read) int { return byFused(x.Hit, y.Hit) })
	keepExact(hits, func(r Read) Hit { return r.Hit })
}

// heading prefers a source whose title equals the query, or contains all of it.
func (a Features) heading(s SourceText) verdict {
	title := index.QueryTerms(s.Title)
	if len(a.words) == 0 || len(title) == 0 {
		return nothing()
	}
	for _, w := range a.words {
		if !slices.Contains(title, w) {
			return nothing()
		}
	}
	if len(title) <= len(a.words) {
		return verdict{factor: 1.5, why: "its title is the query"}
	}
	return verdict{factor: 1.15, why: "its title holds the query"}
}

// definition prefers a source that defines a symbol to those that use it.
func (a Features) definition(s SourceText) verdict {
	for _, sym := range a.symbols {
		name := sym.name[strings.LastIndexByte(sym.name, '.')+1:]
		if !strings.Contains(s.Text, name) { // fast path for most texts
			continue
		}
		re, err := regexp.Compile(`\b(?:func|function|def|class|type|struct|interface|enum|trait|fn|const|var|let|module` +
			`|macro)\s+(?:\([^)\n]*\)\s*)?` + regexp.QuoteMeta(name) + `\b`)
		if err == nil && re.MatchString(s.Text) {
			return verdict{1.3, "defines " + name, true}
		}
	}
	return nothing()
}

// defaultConfidence is the confidence of an idea without a stated one.
const defaultConfidence = 0.9

// confidence weights an idea by its confidence: a vague idea keeps half of its score.
func confidence(s SourceText) verdict {
	if s.Confidence <= 0 || s.Confidence >= defaultConfidence {
		return nothing()
	}
	return verdict{factor: 0.5 + 0.5*s.Confidence/defaultConfidence, why: fmt.Sprintf("confidence %.1f", s.Confidence)}
}

// WithoutRepeats removes hits that another hit repeats: the turn from which an idea was taken, and the log of a session
// whose archive section is a hit. A hit with a query word that the other one lacks is kept.
func WithoutRepeats(hits []Read) []Read {
	archived := map[origin][]string{} // query words by the origin of an archived hit
	for _, r := range hits {
		if from, ok := r.archived(); ok {
			archived[from] = append(archived[from], r.Hit.Matched...)
		}
	}
	return slices.DeleteFunc(hits, func(r Read) bool {
		words, again := archived[r.source()]
		return again && !slices.ContainsFunc(r.Hit.Matched, func(w string) bool { return !slices.Contains(words, w) })
	})
}

// origin is a turn of a session; line 0 is its log.
type origin struct {
	session string
	line    int64
}

// archived returns the origin of a hit of the archive: a session's log of its section, a
// turn of an idea.
func (r Read) archived() (origin, bool) {
	session := short(r.Hit.Doc.Session)
	switch {
	case session == "":
	case r.Hit.Doc.Role == "session":
		return origin{session: session}, true
	case r.Source.Turn > 0:
		return origin{session, int64(r.Source.Turn)}, true
	}
	return origin{}, false
}

// source returns the possible origin of archive entries, the zero value for any other hit.
func (r Read) source() origin {
	d := r.Hit.Doc
	switch {
	case d.Role == "observation":
		return origin{session: short(d.Session)}
	case d.Layer == "transcripts":
		return origin{short(d.Session), d.Order}
	}
	return origin{}
}

// short returns the prefix of a session's id in file names.
func short(session string) string { return session[:min(8, len(session))] }
