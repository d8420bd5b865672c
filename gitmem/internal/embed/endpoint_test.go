package embed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/modelapi"
)

// asked is the body of a request to a server.
type asked struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Encoding   string   `json:"encoding_format"`
	Dimensions int      `json:"dimensions"`
	auth, path string
}

// server answers each request with answer and records it.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []asked
}

func serve(t *testing.T, answer func(w http.ResponseWriter, n int, a asked)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a asked
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Error(err)
		}
		a.auth, a.path = r.Header.Get("Authorization"), r.URL.Path
		s.mu.Lock()
		s.asked = append(s.asked, a)
		n := len(s.asked)
		s.mu.Unlock()
		answer(w, n, a)
	}))
	t.Cleanup(s.Close)
	return s
}

// lengths answers with vectors of the texts' lengths, in reverse order.
func lengths(w http.ResponseWriter, _ int, a asked) {
	var data []string
	for i, text := range a.Input {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,1]}`, i, len(text)))
	}
	slices.Reverse(data)
	fmt.Fprintf(w, `{"object":"list","data":[%s],"usage":{"total_tokens":1}}`, strings.Join(data, ","))
}

// pauses records the requested waits without waiting.
type pauses struct{ all []time.Duration }

func (p *pauses) pacer() modelapi.Pacer {
	return modelapi.Pacer{Wait: func(ctx context.Context, d time.Duration) error {
		p.all = append(p.all, d)
		return ctx.Err()
	}}
}

func endpoint(t *testing.T, s *server, change func(*embed.Server)) *embed.Endpoint {
	t.Helper()
	o := embed.Server{Server: modelapi.Server{Base: s.URL + "/v1", Key: "s3cret", Pacer: (&pauses{}).pacer()}, Model: "m"}
	if change != nil {
		change(&o)
	}
	e, err := embed.NewEndpoint(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	s := serve(t, lengths)
	e := endpoint(t, s, func(o *embed.Server) { o.QueryPrefix, o.DocPrefix = "query: ", "doc: " })
	got, err := e.Embed(t.Context(), embed.Document, []string{"a", "", "ccc", " \n"})
	if diff := cmp.Diff([][]float32{{6, 1}, nil, {8, 1}, nil}, got); diff != "" || err != nil {
		t.Errorf("Embed: %v (-want +got):\n%s", err, diff)
	}
	if _, err := e.Embed(t.Context(), embed.Question, []string{"q"}); err != nil {
		t.Error(err)
	}
	want := []asked{
		{Model: "m", Input: []string{"doc: a", "doc: ccc"}, Encoding: "float", auth: "Bearer s3cret", path: "/v1/embeddings"},
		{Model: "m", Input: []string{"query: q"}, Encoding: "float", auth: "Bearer s3cret", path: "/v1/embeddings"},
	}
	if diff := cmp.Diff(want, s.asked, cmp.AllowUnexported(asked{})); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// A request contains at most 64 texts and 100 KB, and at most 8,000 bytes of each text.
func TestEndpointBatches(t *testing.T) {
	t.Parallel()
	s := serve(t, lengths)
	e := endpoint(t, s, nil)
	texts := slices.Repeat([]string{"x"}, 130)
	for range 30 {
		texts = append(texts, strings.Repeat("é", 6000))
	}
	got, err := e.Embed(t.Context(), embed.Document, texts)
	if err != nil || len(got) != 160 || got[0][0] != 1 || got[159][0] != 8000 {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	total := 0
	for _, a := range s.asked {
		size := 0
		for _, text := range a.Input {
			size += len(text)
		}
		if len(a.Input) > 64 || size > 100<<10 {
			t.Errorf("%d texts with %d bytes at a time", len(a.Input), size)
		}
		total += len(a.Input)
	}
	if total != 160 {
		t.Errorf("%d texts were sent", total)
	}
}

func TestEndpointRetries(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, n int, a asked) {
		switch n {
		case 1:
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		case 2:
			w.Header().Set("Date", "Sat, 21 Nov 2026 09:00:00 GMT")
			w.Header().Set("Retry-After", "Sat, 21 Nov 2026 09:00:20 GMT")
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3:
			w.Header().Set("Content-Length", "1000") // cuts the response short
			_, _ = w.Write([]byte(`{"data":[`))
		default:
			lengths(w, n, a)
		}
	})
	var p pauses
	e := endpoint(t, s, func(o *embed.Server) { o.Pacer = p.pacer() })
	if _, err := e.Embed(t.Context(), embed.Document, []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]time.Duration{7 * time.Second, 20 * time.Second, 2 * time.Second}, p.all); diff != "" {
		t.Errorf("pauses (-want +got):\n%s", diff)
	}
}

func TestEndpointFaults(t *testing.T) {
	t.Parallel()
	say := func(status int, body string) func(http.ResponseWriter, int, asked) {
		return func(w http.ResponseWriter, _ int, _ asked) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	tests := []struct {
		name, want string
		answer     func(http.ResponseWriter, int, asked)
		change     func(*embed.Server)
		requests   int
	}{
		{name: "base64", want: "vectors in base64",
			answer: say(200, `{"data":[{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":"AACAPw=="}]}`)},
		{name: "too few", want: "2 texts were sent and 1 vectors came back",
			answer: say(200, `{"data":[{"index":0,"embedding":[1]}]}`)},
		{name: "one number twice", want: "numbers its vectors wrongly",
			answer: say(200, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`)},
		{name: "a number past the end", want: "numbers its vectors wrongly",
			answer: say(200, `{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`)},
		{name: "an empty vector", want: "is no list of numbers",
			answer: say(200, `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`)},
		{name: "null", want: "is no list of numbers",
			answer: say(200, `{"data":[{"index":0,"embedding":null},{"index":1,"embedding":[1]}]}`)},
		{name: "two lengths", want: "other number of dimensions",
			answer: say(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`)},
		{name: "another length than asked", want: "the reply has 1, 3 are expected",
			answer: say(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]}`),
			change: func(o *embed.Server) { o.Dimensions = 3 }},
		{name: "a page", want: "not what the embeddings API sends", answer: say(200, `<html>`)},
		{name: "refused", want: "401 Unauthorized: Incorrect key [key] given",
			answer: say(401, `{"error":{"message":"Incorrect key s3cret\n given"}}`)},
		{name: "refused without a key", want: "no key is set in the environment", answer: say(401, `{}`),
			change: func(o *embed.Server) {
				o.Key = ""
			}},
		{name: "an error as a text", want: "404 Not Found: model m not found",
			answer: say(404, `{"error":"model m not found"}`)},
		{name: "for ever busy", want: "503 Service Unavailable", answer: say(503, ""), requests: 5},
		{name: "a wait of an hour", want: "it may be tried again in 1h0m0s", requests: 1,
			answer: func(w http.ResponseWriter, _ int, _ asked) {
				w.Header().Set("Retry-After", "3600")
				w.WriteHeader(429)
			}},
		{name: "a redirect", want: "redirects are not followed", answer: func(w http.ResponseWriter, _ int, _ asked) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(307)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tt.answer)
			_, err := endpoint(t, s, tt.change).Embed(t.Context(), embed.Document, []string{"a", "b"})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), s.URL) ||
				strings.Contains(err.Error(), "s3cret") {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if n := max(1, tt.requests); len(s.asked) != n {
				t.Errorf("%d requests, want %d", len(s.asked), n)
			}
		})
	}
}

// If a server asks to wait longer than the deadline allows, the request ends at once.
func TestEndpointHeedsItsDeadline(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, _ int, _ asked) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(429)
	})
	now := time.Now()
	ctx, cancel := context.WithDeadline(t.Context(), now.Add(20*time.Second))
	defer cancel()
	e := endpoint(t, s, func(o *embed.Server) {
		o.Pacer = modelapi.Pacer{Now: func() time.Time { return now }, Wait: func(context.Context, time.Duration) error {
			t.Error("it waited")
			return nil
		}}
	})
	if _, err := e.Embed(ctx, embed.Question, []string{"a"}); err == nil || !strings.Contains(err.Error(), "30s") {
		t.Errorf("error %v", err)
	}
}

func TestEndpointIsDown(t *testing.T) {
	t.Parallel()
	s := serve(t, lengths)
	s.Close()
	_, err := endpoint(t, s, nil).Embed(t.Context(), embed.Question, []string{"a"})
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := endpoint(t, s, nil).Embed(ctx, embed.Question, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// transport sends every request to one server, whatever its URL.
type transport struct{ to string }

func (tr transport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(tr.to, "http://")
	return http.DefaultTransport.RoundTrip(r)
}

// The key is sent only over https or to this machine.
func TestEndpointKeepsItsKey(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://example.org/v1": "Bearer s3cret", "http://example.org/v1": "", "http://192.168.1.7:8080": "",
		"http://localhost:11434/v1": "Bearer s3cret", "http://127.0.0.1:1": "Bearer s3cret",
		"http://[::1]:1/v1":               "Bearer s3cret",
		"http://localhost.example.org/v1": "",
	} {
		s := serve(t, lengths)
		e := endpoint(t, s, func(o *embed.Server) {
			o.Base, o.Client = base, &http.Client{Transport: transport{s.URL}}
		})
		if _, err := e.Embed(t.Context(), embed.Question, []string{"a"}); err != nil || s.asked[0].auth != want {
			t.Errorf("%s is sent %q, %v", base, s.asked[0].auth, err)
		}
	}
}

// Settings that change the vectors change the fingerprint; the key does not.
func TestEndpointFingerprint(t *testing.T) {
	t.Parallel()
	plain := embed.Server{Server: modelapi.Server{Base: "https://example.org/v1", Key: "a"}, Model: "m"}
	of := func(change func(*embed.Server)) embed.Fingerprint {
		o := plain
		change(&o)
		e, err := embed.NewEndpoint(o)
		if err != nil {
			t.Fatal(err)
		}
		return e.Fingerprint()
	}
	same := of(func(*embed.Server) {})
	if of(func(o *embed.Server) { o.Key = "b" }) != same {
		t.Error("another key makes other vectors")
	}
	for name, change := range map[string]func(*embed.Server){
		"base": func(o *embed.Server) { o.Base = "https://example.com/v1" }, "model": func(o *embed.Server) { o.Model = "n" },
		"dimensions": func(o *embed.Server) { o.Dimensions = 7 }, "query": func(o *embed.Server) { o.QueryPrefix = "x" },
		"documents": func(o *embed.Server) { o.DocPrefix = "x" },
	} {
		if of(change) == same {
			t.Errorf("another %s makes the same vectors", name)
		}
	}
}

// A server that does not answer in time is not asked again.
func TestEndpointEndsInTime(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]string{"no answer": "", "half an answer": `{"data":[`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := embed.NewEndpoint(embed.Server{
				Model: "m", Server: modelapi.Server{
					Base: silent(t, begin), Timeout: 50 * time.Millisecond,
					Pacer: modelapi.Pacer{Wait: func(context.Context, time.Duration) error {
						t.Error("it waited")
						return nil
					}},
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Embed(t.Context(), embed.Question, []string{"a"}); err == nil ||
				!strings.Contains(err.Error(), "in time") {
				t.Errorf("%v", err)
			}
		})
	}
}

// silent returns the URL of a server that begins an answer and never ends it.
func silent(t *testing.T, begin string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the end of the connection is not noticed
		if begin != "" {
			_, _ = io.WriteString(w, begin)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	return s.URL
}
