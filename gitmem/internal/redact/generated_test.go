package redact_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generated returns files like those that programs write: full of values that look random, without any secret.
func generated() map[string]string {
	d := clerk{rand.New(rand.NewPCG(1, 2))}
	return map[string]string{
		"go.sum": d.lines(300, func() string {
			return fmt.Sprintf("example.org/%s/%s v1.%d.%d h1:%s=", d.word(), d.word(), d.IntN(9), d.IntN(30), d.base64(43))
		}),
		"package-lock.json": d.lines(300, d.npm),
		"yarn.lock": d.lines(200, func() string {
			return fmt.Sprintf("%s@^%d.0.1:\n  version \"%d.2.3\"\n  resolved \"https://registry.acme.test/%s.tgz#%s\"\n"+
				"  integrity sha512-%s==", d.word(), d.IntN(9), d.IntN(9), d.word(), d.hex(40), d.base64(86))
		}),
		"Cargo.lock": d.lines(200, func() string {
			return fmt.Sprintf("[[package]]\nname = %q\nversion = \"0.%d.1\"\nchecksum = %q\n", d.word(), d.IntN(40), d.hex(64))
		}),
		"poetry.lock": d.lines(200, func() string {
			return fmt.Sprintf(`    {file = "%s-1.0-py3.whl", hash = "sha256:%s"},`, d.word(), d.hex(64))
		}),
		"git.log": d.lines(300, func() string {
			return fmt.Sprintf("commit %s\nMerge: %s %s\nAuthor: A B <a@b.test>\n\n    Fix %s of %s\n", d.hex(40), d.hex(7),
				d.hex(7), d.word(), d.word())
		}),
		"rows.json": d.lines(300, func() string {
			return fmt.Sprintf(`{"id":"%s","sessionId":"%s","parent":"%s","sha256":"%s","etag":"%s"}`, d.uuid(), d.uuid(),
				d.uuid(), d.hex(64), d.hex(32))
		}),
		"image.html": d.lines(60, func() string {
			return `<img alt="` + d.word() + `" src="data:image/png;base64,` + d.base64(600) + `">`
		}),
		"app.min.js": d.lines(100, d.minified),
		"site.css": d.lines(200, func() string {
			return fmt.Sprintf(".%s-%s:hover{color:#%s;background:url(%s.%s.svg)}", d.word(), d.word(), d.hex(6),
				d.word(), d.hex(20))
		}),
		"server.log": d.lines(300, func() string {
			return fmt.Sprintf("2026-01-02T03:04:05Z INFO %s trace=%s span=%s took=%dms key=%s:%d token_count=%d", d.word(),
				d.hex(32), d.hex(16), d.IntN(900), d.word(), d.IntN(99), d.IntN(9000))
		}),
		"config.yaml": d.lines(200, d.setting),
		"docs.md":     d.lines(300, d.sentence),
		"api.go":      d.lines(300, d.code),
		"usage.txt":   d.lines(200, d.usage),
	}
}

// clerk generates such lines.
type clerk struct{ *rand.Rand }

func (d clerk) lines(n int, line func() string) string {
	var b strings.Builder
	for range n {
		b.WriteString(line() + "\n")
	}
	return b.String()
}

func (d clerk) from(set string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = set[d.IntN(len(set))]
	}
	return string(b)
}

func (d clerk) hex(n int) string { return d.from("0123456789abcdef", n) }
func (d clerk) base64(n int) string {
	return d.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", n)
}
func (d clerk) uuid() string {
	return d.hex(8) + "-" + d.hex(4) + "-4" + d.hex(3) + "-a" + d.hex(3) + "-" + d.hex(12)
}

func (d clerk) pick(of ...string) string { return of[d.IntN(len(of))] }

func (d clerk) word() string {
	return d.pick("client", "relay", "pump", "session", "token", "secret-store", "parser", "auth", "keyring",
		"password-field", "cookie-jar", "vault", "render", "queue",
		"sentry", "linear", "discord", "twitch", "drone", "travis", "confluence", "facebook", "fastly", "plaid", "cohere",
		"kraken", "sumo", "telegram", "twitter")
}

func (d clerk) npm() string {
	return fmt.Sprintf("    \"node_modules/%s\": {\n      \"version\": \"%d.1.2\",\n"+
		"      \"resolved\": \"https://registry.acme.test/%s/-/%s-1.0.0.tgz\",\n      \"integrity\": \"sha512-%s==\"\n    },",
		d.word(), d.IntN(9), d.word(), d.word(), d.base64(86))
}

