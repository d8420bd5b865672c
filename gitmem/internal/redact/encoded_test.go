package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/redact/redacttest"
)

// inLines returns base64 with line breaks, as the base64 program writes it.
func inLines(s string) string {
	s = base64.StdEncoding.EncodeToString([]byte(s))
	var b strings.Builder
	for ; len(s) > 76; s = s[76:] {
		b.WriteString(s[:76] + "\n")
	}
	return b.String() + s
}

// byUnicode escapes all characters other than letters and digits individually, as JSON encoders may.
func byUnicode(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(`=&<>'"+`, c) >= 0 {
			fmt.Fprintf(&b, `\u%04x`, c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// every formats each byte.
func every(format, s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// TestEncodedOnceIsFound plants secrets that a rule finds, encoded once as a whole.
func TestEncodedOnceIsFound(t *testing.T) {
	t.Parallel()
	r := redact.New()
	encodings := map[string]func(string) string{
		"base64":         func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		"base64url":      func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
		"base64 lines":   inLines,
		"hex":            func(s string) string { return hex.EncodeToString([]byte(s)) },
		"HEX":            func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
		"query":          url.QueryEscape,
		"path":           url.PathEscape,
		"percent":        func(s string) string { return every("%%%02X", s) },
		"percent, small": func(s string) string { return every("%%%02x", s) },
		"unicode":        byUnicode,
		"unicode, all":   func(s string) string { return every(`\u%04x`, s) },
		"x":              func(s string) string { return every(`\x%02x`, s) },
	}
	secrets := map[string]string{
		"password=hunter2hunter2":                        "hunter2hunter2",
		"export DB_PASSWORD='letmein'":                   "letmein",
		`{"user":"app","api_key":"` + randomToken + `"}`: randomToken,
		"postgres://app:s3cr3tpw@db:5432/x":              "s3cr3tpw",
		"user=a\npassword=letmein99\nport=5432\n":        "letmein99",
	}
	for _, p := range tokenPlants() {
		if p.kind != "private-key" {
			secrets[p.secret] = p.secret
		}
	}
	for plain, value := range secrets {
		for name, encode := range encodings {
			for _, around := range [][2]string{{"", ""}, {"see ", " here"}, {`{"a":"`, `","b":1}`},
				{"https://h.example/x?q=", "&y=1"}, {`"a\n`, `\n"`}, {"x = '", "'\n"}} {
				if inString := around[0] == `"a\n`; inString && !strings.HasPrefix(name, "base64") &&
					!strings.EqualFold(name, "hex") {
					continue // text after an n is only found in JSON
				}
				in := around[0] + encode(plain) + around[1]
				out, found := r.Text(in)
				if strings.Contains(out, encode(value)) || strings.Contains(out, encode(plain)) || len(found) == 0 {
					t.Errorf("%s of %q: %q became %q", name, plain, in, out)
				}
				checkFindings(t, in, out, found)
				if again, more := r.Text(out); again != out || more != nil {
					t.Errorf("%s of %q: %q is not stable: %q", name, plain, out, again)
				}
			}
		}
	}
}

// TestTokensEncodedOnceAreFound uses the formats that issuers document.
func TestTokensEncodedOnceAreFound(t *testing.T) {
	t.Parallel()
	r := redact.New()
	for _, s := range redacttest.Planted(11) {
		if plain, _ := r.Text(s.Value); strings.Contains(plain, s.Value) || len(s.Value) < 16 {
			continue // it is not identified by its format
		}
		for name, in := range map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(s.Value)),
			"hex": hex.EncodeToString([]byte(s.Value)), "percent": every("%%%02X", s.Value)} {
			if out, _ := r.Text("x " + in + " y"); strings.Contains(out, in[:len(in)/2]) ||
				strings.Contains(out, in[len(in)/2:]) {
				t.Errorf("%s as %s: %q", s.Kind, name, out)
			}
		}
	}
}

// TestHarmlessTextStaysEncoded encodes texts without secrets, and random data.
func TestHarmlessTextStaysEncoded(t *testing.T) {
	t.Parallel()
	r := redact.New()
	var all []string
	for _, s := range harmless() {
		all = append(all, base64.StdEncoding.EncodeToString([]byte(s)), hex.EncodeToString([]byte(s)),
			strings.ReplaceAll(url.QueryEscape(s), "+", "%20"))
	}
	d := clerk{rand.New(rand.NewPCG(3, 4))}
	for range 20000 {
		all = append(all, d.base64(20+d.IntN(60)), d.hex(32), d.hex(40), d.hex(64))
	}
	all = append(all, `fmt.Printf("%2d%5d token=%2d password=%3d", a)`, "100%25 of it", "C:\\users\\x41",
		"https://a.example/?q=caf%C3%A9%20noir&redirect=https%3A%2F%2Fb.example%2Fx",
		`"\u003cb\u003ebold\u003c/b\u003e \u0026amp; more"`, "?tag=%3Cprivate%3E&rest=this stays",
		strings.Repeat("gitmem/internal/redact/", 9))
	for _, in := range all {
		if out, found := r.Text(in); out != in {
			t.Errorf("%q became %q %v", in, out, found)
		}
	}
}

// TestLongSecretsBehindAnEscape: displayed text is scanned in parts, and a secret may be longer than one.
func TestLongSecretsBehindAnEscape(t *testing.T) {
	t.Parallel()
	r := redact.New()
	key := "-----BEGIN \x1b[1mRSA PRIVATE KEY-----\n" + strings.Repeat(randomToken+randomToken[:24]+"\n", 50) +
		"-----END RSA PRIVATE KEY-----"
	for in, secret := range map[string]string{
		"https://h.example/?api_key%3D" + strings.Repeat(randomToken, 100) + " end":                  randomToken,
		strings.Repeat("word ", 400) + "api_key\\u003d" + randomToken + strings.Repeat(" word", 400): randomToken,
		"<pri\u200bvate>" + strings.Repeat("a word ", 900) + "</private> end":                        "a word",
		key: randomToken,
	} {
		out, found := r.Text(in)
		if strings.Contains(out, secret) {
			t.Errorf("%.60q keeps %q: %q", in, secret, out)
		}
		checkFindings(t, in, out, found)
	}
}
