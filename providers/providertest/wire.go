package providertest

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
)

// wire is a proxy between a source and its server that fails on demand.
type wire struct {
	place       http.Handler
	token       string
	base, other string      // this server, and one that must get no requests
	followed    atomic.Bool // the other one got a request

	mu    sync.Mutex
	fault fault
	at    int // the number of the request that fails, from 1; 0 is none
	count int
	pages map[string]*httptest.ResponseRecorder // first answers by path
}

// arm applies a fault to the request with this number from now.
func (w *wire) arm(f fault, at int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault, w.at, w.count = f, at, 0
	w.pages = map[string]*httptest.ResponseRecorder{}
}

// served returns how many requests arrived since arm was called.
func (w *wire) served() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count
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

// forward passes the request to the server and records the first answer to each path.
func (w *wire) forward(rw http.ResponseWriter, r *http.Request) {
	rec := httptest.NewRecorder()
	w.place.ServeHTTP(rec, r)
	w.mu.Lock()
	if w.pages[r.URL.Path] == nil && rec.Code == http.StatusOK {
		w.pages[r.URL.Path] = rec
	}
	w.mu.Unlock()
	send(rw, rec)
}

// send repeats a recorded answer.
func send(rw http.ResponseWriter, rec *httptest.ResponseRecorder) {
	maps.Copy(rw.Header(), rec.Header())
	rw.WriteHeader(rec.Code)
	rw.Write(rec.Body.Bytes())
}

// replay answers with the first page of a list instead of a later one.
func (w *wire) replay(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	first := w.pages[r.URL.Path]
	w.mu.Unlock()
	if first == nil {
		w.forward(rw, r)
		return
	}
	send(rw, first)
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

// stall sends the beginning of an answer and then nothing until the source gives up.
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

// redirectForever redirects the source back to the same address, again and again.
func (w *wire) redirectForever(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.at++ // the next request too
	w.mu.Unlock()
	http.Redirect(rw, r, w.base+strings.TrimSuffix(r.URL.Path, "/")+"?"+r.URL.RawQuery+"&again=1", http.StatusFound)
}
