package embed_test

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/embed/embedtest"
)

const commit = "0123456789012345678901234567890123456789"

// hub plays Hugging Face: the API and small files on one host, large files on another.
type hub struct {
	api, cdn *httptest.Server
	files    map[string][]byte
	fault    func(w http.ResponseWriter, r *http.Request, n int) bool // true: it has answered

	mu     sync.Mutex
	ranges []string // asked of the large file
	tokens []string // that the other host was sent
	n      int
}

func newHub(t *testing.T, m embedtest.Model) *hub {
	t.Helper()
	h := &hub{files: map[string][]byte{
		"model.safetensors": m.Tensors(), "tokenizer.json": m.Tokenizer(), "config.json": []byte(`{"normalize":true}`), "README.md": []byte("hi"),
	}}
	h.cdn = httptest.NewServer(http.HandlerFunc(h.large))
	h.api = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.cdn.Close)
	t.Cleanup(h.api.Close)
	return h
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.n++
	n := h.n
	h.mu.Unlock()
	if h.fault != nil && h.fault(w, r, n) {
		return
	}
	const api, get = "/api/models/acme/tiny/", "/acme/tiny/resolve/" + commit + "/"
	switch {
	case r.URL.Path == api+"revision/main":
		fmt.Fprintf(w, `{"sha":%q}`, commit)
	case strings.HasPrefix(r.URL.Path, api+"tree/"+commit):
		_ = json.NewEncoder(w).Encode(h.tree())
	case r.URL.Path == get+"model.safetensors":
		http.Redirect(w, r, h.cdn.URL+"/blob?signature=secret", http.StatusFound)
	case strings.HasPrefix(r.URL.Path, get):
		_, _ = w.Write(h.files[strings.TrimPrefix(r.URL.Path, get)])
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (h *hub) tree() []any {
	var out []any
	for name, b := range h.files {
		git := sha1.Sum([]byte(fmt.Sprintf("blob %d\x00%s", len(b), b)))
		f := map[string]any{"type": "file", "path": name, "size": len(b), "oid": hex.EncodeToString(git[:])}
		if name == "model.safetensors" {
			sum := sha256.Sum256(b)
			f["lfs"] = map[string]any{"oid": hex.EncodeToString(sum[:]), "size": len(b), "pointerSize": 130}
		}
		out = append(out, f)
	}
	return append(out, map[string]any{"type": "directory", "path": "onnx"})
}

func (h *hub) large(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.ranges = append(h.ranges, r.Header.Get("Range"))
	h.tokens = append(h.tokens, r.Header.Get("Authorization"))
	h.mu.Unlock()
	if h.fault != nil && h.fault(w, r, -len(h.ranges)) {
		return
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(h.files["model.safetensors"])))
}

func (h *hub) pull(t *testing.T, models string, change func(*embed.Hub)) (embed.Record, error) {
	t.Helper()
	var p pauses
	o := embed.Hub{Base: h.api.URL, Token: "t0ken", Pacer: p.pacer()}
	if change != nil {
		change(&o)
	}
	repo, err := embed.ParseRepository("acme/tiny")
	if err != nil {
		t.Fatal(err)
	}
	return o.Pull(t.Context(), repo, models, "tiny")
}

func tiny() embedtest.Model {
	return embedtest.Model{Vocab: []string{"a", "b", "c"}, Dim: 400, Seed: 3}
}

func TestPull(t *testing.T) {
	t.Parallel()
	h, models := newHub(t, tiny()), t.TempDir()
	var last string
	r, err := h.pull(t, models, func(o *embed.Hub) {
		o.Progress = func(file string, done, size int64) { last = fmt.Sprintf("%s %d/%d", file, done, size) }
	})
	if err != nil || r.Revision != commit || r.Dim != 400 || r.Source != h.api.URL+"/acme/tiny" {
		t.Fatalf("Pull = %+v, %v", r, err)
	}
	if last != "config.json 18/18" {
		t.Errorf("progress ended with %q", last)
	}
	if _, err := embed.LoadStatic(filepath.Join(models, "tiny")); err != nil {
		t.Error(err)
	}
	for _, token := range h.tokens {
		if token != "" {
			t.Errorf("another host was sent %q", token)
		}
	}
	entries, err := os.ReadDir(filepath.Join(models, "tiny"))
	if err != nil || len(entries) != 4 {
		t.Errorf("files %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(models, "tiny.part")); err == nil {
		t.Error("the folder in the making is still there")
	}
}

// A download that breaks off goes on where it stopped, within one pull and in the next.
func TestPullResumes(t *testing.T) {
	t.Parallel()
	h, models := newHub(t, tiny()), t.TempDir()
	whole := h.files["model.safetensors"]
	h.fault = func(w http.ResponseWriter, r *http.Request, n int) bool {
		if n >= 0 || len(h.ranges) > 6 {
			return false
		}
		from := 0
		_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		w.Header().Set("Content-Length", fmt.Sprint(len(whole)-from))
		if from > 0 {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(whole)-1, len(whole)))
			w.WriteHeader(http.StatusPartialContent)
		}
		_, _ = w.Write(whole[from : from+100])
		return true // and breaks off
	}
	if _, err := h.pull(t, models, nil); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("broke off at 500 of %d bytes: pull again", len(whole))) {
		t.Fatalf("error %v", err)
	}
	if _, err := h.pull(t, models, nil); err != nil {
		t.Fatal(err)
	}
	want := "[ bytes=100- bytes=200- bytes=300- bytes=400- bytes=500- bytes=600-]"
	if got := fmt.Sprint(h.ranges); got != want {
		t.Errorf("ranges %s, want %s", got, want)
	}
}

