package browse

import "net/http"

// memoryRoutes are the files of memory, their history, and what changes them.
func (s *site) memoryRoutes(_ *http.ServeMux, _ *access) {}
