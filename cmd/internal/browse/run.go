package browse

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// runFile tells other processes of the user that pages are open.
type runFile struct {
	Address string `json:"address"`
	Key     string `json:"key"` // for proving that the server wrote the file
}

// Announce writes the run file, which [Open] reads, and its folder. withdraw removes it, unless a later
// server has replaced it.
func (s *Server) Announce(file string) (withdraw func(), err error) {
	b, err := json.Marshal(runFile{s.Address(), s.access.key})
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	temp, err := private(file, b)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(temp, file); err != nil {
		return nil, errors.Join(err, os.Remove(temp))
	}
	return func() {
		if now, err := os.ReadFile(file); err == nil && string(now) == string(b) {
			_ = os.Remove(file) // a leftover file is ignored without its server
		}
	}, nil
}

// private writes a file with a unique name, in the folder of another one, that only the user may read.
func private(beside string, b []byte) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(beside), "*-"+filepath.Base(beside)) // with mode 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(b)
	return f.Name(), errors.Join(err, f.Close())
}

// askAlive is how long to wait for a server that may have ended.
const askAlive = 300 * time.Millisecond

// Open returns the address of the pages in a run file, or "" if no server there knows the key in the file:
// another program may have the port now.
func Open(ctx context.Context, file string) string {
	b, err := os.ReadFile(file)
	var run runFile
	if err != nil || json.Unmarshal(b, &run) != nil {
		return ""
	}
	ctx, stop := context.WithTimeout(ctx, askAlive)
	defer stop()
	challenge := rand.Text()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, run.Address+"/alive?challenge="+challenge, nil)
	if err != nil {
		return ""
	}
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r) // without a proxy
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	proof, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil || !hmac.Equal(proof, []byte(prove(run.Key, challenge))) {
		return ""
	}
	return run.Address
}

// prove returns the response to a challenge, which requires the key.
func prove(key, challenge string) string {
	h := hmac.New(sha256.New, []byte(key))
	_, _ = io.WriteString(h, challenge) // a hash never fails to write
	return hex.EncodeToString(h.Sum(nil))
}

// alive responds to the challenge of [Open].
func (a *access) alive(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, prove(a.key, r.URL.Query().Get("challenge"))) // a client that disconnected needs no answer
}

// openingPage posts a code to the server, which responds with the pages.
const openingPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>gitmem</title>
<form method="post" action="%s/open"><input type="hidden" name="code" value="%s">
<input type="hidden" name="to" value="%s"><button>Open gitmem</button></form>
<script>document.forms[0].submit()</script></html>
`

// OpeningFile writes a file, readable only by the user, that opens the pages at a path in a browser: an
// address with the code would be visible in the list of processes. It works as long as its code.
func (s *Server) OpeningFile(dir, path string) (name string, err error) {
	page := fmt.Sprintf(openingPage, s.Address(), s.Code(), template.HTMLEscapeString(path))
	return private(filepath.Join(dir, "browse.html"), []byte(page))
}

// OpeningAddress returns an address that opens the pages at a path, as long as its code works.
func (s *Server) OpeningAddress(path string) string {
	return s.Address() + "/open#" + s.Code() + "," + url.QueryEscape(path)
}
