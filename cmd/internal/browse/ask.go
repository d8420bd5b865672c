package browse

import (
	"context"
	"net/http"
	"net/url"
)

// askRoutes are the pages on which one asks and searches, and GraphQL.
func (s *site) askRoutes(mux *http.ServeMux, _ *access) {
	mux.HandleFunc("GET /{$}", s.show(s.askPage))
}

func (s *site) askPage(_ context.Context, _ *http.Request, q url.Values) (page, error) {
	return page{"Ask", "ask", q.Get("q")}, nil
}