func (d clerk) minified() string {
	return strings.Repeat(fmt.Sprintf(`function %s(e,t){return e.token===t?n.secret(e.key):{password:e.p,`+
		`apiKey:t.apiKey,token:r(%d)}}var %s=%s("%s");`,
		d.from("abcdef", 2), d.IntN(99), d.from("xyz", 2), d.from("mno", 1), d.hex(20)), 4)
}

func (d clerk) setting() string {
	return d.pick("  secretName: "+d.word()+"-tls", "  tokenTTL: 3600", "  passwordPolicy: strict", "  keyRef: {name: "+
		d.word()+", key: id}", "  apiKeySecretRef:", "  image: acme/"+d.word()+"@sha256:"+d.hex(64),
		"  password: ${DB_PASSWORD}", "  token: \"{{ .Values.token }}\"", "  checksum/config: "+d.hex(64), "  auth: basic",
		"  secret: "+d.word(), "  authTokenFile: /run/secrets/"+d.word(),
		"  password: !vault |", "  project_id: "+d.word()+"-"+d.hex(6), "  password: required", "  credentials: "+d.word()+
			"-sa", "  access_key: $ACCESS_KEY", "  sentry: "+d.uuid()[:8])
}

func (d clerk) sentence() string {
	return d.pick("The password is checked by the server before the token is issued.",
		"A token: it is short-lived, and its secret never leaves the "+d.word()+".",
		"Set `API_KEY` to your key, or pass --password to be asked for it.", "See commit "+d.hex(10)+
			" and issue 1234 for the secret handling.", "| token | the access token of the "+d.word()+" | string |",
		"- `password` (string, required): the password of the user", "Use `Authorization: Bearer <token>` with the token of "+
			d.word()+".", "curl -u user:password https://acme.test/api", "export TOKEN=<your token>",
		"The key is derived from the pass phrase with scrypt.", "machine login and password are stored in ~/.netrc",
		"Cookie: name=value", "password = input()", "Basic authentication sends the password in clear text.",
		"Reset your password: click \"Forgot password\" and follow the link.", "postgres://user:password@localhost/db",
		"Password: minimum 8 characters, one digit")
}

func (d clerk) code() string {
	return d.pick("\ttoken := lexer.Next()", "\tif password == \"\" {", "\treturn Token{Kind: ident, Text: text[from:to]}",
		"\tsecret, err := store.Secret(ctx, \"db-"+d.word()+"\")", "\tkey := fmt.Sprintf(\"%s:%d\", name, id)",
		"\tpassword: passwordFromEnv(os.Getenv),", "\tconst tokenURL = \"https://acme.test/oauth2/token\"",
		"\tPassword string `json:\"password\" validate:\"required,min=8\"`", "\tapiKey: process.env.API_KEY,",
		"    password=password,", "    token = request.headers.get('X-Auth-Token')", "\t\"secret\": secretFor(user.ID),",
		"\tprivateKey, err := rsa.GenerateKey(rand.Reader, 2048)", "\tdata := map[string]string{\"token\": token}",
		"  passwordHash: string;", "  const [password, setPassword] = useState('');", "\tcase '\\'': return token.CHAR",
		"  <input type=\"password\" name=\"password\" placeholder=\"Your password\">", "\thash := \""+d.hex(40)+"\"",
		"\trequest_id = \""+d.uuid()+"\"", "\tt.Errorf(\"token %q at %d\", tok, pos)", "\tbuf = append(buf, 0x"+d.hex(8)+")",
		"\tcacheKey = \"user:\" + id", "    \"password\": \"Enter your password\",", "  label: 'Confirm new password',")
}

func (d clerk) usage() string {
	return d.pick("  --token string      access token (default $TOKEN)",
		"  -p, --password      read the password from the terminal", "usage: login -u USER -p PASSWORD",
		"  --key path          private key file", "  --secret-file path",
		"error: invalid password for user \"root\"", "mysql -u root -p shop",
		"docker login -u $USER -p $PASS registry.acme.test", "sshpass -p \"$PW\" ssh host",
		"echo \"$TOKEN\" | gh auth login --with-token", "git checkout -b feature=token-"+d.word(),
		"token expired at 2026-01-01T00:00:00Z", "machine type: n1-standard-4",
		"password authentication failed for user \"app\"", "ETag: \""+d.hex(32)+"\"", "X-Request-Id: "+d.uuid(), "sha256:"+
			d.hex(64)+": Pull complete")
}
