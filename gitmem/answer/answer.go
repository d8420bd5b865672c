package answer

import (
	"strings"
	"time"
)

// Kind is what sort of answer a question wants.
type Kind string

// The kinds of question.
const (
	KindContinue Kind = "continue" // where did I leave off
	KindRecent   Kind = "recent"   // what was I working on, what did we do in March
	KindWho      Kind = "who"
	KindWhy      Kind = "why"
	KindHow      Kind = "how"
	KindWhen     Kind = "when"
	KindGeneral  Kind = "general"
)

// Confidence says how far the evidence carries.
type Confidence string

// The levels of confidence. None means that nothing is recorded.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
	None   Confidence = "none"
)

// Verdict says in one word what an answer is.
type Verdict string

// The verdicts.
const (
	Answered    Verdict = "answered" // with high or medium confidence
	Closest     Verdict = "closest"  // what is near is listed, best first, and nothing is claimed
	NotRecorded Verdict = "none"     // nothing is near, or a name of the question has no trace
)

// Verdict is that of a confidence.
func (c Confidence) Verdict() Verdict {
	return map[Confidence]Verdict{High: Answered, Medium: Answered, Low: Closest, None: NotRecorded}[c]
}

// Answer is the result of a question. Its JSON form is a public contract: fields
// are added, never renamed or removed, and lists are never null.
type Answer struct {
	Question    string     `json:"question"`
	Kind        Kind       `json:"kind"`
	SessionID   string     `json:"session_id"`
	Answer      string     `json:"answer"` // Markdown
	Verdict     Verdict    `json:"verdict"`
	Confidence  Confidence `json:"confidence"`
	People      []Person   `json:"people"`
	Citations   []Citation `json:"citations"`
	Caveats     []string   `json:"caveats"`
	Searched    []Searched `json:"searched"`
	Strategies  []Strategy `json:"strategies"`
	Fallbacks   []string   `json:"fallbacks"`
	Suggestions []string   `json:"suggestions"`
	ElapsedMS   int64      `json:"elapsed_ms"`
	State
	// Trail says in words how the answer came about.
	Trail []string `json:"-"`
	// Missing are the names of the question that nothing recorded holds.
	Missing []string `json:"-"`
	// Research are the steps that led to the answer, where they were asked for.
	Research []Step `json:"trail,omitempty"`
	// Explain says how the question was read, where that was asked for.
	Explain *Explanation `json:"explain,omitempty"`
}

// State is the state of the sources that a result is about, as it was understood.
type State struct {
	// AsOf is the moment that was asked about, RFC 3339; "" for the present.
	AsOf string `json:"as_of"`
	// Complete is false where a source could not be looked through as a whole: an index that is
	// not finished or can't be read, or a shallow or partial clone. Then no confidence is high.
	Complete bool `json:"complete"`
}

// Person is one answer to a who-question.
type Person struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	// Score is the share of the lines that are still there, or where that is not known of all matching
	// work, newer work weighing more; 0..1.
	Score     float64   `json:"score"`
	Commits   int       `json:"commits"`
	Last      time.Time `json:"last"`
	Areas     []string  `json:"areas"`     // most touched matching paths
	Citations []string  `json:"citations"` // citation ids
	Lines     int       `json:"lines"`     // changed in the area; 0 also where that is not known
	Reviews   int       `json:"reviews"`   // of others' work on it
	Active    bool      `json:"active"`    // still contributes to the repository
	Share     float64   `json:"share"`     // of all lines changed in the area, 0..1
	// Surviving are the lines of the area that are still as they wrote them; 0 also where that is not known.
	Surviving int `json:"surviving"`
}

