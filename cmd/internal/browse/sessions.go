package browse

import "net/http"

// sessionRoutes are the list of sessions and each session's transcript.
func (s *site) sessionRoutes(_ *http.ServeMux) {}
