package browse

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"html/template"
	"net/http"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/lazy"
)

// exported is the data for the frame of an exported page.
type exported struct {
	Title string
	Style template.CSS
	Main  template.HTML
}

// localLink matches a link from a page to another one here. Quotes in text are escaped.
var localLink = lazy.Pattern(` href="[/?][^"]*"`)

// hasTitle matches the title of a page.
var hasTitle = lazy.Pattern(`(?s)^<title>(.*?)</title>`)

// Export renders the page at a path, with all of its entries, as one HTML document that needs no server and
// loads nothing, so that it can be given to somebody else. Links to other pages are removed, and secrets are
// redacted once more.
func Export(ctx context.Context, o Options, path string) ([]byte, error) {
	t, err := parse()
	if err != nil {
		return nil, err
	}
	s := &site{m: o.Memory, now: o.Now, templates: t}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %.200q is no path of a page", gitmem.ErrUsage, path)
	}
	r.Header.Set("Authorization", bearer) // there are no other clients
	q := r.URL.Query()
	q.Set("all", "1")
	r.URL.RawQuery = q.Encode()
	w := &recorder{header: http.Header{}}
	s.routes(&access{}).ServeHTTP(w, r)
	body := w.body.String()
	if w.status != http.StatusOK {
		return nil, fmt.Errorf("%w: the page %.200q can't be made: %s", gitmem.ErrNotFound, path, textOf(body))
	}
	style := styles("app.css", "ask.css", "sessions.css", "memory.css", "pictures.css")
	title := ""
	if m := hasTitle().FindStringSubmatch(body); m != nil {
		body, title = body[len(m[0]):], m[1]
	}
	body = gitmem.Redacted(localLink().ReplaceAllString(body, ""))
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, "exported", exported{
		Title: html.UnescapeString(title), Style: template.CSS(style), Main: template.HTML(body),
	})
	return out.Bytes(), err
}

var tag = lazy.Pattern(`<[^>]*>`)

// textOf returns the text of an error page.
func textOf(page string) string {
	text := tag().ReplaceAllString(hasTitle().ReplaceAllString(page, ""), " ")
	return html.UnescapeString(strings.Join(strings.Fields(text), " "))
}

// recorder is a response writer that stores the response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header         { return w.header }
func (w *recorder) WriteHeader(status int)      { w.status = status }
func (w *recorder) Write(b []byte) (int, error) { return w.body.Write(b) }
