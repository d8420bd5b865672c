package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	r := redact.New()
	line := strings.Repeat("aB3dE5gH7jK9mN1p", 4)
	key := "     1\t-----BEGIN RSA PRIVATE KEY-----\n     2\t" + line + "\n     3\t" + line + "\n"
	token := "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5"
	quote := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	tests := []struct{ name, in, secret, want string }{
		{"numbered key", `[{"type":"text","text":` + quote(key+"the end") + `}]`, line,
			`[{"type":"text","text":"     1\t[redacted:private-key] end"}]`},
		{"escaped letter", `{"a":"x gh\u0070_` + token[4:] + `"}`, token[4:], `{"a":"x [redacted:github-token]"}`},
		{"JSON in JSON", `{"a":` + quote(`{"b":`+quote("k:\n"+key)+`}`) + `}`, line, ""},
		{"key of a member", `{"x gh\u0070_` + token[4:] + `":1}`, token[4:], `{"x [redacted:github-token]":1}`},
		{"name before value", `{"password":"Tr0ubadour7x"}`, "Tr0ubadour7x", `{"password":"[redacted:password]"}`},
		{"private block", `{"a":"b\n<private>quiet","d":"words</private>"}`, "quiet", `{"a":"b\n[redacted:private]"}`},
		{"open private block", `{"a":"b\n<private>quiet","d":"words"}`, "words", `{"a":"b\n[redacted:private]`},
		{"nothing", `{"a":"b\n<i>\u00e9</i>","d":["\ud800",1.5e3]}`, token, `{"a":"b\n<i>\u00e9</i>","d":["\ud800",1.5e3]}`},
		{"cut off", `{"a":"b ` + token + ` c`, token, `{"a":"b [redacted:github-token] c`},
		{"cut in an escape", `{"a":"b\`, token, `{"a":"b\`},
	}
	for _, tt := range tests {
		got := r.JSON(tt.in)
		if strings.Contains(got, tt.secret) || tt.want != "" && got != tt.want {
			t.Errorf("%s: %q became %q, want %q", tt.name, tt.in, got, tt.want)
		}
		if again := r.JSON(got); again != got {
			t.Errorf("%s: %q is not stable: %q", tt.name, got, again)
		}
		if !strings.HasPrefix(tt.name, "open") && json.Valid([]byte(tt.in)) && !json.Valid([]byte(got)) {
			t.Errorf("%s: %q is no JSON any more", tt.name, got)
		}
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"a":"b\n","c":[1,"\u0070"]}`, "x")
	f.Add(`"\`, `"`)
	r := redact.New()
	f.Fuzz(func(t *testing.T, s, text string) {
		r.JSON(s)
		secret := "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5"
		b, err := json.Marshal(map[string]string{"a": text + " " + secret})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.JSON(string(b)); strings.Contains(got, secret) && !strings.Contains(text, secret) {
			t.Fatalf("%s became %s", b, got)
		}
	})
}
