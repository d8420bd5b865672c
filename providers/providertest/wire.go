package providertest

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// wire is a server between a source and its place that breaks when it is told
// to.
type wire struct {
	place       http.Handler
	token       string
	base, other string // this server, and one that must not be asked

	mu       sync.Mutex
	fault    fault
	at       int // the request that the fault hits, from 1 on; 0 is none
	count    int
	followed bool
	pages    map[string]recorded // first answers by path
}

// recorded is an answer of the place.
type recorded struct {
	header http.Header
	code   int
	body   []byte
}

// arm lets a fault hit the request with this number from now.
func (w *wire) arm(f fault, at int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault, w.at, w.count = f, at, 0
	w.pages = map[string]recorded{}
}

// served is how many requests came since the wire was armed.
func (w *wire) served() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count
}

// askedOther reports whether the other host was asked for anything.
func (w *wire) askedOther() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.followed
}

func (w *wire) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.count++
	f, hit := w.fault, w.at > 0 && (w.count == w.at || w.fault.stays && w.count > w.at)
	w.mu.Unlock()
	if hit {
		f.answer(w, rw, r)
		return
	}
	w.forward(rw, r)
}

// forward asks the place and remembers the first answer to each path.
func (w *wire) forward(rw http.ResponseWriter, r *http.Request) {
	rec := httptest.NewRecorder()
	w.place.ServeHTTP(rec, r)
	got := recorded{rec.Header(), rec.Code, rec.Body.Bytes()}
	w.mu.Lock()
	if _, ok := w.pages[r.URL.Path]; !ok && got.code == http.StatusOK {
		w.pages[r.URL.Path] = got
	}
	w.mu.Unlock()
	got.send(rw)
}

func (r recorded) send(rw http.ResponseWriter) {
	maps.Copy(rw.Header(), r.header)
	rw.WriteHeader(r.code)
	rw.Write(r.body)
}

// replay gives the first page of a list for every later one.
func (w *wire) replay(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	first, ok := w.pages[r.URL.Path]
	w.mu.Unlock()
	if !ok {
		w.forward(rw, r)
		return
	}
	first.send(rw)
}

// cut sends the beginning of a longer answer and closes the connection.
func (w *wire) cut(rw http.ResponseWriter, r *http.Request) {
	conn, _, err := rw.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n[{\"id\": 1,")
}

// stall sends the beginning of an answer and then nothing until the source gives
// up.
func (w *wire) stall(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "application/json")
	fmt.Fprint(rw, "[")
	rw.(http.Flusher).Flush()
	<-r.Context().Done()
}

// flood sends a body without an end.
func (w *wire) flood(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "application/json")
	chunk := bytes.Repeat([]byte(" "), 1<<20)
	fmt.Fprint(rw, "[")
	for r.Context().Err() == nil {
		if _, err := rw.Write(chunk); err != nil {
			return
		}
	}
}

// redirectAway sends the source to another host.
func (w *wire) redirectAway(rw http.ResponseWriter, r *http.Request) {
	http.Redirect(rw, r, w.other+r.URL.Path, http.StatusTemporaryRedirect)
}

// redirectForever sends the source back to where it came from, again and again.
func (w *wire) redirectForever(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.at++ // the next request too
	w.mu.Unlock()
	sign := "?"
	if r.URL.RawQuery != "" {
		sign = "?" + r.URL.RawQuery + "&"
	}
	http.Redirect(rw, r, w.base+strings.TrimSuffix(r.URL.Path, "/")+sign+"again=1", http.StatusFound)
}