// answering makes a hub answer every request with a status.
func answering(code int, header ...string) func(*hub) {
	return func(h *hub) {
		h.fault = func(w http.ResponseWriter, _ *http.Request, n int) bool {
			if n < 0 {
				return false
			}
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
			return true
		}
	}
}

func TestPullFaults(t *testing.T) {
	t.Parallel()
	large := func(answer func(w http.ResponseWriter, h *hub)) func(*hub) {
		return func(h *hub) {
			h.fault = func(w http.ResponseWriter, _ *http.Request, n int) bool {
				if n < 0 {
					answer(w, h)
				}
				return n < 0
			}
		}
	}
	tests := []struct {
		name, want string
		spoil      func(*hub)
		change     func(*embed.Hub)
	}{
		{"other bytes", "its hash is", large(func(w http.ResponseWriter, h *hub) {
			b := append([]byte{}, h.files["model.safetensors"]...)
			b[len(b)-1] ^= 1
			_, _ = w.Write(b)
		}), nil},
		{"more bytes", "more than the", large(func(w http.ResponseWriter, h *hub) {
			_, _ = w.Write(append(h.files["model.safetensors"], 0))
		}), nil},
		{"another range", "other bytes than those", large(func(w http.ResponseWriter, _ *hub) {
			w.Header().Set("Content-Range", "bytes 7-8/9")
			w.WriteHeader(http.StatusPartialContent)
		}), nil},
		{"other bytes of a small file", "tokenizer.json: its hash is", func(h *hub) {
			h.fault = func(w http.ResponseWriter, r *http.Request, _ int) bool {
				if !strings.HasSuffix(r.URL.Path, "tokenizer.json") {
					return false
				}
				_, _ = w.Write([]byte(strings.Replace(string(h.files["tokenizer.json"]), "[UNK]", "[unk]", 1)))
				return true
			}
		}, nil},
		{"too large", "it is larger than 10 bytes", nil, func(o *embed.Hub) { o.MaxBytes = 10 }},
		{"refused", "the token in HF_TOKEN may not read it", answering(401), nil},
		{"refused without a token", "a token is read from HF_TOKEN", answering(401), func(o *embed.Hub) { o.Token = "" }},
		{"none of that name", "404 Not Found: no such model or revision", answering(404), nil},
		{"busy for an hour", "429 Too Many Requests; it may be tried again in 1h0m0s", answering(429, "Retry-After", "3600"), nil},
		{"broken", "502 Bad Gateway", answering(502), nil},
		{"a page", "the hub's reply can't be read", func(h *hub) {
			h.fault = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
				_, _ = w.Write([]byte("<html>"))
				return true
			}
		}, nil},
		{"no model in it", "this is no static model", func(h *hub) { delete(h.files, "tokenizer.json") }, nil},
		{"another kind of model", `its model is "BPE"`, func(h *hub) {
			h.files["tokenizer.json"] = []byte(strings.Replace(string(h.files["tokenizer.json"]), "WordPiece", "BPE", 1))
		}, nil},
		{"a redirect without end", "more than 5 redirects", func(h *hub) {
			h.fault = func(w http.ResponseWriter, r *http.Request, _ int) bool {
				http.Redirect(w, r, r.URL.Path, http.StatusFound)
				return true
			}
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, models := newHub(t, tiny()), t.TempDir()
			if tt.spoil != nil {
				tt.spoil(h)
			}
			_, err := h.pull(t, models, tt.change)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "t0ken") || strings.Contains(err.Error(), "signature") {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if list, err := embed.List(models); err != nil || len(list) != 0 {
				t.Errorf("models %+v, %v", list, err)
			}
		})
	}
}

// A busy hub is asked again after the time that it asks for.
func TestPullWaits(t *testing.T) {
	t.Parallel()
	h := newHub(t, tiny())
	h.fault = func(w http.ResponseWriter, _ *http.Request, n int) bool {
		if n == 1 {
			w.Header().Set("Retry-After", "9")
			w.WriteHeader(429)
		}
		return n == 1
	}
	var p pauses
	if _, err := h.pull(t, t.TempDir(), func(o *embed.Hub) { o.Pacer = p.pacer() }); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(p.all) != "[9s]" {
		t.Errorf("pauses %v", p.all)
	}
}

func TestParseRepository(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"potion-base-8M": "minishlab/potion-base-8M main", "acme/x_1.0": "acme/x_1.0 main", "acme/x@v1/y": "acme/x v1/y",
		"": "", "../x": "", "a/b/c": "", "a/..": "", "x@..": "", "x y": "", "a/x.part": "", "https://huggingface.co/a/b": "",
	} {
		r, err := embed.ParseRepository(in)
		if (err == nil) != (want != "") || (err == nil && r.String()+" "+r.Revision != want) {
			t.Errorf("%q is %+v, %v", in, r, err)
		}
	}
}
