package ask

// Role says what a citation is to its answer.
type Role string

// The roles. A lead only came near: it supports no claim.
const (
	RoleEvidence Role = "evidence"
	RoleLead     Role = "lead"
)

// nearest writes what came near under an answer that is none.
func nearest(leads []Citation) string {
	if len(leads) == 0 {
		return ""
	}
	return "\n\nNear, no answer:\n" + list(leads...)
}
