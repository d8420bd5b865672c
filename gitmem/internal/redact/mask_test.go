package redact_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// TestColouredSecrets has the output of tools for a terminal: the sequences are between a name and its value, or around
// a secret.
func TestColouredSecrets(t *testing.T) {
	t.Parallel()
	const password, token = "Tr0ubadour7x", "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5"
	texts := map[string]string{
		"\x1b[34;1m\"password\"\x1b[0m\x1b[1;39m:\x1b[0m \x1b[0;32m\"@\"\x1b[0m": password,
		"password: \x1b[32m@\x1b[0m":                 password,
		"\x1b[1mDB_PASSWORD\x1b[0m=\x1b[33m@\x1b[0m": password,
		`{"text":"password: \u001b[32m@\u001b[0m"}`:  password,
		`"password: \x1b[32m@\x1b[0m"`:               password,
		`echo -e "password: \033[32m@\033[0m"`:       password,
		"password:\u200b @":                          password,
		"pass\u00adword=@":                           password,
		"\ufeffDB_PASSWORD=@":                        password,
		"\x1b[32m@\x1b[0m":                           token,
		"\x1b[@":                                     token,
		"\x1b@":                                      token,
		"\x00@\x00":                                  token,
	}
	for text, secret := range texts {
		for _, value := range []string{secret, secret[:6] + "\x1b[0m" + secret[6:], secret[:7] + "\x00" + secret[7:],
			secret[:7] + "\u200b" + secret[7:]} {
			if text == "\x1b[@" && value != secret {
				continue // the terminal shows no secret, and the text contains none
			}
			in := strings.ReplaceAll(text, "@", value)
			r := redact.New()
			once, found := r.Text(in)
			if strings.Contains(once, value) || len(found) == 0 {
				t.Errorf("%q became %q", in, once)
			}
			if twice, more := r.Text(once); twice != once || more != nil {
				t.Errorf("%q is not stable: %q, then %q", in, once, twice)
			}
			checkFindings(t, in, once, found)
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	in := "\x1b[1mok\x1b[0m\a a\tb\r\nc\x7f\u009b d\u00ad é \x1b"
	if got, want := redact.Plain(in), "ok a\tb\nc d\u00ad é "; got != want {
		t.Errorf("%q became %q, want %q", in, got, want)
	}
}

// FuzzPlain checks that no control characters except line ends and tabs remain, or are formed from bytes on both sides
// of removed ones, and that text without any is unchanged.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{"ok \x1b[1mx\a\r\n", "\xc2\x02\x81", "\xc2\r\x85", "\xc2\xc2\x81\x81\x81",
		"\xc2\n\x81 \u00a0 \u00ad"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		control := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
		got := redact.Plain(s)
		if strings.ContainsFunc(got, control) {
			t.Errorf("%q became %q", s, got)
		}
		if again := redact.Plain(got); again != got || !strings.ContainsFunc(s, control) && got != s {
			t.Errorf("%q became %q, then %q", s, got, again)
		}
	})
}

// TestColouredText checks that coloured text without a secret is unchanged.
func TestColouredText(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"\x1b[32mok\x1b[0m\tgithub.com/acme/pump\t0.3s", "\x1b[1mpassword\x1b[0m is required", `fmt.Print("\x1b[2K\r")`,
		"zero\u200bwidth \ufeff text", "\x1b[", `\u001b[`, "bell\a",
	} {
		if got := redact.New().Clean(in).String(); got != in {
			t.Errorf("%q became %q", in, got)
		}
	}
}
