package browse

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"strings"
	"sync"
	"time"
)

// CodeLife is how long a code opens the pages.
const CodeLife = time.Minute

// access decides which requests are answered.
type access struct {
	host  string // in the form in which a browser sends it
	token string // of each request for the content of memory
	edits string // additionally required for each change, "" if none is allowed
	key   string // proves to the user's other processes that this is the server
	now   func() time.Time

	mu    sync.Mutex
	codes map[string]time.Time // unused codes, and when they expire
}

func newAccess(host string, now func() time.Time, edit bool) *access {
	a := &access{host: host, token: rand.Text(), key: rand.Text(), now: now, codes: map[string]time.Time{}}
	if edit {
		a.edits = rand.Text()
	}
	return a
}

// Code returns a new code that opens the pages once, within a minute.
func (s *Server) Code() string {
	a := s.access
	a.mu.Lock()
	defer a.mu.Unlock()
	code := rand.Text()
	a.codes[code] = a.now().Add(CodeLife)
	return code
}

// take uses up a code.
func (a *access) take(code string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	ends, ok := a.codes[code]
	delete(a.codes, code)
	return ok && a.now().Before(ends)
}

// bodyLimit is the maximum size of a request, in bytes.
const bodyLimit = 1 << 20

// policy allows a page to load only this server's own script, style and pictures, and prevents framing.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard only accepts requests that name this server by its own address and come from its own pages or from
// the address bar. It refuses a host name that somebody else's DNS resolves to this machine (DNS rebinding),
// and everything that a foreign page sends or links to, because a page that is shown has the token and
// requests what its address names. The exception is /open, where a file or a link delivers a code.
func (a *access) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control": "no-store", "X-DNS-Prefetch-Control": "off", // otherwise browsers resolve host names in links
		} {
			h.Set(name, value)
		}
		r.Body = http.MaxBytesReader(w, r.Body, bodyLimit)
		origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
		opens := r.URL.Path == "/open"
		switch {
		case r.Host != a.host:
			http.Error(w, "this server has no such name", http.StatusMisdirectedRequest)
		case origin != "" && origin != "http://"+a.host && !(opens && origin == "null" && r.Method == http.MethodPost),
			site != "" && site != "same-origin" && site != "none" && !opens:
			http.Error(w, "a foreign page is answered nothing", http.StatusForbidden)
		case a.wrong(r):
			http.Error(w, "the token is not that of this run: open the pages by gitmem browse", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// bearer begins the header that contains the token.
const bearer = "Bearer "

// authorised reports whether a request has a token, which guard has checked.
func authorised(r *http.Request) bool { return r.Header.Get("Authorization") != "" }

// wrong reports whether a request has a token that is not that of this run, or has none although it would
// read or change something.
func (a *access) wrong(r *http.Request) bool {
	got := r.Header.Get("Authorization")
	if got == "" {
		return r.Method != http.MethodGet && r.URL.Path != "/open"
	}
	return !same(got, bearer+a.token)
}

// mayEdit reports whether a request may change memory: it has the edit token, and a page of this server sent
// it.
func (a *access) mayEdit(r *http.Request) bool {
	return a.edits != "" && same(r.Header.Get("X-Gitmem-Edit"), a.edits) &&
		r.Header.Get("Origin") == "http://"+a.host && r.Header.Get("Sec-Fetch-Site") == "same-origin"
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// opened is the response to a code.
type opened struct{ Token, Edits, To string }

// open exchanges a code for the tokens, and shows the requested page.
func (a *access) open(s *site) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !a.take(r.PostFormValue("code")) {
			http.Error(w, "the code was used before, or is older than a minute: run gitmem browse again", http.StatusForbidden)
			return
		}
		s.write(w, http.StatusOK, page{"gitmem", "opened", opened{a.token, a.edits, own(r.PostFormValue("to"))}})
	}
}

// own returns an address if a browser resolves it to this server, otherwise the first page. Browsers remove
// tabs and line breaks and treat \ as /.
func own(address string) string {
	address = plain(address) // in the form in which it will be written
	foreign := func(r rune) bool { return r < ' ' || r == '\\' }
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.ContainsFunc(address, foreign) {
		return "/"
	}
	return address
}
