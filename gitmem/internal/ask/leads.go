package ask

import "github.com/gitmem/gitmem/gitmem/answer"

// nearest writes what came near under an answer that is none.
func nearest(leads []answer.Citation) string {
	if len(leads) == 0 {
		return ""
	}
	return "\n\nNear, no answer:\n" + list(leads...)
}
