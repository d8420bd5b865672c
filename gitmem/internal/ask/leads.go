package ask

import (
	"strings"
)

// Role says what a citation is to its answer.
type Role string

// The roles. A lead only came near: it supports no claim.
const (
	RoleEvidence Role = "evidence"
	RoleLead     Role = "lead"
)

// leadsTold is how many leads the text of an answer names; the citations hold them all.
const leadsTold = 5

// addLeads cites what came next to the evidence, in the order of the ranking, until
// there are as many citations as were asked for. Each is looked up again, as evidence is.
func (e *Engine) addLeads(a *Answer, found []evidence, limit int, lost *losses) {
	cited := map[string]bool{}
	for _, c := range a.Citations {
		cited[c.ID] = true
	}
	for _, ev := range found {
		if len(a.Citations) >= limit {
			return
		}
		if cited[ev.src.ID] {
			continue
		}
		c := NewCitation(ev.src, ev.rank)
		if err := e.verify(&c, ev.quote); err != nil {
			lost.add(err)
			continue
		}
		c.Role = RoleLead
		a.Citations = append(a.Citations, c)
	}
}

// leadsOnly are the citations of an answer that was not found.
func leadsOnly(citations []Citation) []Citation {
	var out []Citation
	for _, c := range citations {
		if c.Role == RoleLead {
			out = append(out, c)
		}
	}
	return out
}

// nearest writes what came near under an answer that is none.
func nearest(leads []Citation) string {
	if len(leads) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\nNearest, not an answer:\n")
	for _, c := range leads[:min(len(leads), leadsTold)] {
		writeClaim(&b, KindGeneral, claim{Citation: c})
	}
	return strings.TrimRight(b.String(), "\n")
}
