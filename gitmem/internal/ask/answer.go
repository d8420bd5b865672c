package ask

import (
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
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
	Explain *search.Explanation `json:"explain,omitempty"`
}

// State is the state of the sources that a result is about, as it was understood.
type State struct {
	// AsOf is the moment that was asked about, RFC 3339; "" for the present.
	AsOf string `json:"as_of"`
}

// Person is one answer to a who-question.
type Person struct {
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	Score     float64   `json:"score"` // share of all matching work, 0..1, newer work weighing more
	Commits   int       `json:"commits"`
	Last      time.Time `json:"last"`
	Areas     []string  `json:"areas"`     // most touched matching paths
	Citations []string  `json:"citations"` // citation ids
	Lines     int       `json:"lines"`     // changed in the area; 0 also where that is not known
	Reviews   int       `json:"reviews"`   // of others' work on it
	Active    bool      `json:"active"`    // still contributes to the repository
	Share     float64   `json:"share"`     // of all lines changed in the area, 0..1
}

// Citation is one piece of evidence with its verbatim excerpt.
type Citation struct {
	ID      string      `json:"id"`
	Layer   string      `json:"layer"`
	Source  string      `json:"source"`
	Type    string      `json:"type"`
	Title   string      `json:"title"`
	Excerpt string      `json:"excerpt"`
	Author  string      `json:"author"`
	Time    string      `json:"time"` // RFC 3339, "" when the source is undated
	Project string      `json:"project"`
	Session string      `json:"session"`
	Path    string      `json:"path"`
	Line    int         `json:"line"`
	UUID    string      `json:"uuid"`
	Score   float64     `json:"score"`
	Status  cite.Status `json:"status"`
	// Since is how many commits changed the cited lines since; with changed only.
	Since int `json:"since"`
	// RevertedBy is the id of the commit that took a cited one back, "" for none.
	RevertedBy string       `json:"reverted_by"`
	Trust      answer.Trust `json:"trust"`      // whose words the excerpt is
	BrowseURL  string       `json:"browse_url"` // see [cite.Source.Page]
	URL        string       `json:"url"`
	// Asked is the beginning of what a turn of a conversation answers.
	Asked string `json:"asked,omitempty"`
	// Also are the citation ids of the same statement elsewhere, as in the archive.
	Also []string `json:"also,omitempty"`
	// Role is whether an answer's citation supports it; "" for a search hit.
	Role Role `json:"role,omitempty"`
}

// Searched says what was looked through for an answer.
type Searched struct {
	Layer  string `json:"layer"`
	Source string `json:"source"`
	Items  int    `json:"items"`
	Newest string `json:"newest"` // date of the newest item, "" when undated
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

// undecided reports by its title whether a decision is not, or no longer, in force.
func undecided(title string) bool { return cite.DecidedTitle(title) != title }

// NewCitation makes a citation of a source without an excerpt.
func NewCitation(s cite.Source, score float64) Citation {
	c := Citation{
		ID: s.ID, Layer: s.Layer, Source: s.Source, Type: s.Type, Title: s.Title, Author: s.Author,
		Project: s.Project, Session: s.Session, Path: s.Path, Line: s.Line, UUID: s.UUID,
		Score: score, Status: cite.StatusHolds, Trust: s.Trust(), BrowseURL: s.Page(), URL: s.URL,
	}
	if s.State == cite.StateTakenBack {
		c.Status = cite.StatusTakenBack
	}
	if !s.Time.IsZero() {
		c.Time = s.Time.UTC().Format(time.RFC3339)
	}
	return c
}
