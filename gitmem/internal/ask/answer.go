package ask

import (
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
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

// Answer is the result of a question. Its JSON form is a public contract: fields
// are added, never renamed or removed, and lists are never null.
type Answer struct {
	Question    string     `json:"question"`
	Kind        Kind       `json:"kind"`
	SessionID   string     `json:"session_id"`
	Answer      string     `json:"answer"` // Markdown
	Confidence  Confidence `json:"confidence"`
	People      []Person   `json:"people"`
	Citations   []Citation `json:"citations"`
	Caveats     []string   `json:"caveats"`
	Searched    []Searched `json:"searched"`
	Strategies  []Strategy `json:"strategies"`
	Fallbacks   []string   `json:"fallbacks"`
	Suggestions []string   `json:"suggestions"`
	ElapsedMS   int64      `json:"elapsed_ms"`
	// Trail says in words how the answer came about.
	Trail []string `json:"-"`
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
}

// Citation is one piece of evidence with its verbatim excerpt.
type Citation struct {
	ID        string      `json:"id"`
	Layer     string      `json:"layer"`
	Source    string      `json:"source"`
	Type      string      `json:"type"`
	Title     string      `json:"title"`
	Excerpt   string      `json:"excerpt"`
	Author    string      `json:"author"`
	Time      string      `json:"time"` // RFC 3339, "" when the source is undated
	Project   string      `json:"project"`
	Session   string      `json:"session"`
	Path      string      `json:"path"`
	Line      int         `json:"line"`
	UUID      string      `json:"uuid"`
	Score     float64     `json:"score"`
	Status    cite.Status `json:"status"`
	Trust     string      `json:"trust"`
	BrowseURL string      `json:"browse_url"`
	URL       string      `json:"url"`
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
}

// Trust tells whose words a source's text is: reviewed (rules and accepted
// decisions), mine (the user's own notes and sessions) or untrusted (text that
// others wrote, such as commit messages). It is a label and no rank.
func Trust(layer, source string) string {
	switch {
	case layer == cite.LayerRules || source == string(cite.KindDecision):
		return "reviewed"
	case layer == cite.LayerTeam:
		return "untrusted"
	}
	return "mine"
}

// NewCitation makes a citation of a source without an excerpt.
func NewCitation(s cite.Source, score float64) Citation {
	c := Citation{
		ID: s.ID, Layer: s.Layer, Source: s.Source, Type: s.Type, Title: s.Title, Author: s.Author,
		Project: s.Project, Session: s.Session, Path: s.Path, Line: s.Line, UUID: s.UUID,
		Score: score, Status: cite.StatusHolds, Trust: Trust(s.Layer, s.Source),
	}
	if !s.Time.IsZero() {
		c.Time = s.Time.UTC().Format(time.RFC3339)
	}
	return c
}
