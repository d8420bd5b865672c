package redact_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

func TestTextIsStable(t *testing.T) {
	t.Parallel()
	r := redact.New()
	for _, p := range tokenPlants() {
		for _, q := range tokenPlants() {
			once, found := r.Text(p.secret + q.secret)
			if twice, more := r.Text(once); twice != once || more != nil {
				t.Errorf("%q + %q: %q became %q", p.secret, q.secret, once, twice)
			}
			checkFindings(t, p.secret+q.secret, once, found)
		}
	}
}

func TestUnknownMarksHideNothing(t *testing.T) {
	t.Parallel()
	secret := tokenPlants()[2].secret
	for _, in := range []string{"[redacted:" + secret + "]", "[redacted:x" + secret, "[redacted:jwt" + " " + secret} {
		if got := redact.New().Clean(in).String(); strings.Contains(got, secret) {
			t.Errorf("%q kept its secret", in)
		}
	}
}

// checkFindings reports findings that overlap, are out of order, or do not transform in to out.
func checkFindings(t *testing.T, in, out string, found []redact.Finding) {
	t.Helper()
	var b strings.Builder
	at := 0
	for _, f := range found {
		if f.Start < at || f.End <= f.Start || f.End > len(in) {
			t.Fatalf("findings of %q: %v", in, found)
		}
		b.WriteString(in[at:f.Start] + "[redacted:" + f.Kind + "]")
		at = f.End
	}
	if b.WriteString(in[at:]); b.String() != out {
		t.Fatalf("findings of %q give %q, the text is %q", in, b.String(), out)
	}
}

// hostile returns texts that would take a careless scanner quadratic time.
func hostile() []string {
	return []string{
		"token=", "token='", `token="`, "password: ", "sk-", "sk-a1", "eyJ", "eyJ.", "-----BEGIN PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\n", "<private>", "</private>",
		"://", "a://b:", "a://b:c/", "ghp_", "xoxb-", "[redacted:", "authorization:", "bearer ", "secret_", "secret.", "pass",
		`\"token\":\"`, "key=", "api_key='\\", "-u a:",
		"token-q1W2e3R4=", "password: |\n  a\n", "a=b password=c ", "machine a login b password ", "machine ", "Cookie: a=",
		"cookie: a=b1B2c3D4e5F6g7H8;", "data:\n a: b\n", "data:\n a: secret\n", "kind: Secret\ndata:\n",
		"sshpass -p ", "mysql ", " login ", " -p ", "echo 'a1b2c3' |", "htpasswd -b ", "heroku=", "sentry: ", "twitter_",
		":AA", "1234567890:AA", "s.s.s.", "SKa0", "-us1", "AZDO", "_mmk", ".atlasv1.", "8Q~",
		"@tcp(", "a:b@tcp(", "thin:a/b", ":5432:", `"d":"`, `"kty"`, "AKIA234567ABCDEFGHIJ,", "ZXlK", "set token ",
		"private-lines: 1\n", "> -----BEGIN PRIVATE KEY-----\n", "password=\n", "sessid=", "x-amz-signature=",
		"$2b$", "pass: ",
		"[redacted:jwt]", "\\u003cprivate", "id,password\n1,letmein2\n", "password,", "|password|\n", "a|token\n-+-\n",
		"password\t", "mnemonic: ", "correct horse ", "password:\n", "auth(\"a\", ", "login(a,",
		"7z a -p", "zip -P ", "net user a ", "vault login ", "db:6432:a:b:", ":*:", ":123", "keys: [\"", "key = \"a\" -> ",
		"pw=", "key 1: ", "**password** ", "password | ", "AKIA234567ABCDEFGHIJ aB3/", "AKIA", "glpat-.", "sig=a",
		"<private><private></private>", "eyJhbGciOiJub25lIn0.",
		"password = new \"hunter22x\"\n", "%3D", "token%3D", "%25", `\u003d`, `token\u003da1`, "cGFzc3dvcmQ9aHVudGVyMmg=",
		"cGFzc3dvcmQ9aHVudGVyMmh1bnRlcjI", "MTA4.", "|a1", "\x1b[0m\u200b",
	}
}

// TestHostileTextTakesLinearTime runs alone in the nightly run, since it measures time. Otherwise it uses less text,
// without a time limit.
func TestHostileTextTakesLinearTime(t *testing.T) {
	size, limit := 16<<10, time.Hour
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		size, limit = 256<<10, time.Minute
	}
	r := redact.New()
	for _, unit := range hostile() {
		in := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		out, _ := r.Text(in)
		if took := time.Since(start); took > limit {
			t.Errorf("%d bytes of %q took %v", size, unit, took)
		} else {
			t.Logf("%-30q %v", unit, took)
		}
		if again, _ := r.Text(out); again != out {
			t.Errorf("%d bytes of %q are not stable", size, unit)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range hostile() {
		f.Add(s, s, uint(0))
	}
	for i, s := range harmless() {
		f.Add(s, "", uint(i))
	}
	for i, p := range tokenPlants() {
		f.Add(p.secret, p.secret[:len(p.secret)/2], uint(i))
		f.Add("a='"+p.secret, "<private>"+p.secret+"</private>", uint(i))
	}
	f.Add(`password="`, `"`, uint(3))
	f.Add("https://u:", "@host/x", uint(4))
	r, plants := redact.New(), tokenPlants()
	f.Fuzz(func(t *testing.T, before, after string, n uint) {
		secret := plants[n%uint(len(plants))].secret
		in := before + " " + secret + " " + after
		out, found := r.Text(in)
		checkFindings(t, in, out, found)
		glued := strings.Contains(before, secret) || strings.Contains(after, secret)
		if strings.Contains(out, secret) && !glued { // a short prefix inside a longer word is not a secret
			t.Fatalf("%q keeps %q", in, secret)
		}
		if twice, more := r.Text(out); twice != out || more != nil {
			t.Fatalf("%q\n became %q\n and then %q %v", in, out, twice, more)
		}
	})
}

// clean2K returns 2 KB of ordinary transcript.
func clean2K() string {
	return strings.Repeat("The relay board draws 7 A at 12 V; the pump needs a 10 A relay. See firmware/relay.c:124. ", 23)
}

func BenchmarkCold(b *testing.B) {
	s := clean2K()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		redact.New().Text(s)
	}
}

func BenchmarkWarm(b *testing.B) {
	s, r := clean2K(), redact.New()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		r.Text(s)
	}
}

func BenchmarkCode(b *testing.B) {
	s, r := strings.Repeat(strings.Join(harmless(), "\n")+"\n", 8), redact.New()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		r.Text(s)
	}
}
