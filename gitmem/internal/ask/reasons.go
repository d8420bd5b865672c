package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// Reasons picks up to n passages of a source that tell why something was done, the
// plainest first: sentences that name a reason, what a decision says, and what a
// commit or a thread says below its title. about, where it is not nil, tells the
// passages that concern the matter; others then are no reason.
func Reasons(src cite.Source, n int, about func(passage string) bool) []cite.Quote {
	decision := isDecision(src)
	return cite.Quotes(quotable(src), n, excerptRunes, func(text string) float64 {
		lower := strings.ToLower(text)
		if isQuestion(text) || strings.Contains(lower, "not recorded") {
			return 0
		}
		if about != nil && !about(text) {
			return 0
		}
		titled := strings.HasPrefix(src.Title, text)
		switch {
		case givesReason(" "+lower+" ") && !titled:
			return 1
		case givesReason(" " + lower + " "), decision && !titled:
			return 0.8
		case src.Layer == cite.LayerTeam && !titled && len(strings.Fields(text)) >= leastWords:
			return 0.6
		}
		return 0
	})
}

// Checked makes a citation of a passage of a source, as it stands there.
func Checked(src cite.Source, q cite.Quote) Citation {
	c := NewCitation(src, q.Score)
	status, line := cite.Check(src.Text, q.Text, q.Line)
	c.Excerpt, c.Status, c.Line, c.Role = q.Text, status, lineOf(src, line), RoleEvidence
	return c
}
