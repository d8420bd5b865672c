package ingest

import (
	"testing"
)

func TestEmbedKey(t *testing.T) {
	t.Parallel()
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	all := env("GITMEM_EMBED_API_KEY", "one", "OPENAI_TOKEN_MEMORY_EMBEDDINGS", "two", "OPENAI_API_KEY", "three")
	other := env("OPENAI_API_KEY", "three")
	for _, tt := range []struct {
		endpoint string
		getenv   func(string) string
		want     string
	}{
		{"https://example.org/v1", all, "one"},
		{"https://example.org/v1", env("OPENAI_TOKEN_MEMORY_EMBEDDINGS", "two"), "two"},
		{"https://api.openai.com/v1", other, "three"},
		{"http://api.openai.com/v1", other, ""},
		{"https://api.openai.com.example.org/v1", other, ""},
		{"http://localhost:11434/v1", other, ""},
	} {
		if got := embedKey(tt.endpoint, tt.getenv); got != tt.want {
			t.Errorf("%s is sent %q, want %q", tt.endpoint, got, tt.want)
		}
	}
}

func TestLeavesFor(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://api.openai.com/v1": "api.openai.com", "http://192.168.1.7:8080/v1": "192.168.1.7:8080",
		"http://localhost:11434": "", "http://127.0.0.1:1": "", "http://[::1]:1": "", "": "",
	} {
		if got := leavesFor(endpoint); got != want {
			t.Errorf("%q leaves for %q, want %q", endpoint, got, want)
		}
	}
}

// A search for an identifier relies on words more than a question in prose does.
func TestSymbolLike(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"why was the relay replaced": false, "How do users sign in?": false, "ABC-1 again": false, "": false,
		"newTableWriter": true, "who calls parse_table": true, "index/table.go": true, "fmt.Errorf": true, "E1234": true,
		"relay": true,
	} {
		if got := SymbolLike(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if thousands(1234567) != "1,234,567" || thousands(12) != "12" || thousands(999) != "999" ||
		thousands(1000) != "1,000" {
		t.Error("thousands are not parted")
	}
}
