package browse

import "net/http"

// profileRoutes is the profile with its values over time.
func (s *site) profileRoutes(_ *http.ServeMux) {}
