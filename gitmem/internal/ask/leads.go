package ask

import "github.com/gitmem/gitmem/gitmem/answer"

// nearest lists related records below an answer without evidence.
func nearest(leads []answer.Citation) string {
	if len(leads) == 0 {
		return ""
	}
	return "\n\nNear, no answer:\n" + list(leads...)
}
