package answer

import (
	"strings"
	"time"
)

// Kind is the kind of a question.
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

// Confidence is the confidence in the evidence of an answer.
type Confidence string

// The levels of confidence. None means that nothing is recorded.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
	None   Confidence = "none"
)

// Verdict classifies an answer in one word.
type Verdict string

// The verdicts.
const (
	Answered    Verdict = "answered" // with high or medium confidence
	Closest     Verdict = "closest"  // similar records are listed, best first, without a claim
	NotRecorded Verdict = "none"     // nothing is similar, or a name in the question is unknown
)

// Verdict returns the verdict for a confidence.
func (c Confidence) Verdict() Verdict {
	return map[Confidence]Verdict{High: Answered, Medium: Answered, Low: Closest, None: NotRecorded}[c]
}

// Answer is the result of a question. Its JSON form is a public contract: fields are added, never renamed or removed,
// and lists are never null.
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
	// Trail describes in words how the answer was found.
	Trail []string `json:"-"`
	// Missing are the names in the question that no record contains.
	Missing []string `json:"-"`
	// Research are the steps that led to the answer, if requested.
	Research []Step `json:"trail,omitempty"`
	// Explain describes how the question was parsed, if requested.
	Explain *Explanation `json:"explain,omitempty"`
}

// State is the state of the sources to which a result refers.
type State struct {
	// AsOf is the requested moment, RFC 3339; "" for the present.
	AsOf string `json:"as_of"`
	// Complete is false if a source was only partly searched: an unfinished or unreadable index, or a shallow or partial
	// clone. Then no confidence is high.
	Complete bool `json:"complete"`
}

// Person is one person in the answer to a who-question.
type Person struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	// Score is the share of the surviving lines, or, if unknown, of all matching work, with a higher weight for newer
	// work; 0..1.
	Score     float64   `json:"score"`
	Commits   int       `json:"commits"`
	Last      time.Time `json:"last"`
	Areas     []string  `json:"areas"`     // matching paths with the most changes
	Citations []string  `json:"citations"` // citation ids
	Lines     int       `json:"lines"`     // changed in the area; also 0 if unknown
	Reviews   int       `json:"reviews"`   // reviews of others' work on it
	Active    bool      `json:"active"`    // still contributes to the repository
	Share     float64   `json:"share"`     // share of all lines changed in the area, 0..1
	// Surviving is the number of lines of the area that are still as they wrote them; also 0 if unknown.
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
	Cut     bool    `json:"-"` // the excerpt ends inside a passage
	Author  string  `json:"author"`
	Time    string  `json:"time"` // RFC 3339, "" if the source is undated
	Project string  `json:"project"`
	Session string  `json:"session"`
	Agent   string  `json:"agent"` // coding agent of its session, "" for other sources
	Path    string  `json:"path"`
	Line    int     `json:"line"`
	UUID    string  `json:"uuid"`
	Score   float64 `json:"score"`
	Status  Status  `json:"status"`
	// Since is the number of later commits that changed the cited lines; set with changed only.
	Since int `json:"since"`
	// RevertedBy is the id of the commit that reverted a cited one, "" for none.
	RevertedBy string `json:"reverted_by"`
	Trust      Trust  `json:"trust"`      // author of the excerpt
	BrowseURL  string `json:"browse_url"` // path of its page
	URL        string `json:"url"`
	// Asked is the beginning of the message to which a turn of a conversation replies.
	Asked string `json:"asked,omitempty"`
	// Also are the citation ids of copies of the statement, such as in the archive.
	Also []string `json:"also,omitempty"`
	// Role is the role of a citation in an answer; "" for a search hit.
	Role Role `json:"role,omitempty"`
}

// claudeCode is the default agent, which is not displayed.
const claudeCode = "claude"

// OtherAgent returns the agent of the citation's session, "" for Claude Code.
func (c Citation) OtherAgent() string {
	if c.Agent == claudeCode {
		return ""
	}
	return c.Agent
}

// Quoted returns the excerpt for display, with a mark if it was cut.
func (c Citation) Quoted() string {
	if c.Cut && !strings.HasSuffix(c.Excerpt, "…") {
		return c.Excerpt + " …"
	}
	return c.Excerpt
}

// Searched counts the searched items of a layer and source.
type Searched struct {
	Layer  string `json:"layer"`
	Source string `json:"source"`
	Items  int    `json:"items"`
	Newest string `json:"newest"` // date of the newest item, "" if undated
	Oldest string `json:"-"`      // date of the oldest item, "" if undated
}

// Strategy is the outcome of one search strategy.
type Strategy struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	MS   int64  `json:"ms"`
	Hits int    `json:"hits"`
	// Error is the reason if OK is false.
	Error string `json:"error"`
}

// Role is the role of a citation in its answer.
type Role string

// The roles. A lead is only similar: it supports no claim.
const (
	RoleEvidence Role = "evidence"
	RoleLead     Role = "lead"
)

// Step is one step of the research for an answer.
type Step struct {
	Level int    `json:"level"` // 1 words, 2 text of the hits, 3 leads, 4 check of the answer
	Lead  string `json:"lead"`  // what was followed: words, a citation id or a reference
	From  string `json:"from"`  // citation id of the source of the lead, "" for the question
	By    string `json:"by"`    // kind of the connection
	Gave  string `json:"gave"`  // the result in words
}

// Status is the status of a quoted excerpt in its source at the time of answering.
type Status string

// The states of a citation.
const (
	StatusHolds   Status = "holds"   // the text is at the cited location
	StatusMoved   Status = "moved"   // the text is elsewhere in the source
	StatusChanged Status = "changed" // other text has replaced the cited one
	StatusGone    Status = "gone"    // the text, or the source, no longer exists
	// StatusTakenBack: the text is on an abandoned branch of the conversation.
	StatusTakenBack Status = "taken back"
)

// Explanation describes how a query was parsed. Its JSON form is a public contract: lists
// are never null.
type Explanation struct {
	Words      []string        `json:"words"`      // ranking words, as typed
	Phrases    []string        `json:"phrases"`    // must occur in sequence
	Required   []string        `json:"required"`   // words that must occur
	Excluded   []string        `json:"excluded"`   // words and phrases that must not occur
	Filters    []string        `json:"filters"`    // flags and fields
	Time       string          `json:"time"`       // the range that restricts or is preferred, "" for none
	StopWords  []string        `json:"stop_words"` // words that were dropped
	Expansions []string        `json:"expansions"` // added terms, with the terms that they expand
	Terms      []ExplainedTerm `json:"terms"`      // in index form
	Steps      []string        `json:"steps"`      // how an answer was found
}

// ExplainedTerm is a term with its weight.
type ExplainedTerm struct {
	Term   string  `json:"term"`
	Docs   int     `json:"docs"`   // number of documents with it
	Weight float64 `json:"weight"` // its idf
}

// ReverseHead is the beginning of an answer that reports the opposite of what the question assumes.
const ReverseHead = "Recorded is the reverse"

// IsReverse reports whether the answer states that the opposite of the question's assumption is recorded. Its verdict
// is Closest.
func (a Answer) IsReverse() bool { return strings.HasPrefix(a.Answer, ReverseHead) }
