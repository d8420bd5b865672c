package redact_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// spoken returns texts in which @ is replaced by a password.
func spoken() []string {
	return []string{
		`{"name":"DB_PASSWORD","value":"@"}`, `{"name": "DB_PASSWORD", "value": "@"},`,
		`[{\"name\":\"DB_PASSWORD\",\"value\":\"@\"}]`,
		"env:\n- name: DB_PASSWORD\n  value: @\n", "- name: DB_PASSWORD\n  value: \"@\"\n",
		"-    - name: DB_PASSWORD\r\n-      value: '@'\r\n", `"- name: DB_PASSWORD\n  value: @\n"`,
		"ParameterKey=DBPassword,ParameterValue=@ ParameterKey=Size,ParameterValue=3", `{"Key": "Password", "Value": "@"}`,
		`{"key":"password","value":"@","enabled":true}`,
		"Log in as `admin` with password `@`.", "log in with password @ please", "use password @ for now",
		"user admin and password @", "the password for prod is @", "the password for the staging server is @, again",
		"Passwort: @", "das Passwort lautet @", "das Passwort ist @.", "Kennwort: @", "mot de passe : @",
		"le mot de passe est @", "contraseña: @", "la contraseña es @", "wachtwoord: @",
		"密码: @", "密码：@，谢谢", "密码是@。", "パスワード: @", "パスワードは@です", "пароль: @", "password： @",
		"next=%2Fx%3Fuser%3Da%26password%3D@",
	}
}

func TestSpokenPasswords(t *testing.T) {
	t.Parallel()
	r := redact.New()
	for _, form := range spoken() {
		for _, secret := range []string{"Tr0ubadour7x", "Summer2026!", "x7Kp!q2Lm#"} {
			in := strings.ReplaceAll(form, "@", secret)
			once, found := r.Text(in)
			if strings.Contains(once, secret) {
				t.Errorf("%q became %q", in, once)
			}
			if len(found) != 1 || found[0].End-found[0].Start > len(secret)+1 {
				t.Errorf("%q: more than the password: %q", in, once)
			}
		}
	}
}

func TestSpokenOfPasswords(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"Mot de passe : chiffré", "das Passwort ist falsch", "Passwort: geändert", "le mot de passe est obligatoire",
		"密码: 至少8位字符", "密码是必填的", "パスワードは8文字以上です",
		"with password authentication", "use password hashing with PBKDF2-HMAC-SHA256", "use password sha256sum",
		"and password `bcrypt`", "the password `DB_PASSWORD` is read",
		"the password for prod is in the vault", "a password for every user is required",
		"the password for it is rotated every 90days",
		"- name: password\n  type: string\n", "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n",
		`{"name":"password","value":""}`, `{"name":"DB_PASSWORD","value":"${DB_PASSWORD}"}`,
		`{"name":"token","value":"word"}`, "key: token\nvalue: required\n", "Passwort lautet <geheim>", "contraseña: ",
		"le mot de passe est ${PASSWORD}", "password with password123 as an example is weak",
	} {
		if got := redact.New().Clean(in).String(); got != in {
			t.Errorf("%q became %q", in, got)
		}
	}
}
