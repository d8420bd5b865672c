package embed_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
)

// A server that falls silent, before it answers or while it does, ends a pull. It
// is not asked again.
func TestPullEndsWhenNothingComes(t *testing.T) {
	t.Parallel()
	for name, mute := range map[string]func(w http.ResponseWriter, r *http.Request) bool{
		"no answer": func(_ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		},
		"in a list": func(w http.ResponseWriter, r *http.Request) bool {
			_, _ = w.Write([]byte(`{"sha":`))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		},
		"in a file": func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, "/resolve/") {
				return false
			}
			_, _ = w.Write([]byte(`{`))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, tiny())
			h.fault = func(w http.ResponseWriter, r *http.Request, _ int) bool { return mute(w, r) }
			_, err := h.pull(t, t.TempDir(), func(o *embed.Hub) {
				o.Stall = 50 * time.Millisecond
				o.Pacer = embed.Pacer{Wait: func(context.Context, time.Duration) error { return errors.New("waited") }}
			})
			if err == nil || !strings.Contains(err.Error(), "nothing came for 50ms") {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"potion-base-8M": true, "a": true, "conv": true, "com10": true, "v1.2": true,
		"": false, ".": false, "..": false, "../x": false, "a/b": false, `a\b`: false, "-x": false, "a.": false, "x.part": false,
		"CON": false, "nul": false, "Aux.txt": false, "com1": false, "LPT9.bin": false, "\x1b[31m": false, strings.Repeat("a", 101): false,
	} {
		if got := embed.ValidName(name); got != want {
			t.Errorf("%q: %v", name, got)
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
				Base: silent(t, begin), Model: "m", Timeout: 50 * time.Millisecond,
				Pacer: embed.Pacer{Wait: func(context.Context, time.Duration) error {
					t.Error("it waited")
					return nil
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Embed(t.Context(), embed.Question, []string{"a"}); err == nil || !strings.Contains(err.Error(), "in time") {
				t.Errorf("%v", err)
			}
		})
	}
}

// silent is a server that begins an answer and never ends it.
func silent(t *testing.T, begin string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or the end of the connection goes unnoticed
		if begin != "" {
			_, _ = io.WriteString(w, begin)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	return s.URL
}
