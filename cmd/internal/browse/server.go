package browse

import (
	"context"
	"errors"
	"html/template"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/graph-gophers/graphql-go"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/templates"
)

// Options configure the server.
type Options struct {
	Memory *gitmem.Memory
	Now    func() time.Time
	Edit   bool // pages may change memory
	// Tools starts a tool server for a researching model.
	Tools gitmem.Command
}

// Server serves the pages of one memory.
type Server struct {
	site   *site
	access *access
	listen net.Listener
}

// site renders the pages.
type site struct {
	m         *gitmem.Memory
	now       func() time.Time
	edit      bool
	templates *template.Template
	tools     gitmem.Command
	schema    *graphql.Schema
	questions sync.WaitGroup // questions with live updates
}

// New listens on a free port of 127.0.0.1. [Server.Serve] handles the requests.
func New(o Options) (*Server, error) {
	t, err := parse()
	if err != nil {
		return nil, err
	}
	s := &site{m: o.Memory, now: o.Now, edit: o.Edit, templates: t, tools: o.Tools}
	if s.schema, err = newSchema(s); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &Server{
		site:   s,
		access: newAccess(l.Addr().String(), o.Now, o.Edit),
		listen: l,
	}, nil
}

// parse parses the templates of all pages.
func parse() (*template.Template, error) {
	return template.New("").Funcs(functions()).ParseFS(templates.Web(), "*.html")
}

// Address returns the scheme, host and port of the pages.
func (s *Server) Address() string { return "http://" + s.listen.Addr().String() }

// Serve handles requests until the context ends.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler: s.access.guard(s.site.routes(s.access)), DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // the contexts of all requests have ended
	defer stop()
	defer s.site.questions.Wait()
	if err := server.Serve(s.listen); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close stops listening, for a server that does not serve.
func (s *Server) Close() { _ = s.listen.Close() }

// page is a template and its data.
type page struct {
	title, template string
	view            any
}

// reader reads the data of a page.
type reader func(context.Context, *http.Request, url.Values) (page, error)

// changer changes memory according to a form.
type changer func(ctx context.Context, form url.Values) (page, error)

// routes returns the handler for all addresses of the site.
func (s *site) routes(a *access) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /open", a.open(s))
	mux.HandleFunc("GET /alive", a.alive)
	mux.HandleFunc("GET /assets/{name}", asset)
	mux.HandleFunc("POST /graphql", s.graphql)
	mux.HandleFunc("GET /graphql", s.notAsked)
	s.sessionRoutes(mux)
	for path, read := range map[string]reader{
		"/{$}": s.askPage, "/search": s.searchPage, "/memory": s.memoryPage, "/memory/forget": s.forgetPage,
		"/profile": s.profilePage, "/people": s.peoplePage, "/graph": s.graphPage, "/team": s.teamPage,
		"/stats": s.statsPage, "/repos": s.repoPage, "/show": s.sourcePage, "/open": s.nothing, "/": s.nothing,
	} {
		mux.HandleFunc("GET "+path, s.show(read))
	}
	for path, do := range map[string]changer{
		"/memory/line": s.changeLine, "/memory/forget": s.forget, "/memory/undo": s.undo, "/memory/task": s.setTask,
		"/memory/decision": s.confirmDecision, "/profile": s.changeProfile,
	} {
		mux.HandleFunc("POST "+path, s.change(a, do))
	}
	return mux
}

// asset serves a script, a style or a picture, but not the templates in the same folder. It sets the content
// type itself, because the system may map extensions differently.
func asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	kind := map[string]string{".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}[path.Ext(name)]
	text, err := fs.ReadFile(templates.Web(), name)
	if kind == "" || err != nil {
		http.Error(w, "there is no such file", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	_, _ = w.Write(text) // a browser that disconnected needs no answer
}

// show responds with the page that read returns, or with the frame that requests it again with the token.
func (s *site) show(read reader) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status, p := http.StatusOK, page{"gitmem", "frame", nil}
		if authorised(r) {
			var err error
			if p, err = read(r.Context(), r, r.URL.Query()); err != nil {
				status, p = statusOf(err), page{"Not shown", "error", faultView(err)}
			}
		}
		s.write(w, status, p)
	}
}

// statusOf returns the HTTP status for an error of the façade.
func statusOf(err error) int {
	switch {
	case errors.Is(err, gitmem.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, gitmem.ErrUsage):
		return http.StatusBadRequest
	case errors.Is(err, gitmem.ErrConflict), errors.Is(err, gitmem.ErrDuplicate), errors.Is(err, gitmem.ErrLocked),
		errors.Is(err, gitmem.ErrHeld):
		return http.StatusConflict
	}
	return http.StatusInternalServerError
}

// refusal returns an error of a kind, with advice.
func refusal(kind error, reason, advice string) error {
	return &gitmem.Refusal{Err: kind, Reason: reason, Advice: advice}
}

// Fault is an error as shown on a page.
type Fault struct{ Message, Advice string }

func faultView(err error) Fault {
	f := Fault{Message: gitmem.Redacted(gitmem.ErrorText(err))}
	var r *gitmem.Refusal
	if errors.As(err, &r) {
		f.Advice = gitmem.Redacted(r.Advice)
	}
	return f
}

// write sends a page. Its content may be untrusted, so characters that hide or reorder text, or that would
// control a terminal after copying, are removed.
func (s *site) write(w http.ResponseWriter, status int, p page) {
	var b strings.Builder
	if p.template != "frame" && p.template != "opened" {
		b.WriteString("<title>" + template.HTMLEscapeString(p.title) + " · gitmem</title>\n")
	}
	if err := s.templates.ExecuteTemplate(&b, p.template, p.view); err != nil {
		http.Error(w, "the page can't be made: "+gitmem.Redacted(err.Error()), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(plain(b.String()))) // a browser that disconnected needs no answer
}

// nothing returns the error for an unknown address.
func (s *site) nothing(_ context.Context, r *http.Request, _ url.Values) (page, error) {
	return page{}, refusal(gitmem.ErrNotFound, "there is no page "+r.URL.Path, "choose one above")
}