// Citation is one piece of evidence with its verbatim excerpt.
type Citation struct {
	ID      string  `json:"id"`
	Layer   string  `json:"layer"`
	Source  string  `json:"source"`
	Type    string  `json:"type"`
	Title   string  `json:"title"`
	Excerpt string  `json:"excerpt"`
	Cut     bool    `json:"-"` // the excerpt ends within a passage
	Author  string  `json:"author"`
	Time    string  `json:"time"` // RFC 3339, "" when the source is undated
	Project string  `json:"project"`
	Session string  `json:"session"`
	Agent   string  `json:"agent"` // name of the coding agent whose session it is from, "" for other sources
	Path    string  `json:"path"`
	Line    int     `json:"line"`
	UUID    string  `json:"uuid"`
	Score   float64 `json:"score"`
	Status  Status  `json:"status"`
	// Since is how many commits changed the cited lines since; with changed only.
	Since int `json:"since"`
	// RevertedBy is the id of the commit that took a cited one back, "" for none.
	RevertedBy string `json:"reverted_by"`
	Trust      Trust  `json:"trust"`      // whose words the excerpt is
	BrowseURL  string `json:"browse_url"` // path of its page
	URL        string `json:"url"`
	// Asked is the beginning of what a turn of a conversation answers.
	Asked string `json:"asked,omitempty"`
	// Also are the citation ids of the same statement elsewhere, as in the archive.
	Also []string `json:"also,omitempty"`
	// Role is whether an answer's citation supports it; "" for a search hit.
	Role Role `json:"role,omitempty"`
}

// claudeCode is the agent that goes without saying.
const claudeCode = "claude"

// OtherAgent is the agent in whose session it was said, "" for Claude Code.
func (c Citation) OtherAgent() string {
	if c.Agent == claudeCode {
		return ""
	}
	return c.Agent
}

// Quoted is the excerpt as it is shown, with a mark where it was cut.
func (c Citation) Quoted() string {
	if c.Cut && !strings.HasSuffix(c.Excerpt, "…") {
		return c.Excerpt + " …"
	}
	return c.Excerpt
}

// Searched says what was looked through for an answer.
type Searched struct {
	Layer  string `json:"layer"`
	Source string `json:"source"`
	Items  int    `json:"items"`
	Newest string `json:"newest"` // date of the newest item, "" when undated
	Oldest string `json:"-"`      // date of the oldest item, "" when undated
}

// Strategy is one way of searching and how it went.
type Strategy struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	MS   int64  `json:"ms"`
	Hits int    `json:"hits"`
	// Error is why it is not ok.
	Error string `json:"error"`
}

// Role says what a citation is to its answer.
type Role string

// The roles. A lead only came near: it supports no claim.
const (
	RoleEvidence Role = "evidence"
	RoleLead     Role = "lead"
)

// Step is one step of the research for an answer.
type Step struct {
	Level int    `json:"level"` // 1 words, 2 the text of what they found, 3 leads, 4 whether it answers
	Lead  string `json:"lead"`  // what was followed: words, a citation id or a reference
	From  string `json:"from"`  // citation id of the source that led there, "" for the question
	By    string `json:"by"`    // how it led there
	Gave  string `json:"gave"`  // what came of it, in words
}

// Status is that of a quoted excerpt in its source at the time of answering.
type Status string

// The states of a citation.
const (
	StatusHolds   Status = "holds"   // the words are where the citation says
	StatusMoved   Status = "moved"   // the words are elsewhere in the source
	StatusChanged Status = "changed" // other words took the place of those that were cited
	StatusGone    Status = "gone"    // the words, or the source, are no longer there
	// StatusTakenBack: the words are there, on a branch that was left for another one.
	StatusTakenBack Status = "taken back"
)

// Explanation describes how a query was parsed. Its JSON form is a public contract: lists
// are never null.
type Explanation struct {
	Words      []string        `json:"words"`      // that rank, as typed
	Phrases    []string        `json:"phrases"`    // that must occur in sequence
	Required   []string        `json:"required"`   // words that must occur
	Excluded   []string        `json:"excluded"`   // words and phrases that must not
	Filters    []string        `json:"filters"`    // flags and fields
	Time       string          `json:"time"`       // the span that bounds or is preferred, "" for none
	StopWords  []string        `json:"stop_words"` // words that were dropped
	Expansions []string        `json:"expansions"` // terms that were added, with what they stand for
	Terms      []ExplainedTerm `json:"terms"`      // as the index has them
	Steps      []string        `json:"steps"`      // how an answer came about
}

// ExplainedTerm is a term with its weight.
type ExplainedTerm struct {
	Term   string  `json:"term"`
	Docs   int     `json:"docs"`   // that hold it
	Weight float64 `json:"weight"` // its idf
}

// ReverseHead begins the text of an answer that reports the opposite of what the question assumes.
const ReverseHead = "Recorded is the reverse"

// IsReverse reports whether the answer says that the opposite of what the question assumes is recorded. Its
// verdict is Closest.
func (a Answer) IsReverse() bool { return strings.HasPrefix(a.Answer, ReverseHead) }
