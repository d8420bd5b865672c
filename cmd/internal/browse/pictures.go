package browse

import "net/http"

// pictureRoutes are people, ideas, the team, commits and figures.
func (s *site) pictureRoutes(_ *http.ServeMux) {}
