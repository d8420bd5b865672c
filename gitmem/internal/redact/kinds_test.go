package redact_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

func TestTokensAreFoundAnywhere(t *testing.T) {
	t.Parallel()
	r := redact.New()
	for _, p := range tokenPlants() {
		for _, around := range [][2]string{{"", ""}, {"use ", " now"}, {"\"", "\","}, {"(", ")"}, {"x=", "\n"}, {"\n", "\n"},
			{"`", "`"}, {"日", "本"}, {`"a\"`, `\""`}} {
			in := around[0] + p.secret + around[1]
			want := around[0] + "[redacted:" + p.kind + "]" + around[1]
			got, found := r.Text(in)
			if got != want {
				t.Errorf("%s: Text(%q) = %q, want %q", p.kind, in, got, want)
			}
			if len(found) != 1 || in[found[0].Start:found[0].End] != p.secret {
				t.Errorf("%s: findings of %q: %v", p.kind, in, found)
			}
		}
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	s := randomToken
	aws := randomToken[:20] + "/" + randomToken[:10] + "+" + randomToken[:8]
	for _, c := range []struct{ in, secret, kind string }{
		// Names with values.
		{"aws_secret_access_key = " + aws, aws, "aws-secret-key"},
		{"AWS_SECRET_ACCESS_KEY=" + aws + "\n", aws, "aws-secret-key"},
		{`"secretAccessKey": "` + s + `"`, s, "secret"},
		{"API_KEY=" + s, s, "secret"},
		{"export ApiKey='" + s + "'", s, "secret"},
		{"api-key: " + s, s, "secret"},
		{"x-api-key: " + s + "\r\n", s, "secret"},
		{`{"client_secret":"` + s + `","a":1}`, s, "secret"},
		{`{\"token\":\"` + s + `\"}`, s, "secret"},
		{`{\\\"token\\\": \\\"` + s + `\\\"}`, s, "secret"},
		{`token := "` + s + `"`, s, "secret"},
		{`const token string = "` + s + `"`, s, "secret"},
		{`password: str = "letmein"`, "letmein", "password"},
		{`"password": "hunter2"`, "hunter2", "password"},
		{"DB_PASSWORD=letmein", "letmein", "password"},
		{"DB_PASSWORD=le!t&m,ein\nX=1", "le!t&m,ein", "password"},
		{"PGPASSWORD=Sup3r psql", "Sup3r", "password"},
		{"password: hunter2\n", "hunter2", "password"},
		{"passwd='hunter2'", "hunter2", "password"},
		{"--password hunter2 --x", "hunter2", "password"},
		{"--password=hunter2 --x", "hunter2", "password"},
		{"--token " + s, s, "secret"},
		{"<password>letmein</password>", "letmein", "password"},
		{"Server=db;User=sa;Password=letmein;Encrypt=true", "letmein", "password"},
		{"https://h/x?token=" + s + "&y=1", s, "secret"},
		{"AccountKey=" + s + s + "==;EndpointSuffix=core", s + s + "==", "secret"},
		{`os.environ["DB_PASSWORD"] = "letmein"`, "letmein", "password"},
		{`os.Setenv("API_TOKEN", "` + s + `")`, s, "secret"},
		{`process.env.TOKEN || "` + s + `"`, s, "secret"},
		{`SetPassword("Tr0ub4dor&3")`, "Tr0ub4dor&3", "password"},
		{"the db password is Tr0ub4dor&3, ok?", "Tr0ub4dor&3", "password"},
		{"//registry.example/:_authToken=" + s, s, "secret"},
		{"//registry.example/:_auth=dXNlcjpwYXNzd29yZDEyMw==", "dXNlcjpwYXNzd29yZDEyMw==", "secret"},
		{"token: 550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000", "secret"},
		{"GITHUB_TOKEN=gh" + "p_" + s[:36], "gh" + "p_" + s[:36], "github-token"},
		{"password = \"" + strings.Repeat("ab1 ", 400) + "\"", "", ""},
		{"password=" + strings.Repeat("aB1", 3000), strings.Repeat("aB1", 3000), "password"},
		// URLs.
		{"postgres://app:s3cr3tpw@db:5432/x", "s3cr3tpw", "url-password"},
		{"redis://:s3cr3tpw@cache/0", "s3cr3tpw", "url-password"},
		{"https://u:p@ss@host/p", "p@ss", "url-password"},
		{"https://u:pa/ss#1@host/p", "pa/ss#1", "url-password"},
		{"mongodb+srv://u:letmein@a,b/x", "letmein", "url-password"},
		{"https://" + randomToken + "@git.example/x", randomToken, "url-password"},
		{"https://hooks.slack.com/services/T0AB/B0CD/" + s[:24], "T0AB/B0CD/" + s[:24], "slack-webhook"},
		// Headers and flags.
		{"Authorization: Bearer " + s, s, "auth-header"},
		{"authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "auth-header"},
		{`-H "Authorization: token ` + s + `"`, s, "auth-header"},
		{`"Authorization": "Bearer ` + s + `"`, s, "auth-header"},
		{`req.Header.Set("Authorization", "Bearer ` + s + `")`, s, "auth-header"},
		{"Authorization: " + s, s, "auth-header"},
		{"sent bearer " + s + " to it", s, "auth-header"},
		{"curl -u admin:hunter2 https://h", "hunter2", "password"},
		// Truncated keys.
		{"-----BEGIN PRIVATE KEY-----\n" + randomToken + randomToken[:24] + "\n" + randomToken,
			"-----BEGIN PRIVATE KEY-----\n" + randomToken + randomToken[:24] + "\n" + randomToken, "private-key"},
		{`"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n` +
			randomToken + `", "b": 1`,
			`-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n` + randomToken,
			"private-key"},
	} {
		checkForm(t, c.in, c.secret, c.kind)
	}
}

// checkForm reports a text in which not exactly the secret was replaced by a mask. An empty secret means that the text
// is unchanged.
func checkForm(t *testing.T, in, secret, kind string) {
	t.Helper()
	want := in
	if secret != "" {
		want = strings.Replace(in, secret, "[redacted:"+kind+"]", 1)
	}
	if got := redact.New().Clean(in).String(); got != want {
		t.Errorf("%q\n got %q\nwant %q", in, got, want)
	}
}

// TestWordsAndPlaces has passwords that are words, and forms that only their position identifies.
func TestWordsAndPlaces(t *testing.T) {
	t.Parallel()
	s := randomToken
	for _, c := range []struct{ in, secret, kind string }{
		{"db.user=app\ndb.password=letmein\n", "letmein", "password"},
		{"host=db user=app password=letmein dbname=x", "letmein", "password"},
		{"  password: letmein\n", "letmein", "password"},
		{`password: "correct horse battery staple"`, "correct horse battery staple", "password"},
		{"password: |\n  Tr0ub4dor&3\nuser: x\n", "Tr0ub4dor&3", "password"},
		{"secret: >-\n  " + s + "\n  " + s + "\nuser: x\n", s + "\n  " + s, "secret"},
		{"machine h login u password letmein\n", "letmein", "password"},
		{"Cookie: a=b; sid=" + s + "; c=d", s, "cookie"},
		{"Set-Cookie: sid=" + s + "; Path=/", s, "cookie"},
		{"mysql -u root -pTr0ub4dor x", "Tr0ub4dor", "password"},
		{"sshpass -p 'hunter22' ssh h", "hunter22", "password"},
		{"kind: Secret\ndata:\n  a: " + s + "\n  b: " + s + "\n", s + "\n  b: " + s, "kubernetes-secret"},
		{"datadog: " + randomHex[:40], randomHex[:40], "datadog-key"},
		{"staging,datadog," + randomHex[:40] + ",2026", randomHex[:40], "datadog-key"},
		{"<datadog>" + randomHex[:40] + "</datadog>", randomHex[:40], "datadog-key"},
		{"datadog " + randomHex[:40], "", ""},
		{"SNYKTOKEN=550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000", "snyk-token"},
		{"HEROKU=550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000", "heroku-key"},
		{"user: admin\npass: " + s[:14] + "\n", s[:14], "password"},
		{"u:s3cr3tpw@tcp(db:3306)/x", "s3cr3tpw", "url-password"},
		{"db:5432:x:u:s3cr3tpw", "s3cr3tpw", "password"},
		{"<password>\n  letmein\n</password>", "letmein", "password"},
		{"TOKEN ?= \"" + s + "\"", s, "secret"},
		{"curl --user kevin:'pRf7vG2h' h", "pRf7vG2h", "password"},
		{"-u \"" + s + ":\" h", s, "password"},
		{"bot 1234567890:AA" + randomToken[:33], "1234567890:AA" + randomToken[:33], "telegram-token"},
	} {
		checkForm(t, c.in, c.secret, c.kind)
	}
}

func TestHarmlessTextStays(t *testing.T) {
	t.Parallel()
	r := redact.New()
	for _, in := range harmless() {
		if got, found := r.Text(in); got != in || found != nil {
			t.Errorf("%q\n became %q", in, got)
		}
	}
}

func harmless() []string {
	return []string{
		// Identities that are not secrets.
		"commit 3f2a91c4d5e6f708192a3b4c5d6e7f8091a2b3c4", "550e8400-e29b-41d4-a716-446655440000",
		"github.com/a/token v1.5.0 h1:qVX+TbNLz9wFfyvLVbqFWzlsAfU1kfHjv0vMdWXmSnk=",
		`"integrity": "sha512-` + strings.Repeat("aB3/", 21) + `=="`, "color: #ffcc00; fill:#AABBCCDD",
		"data:image/png;base64," + strings.Repeat("iVBORw0KGgoAAAANSUhEUg", 20), `"js-tokens": "^4.0.0"`,
		`"password-prompt": "^1.1.3"`,
		// Placeholders for secrets.
		"token: <token>", "API_KEY=${API_KEY}", "API_KEY=$API_KEY", "password=xxx", "password = changeme",
		`password: "changeme"`,
		"api_key: YOUR_API_KEY", `token="your-token-here"`, "secret: {{ .Values.secret }}", "ghp_" + strings.Repeat("x", 36),
		"Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "Authorization: Bearer YOUR_TOKEN",
		"postgres://user:password@host/db",
		"postgres://user:${PW}@host/db", "postgres://user:<pw>@host/db", "password: ********", "PASSWORD=...",
		"${{ secrets.DEPLOY_TOKEN }}",
		// Program text.
		`os.Getenv("TOKEN")`, "token := parse()", "token = parseToken(line2)", "password := cfg.DB.Password",
		"secret = await getSecret('db-prod-2')",
		"func auth(password string) error {", "token: string;", "password: Option<String>,", "if password == \"\" {",
		"if token != nil {",
		"Password string `json:\"password,omitempty\"`", `flag.String("password", "", "the password to use")`,
		"def f(token=None, password=password):",
		"const token = process.env.GITHUB_TOKEN;", `token = os.environ["GITHUB_TOKEN"]`, "tokenizer: bert-base-uncased2",
		"max_tokens=4096", `"input_tokens": 123456`,
		"token.Pos", "case token.IDENT:", "sort_key: aB3dE5fG7hJ9kL1m", "primary key: id", "secretName: my-app-db-2024",
		"token_url: https://a.example/oauth2/token",
		"password_file=/run/secrets/db1", "PWD=/home/dev/proj2", "OLDPWD=/tmp/x1", "--- PASS: TestFoo2 (0.00s)",
		"pass: 12, fail: 3", "bypass=a1b2c3", "compass: n0rth",
		`append(env, "PWD="+dir)`, `b.WriteString("password=" + quoted("x1"))`, "tokens = 2*maxCompilerConcurrency",
		`"syntax.Lit->token.INT", "syntax.FloatLit->token.FLOAT"`,
		"ERROR_PASSWORD Handle = 0x803100A4", "TOKEN = C.NL80211_ATTR_DIALOG_TOKEN", "type PrivateKey = ed25519.PrivateKey",
		`[]string{"password", "publickey"}`,
		"x.sh -u http://a.example/b2/Scripts.txt", "Zm9vAI" + "za" + randomToken[:35], "Zm9vAK" + "IA" + randomUpper[:16],
		"PrivateKey: testRSA2048PrivateKey,", "s.ReadUint24LengthPrefixed(&certList)",
		"'CURLOPT_PASSWORD', 'CURLOPT_READDATA',", `MovedAttribute("HTTPPasswordMgr", "urllib2", "urllib.request")`,
		`password.encode("utf-8")`, `_core_token = r'(?:[^"%s])+'`, "Token.String.Escape: \"#C46C6C\",",
		"userdata.password = password_ptr", `encodeUserPassword: "encodeUserPassword"`,
		"- (id)hf_requiredCharacteristicTypesForDisplayMetadata;",
		"sumOfExposures = 3Kof2VffNQ0QgYIhXUPJosVlCaQKm2hfpWE6F1fT9YGY74blQBIPsrkCcf1TwKE5",
		"global_lobby: 3f2a91c4d5e6f708192a3b4c5d6e7f8091a2b3c4", "sentry_commit: " + randomHex,
		"heroku_app_id: 550e8400-e29b-41d4-a716-446655440000",
		"discord_client_id: 123456789012345678", "password: string\n", "password: required\n", "    password=password\n",
		`"password": "Enter your password"`, `"password": "the password must have a digit"`, "password: |\n\nnext: 1\n",
		"data:\n  key: dmFsdWU=\nkind: ConfigMap\n", "--password prompts for one",
		"credentialsId: '29f63271-dc2f-4734-8221-5b31b5169bac'", "csrf: {token: generate}", "public_token = \"" +
			randomToken + "\"", "mysql -u root -p shop",
		`"sessionId":"550e8400-e29b-41d4-a716-446655440000"`, "Cookie: theme=dark; lang=en",
		"docker login -u $USER -p $PASS r", "machine login and password are stored", "echo \"$PW\" | sudo -S ls",
		"curl -u user:pass --digest", "I<pass> because",
		// Prose.
		"“Fix the bug in the login page” [session:2026-11-20#s-7f3a9c2e · mine]",
		"“the user sees a login error” [idea:i-7f3a9c2e12]",
		"a default token is encountered.”", "words in `<private>` tags; `</private>` ends them",
		"The password is required.", "Password: ", "the token: it expires after 3 days", "bearer authentication is used",
		"a secret, key or token", "tokens: 1,234",
		"-----BEGIN PRIVATE KEY----- is the first line of a key file", "see sk-learn and task-list, risk-assessment2025",
		// Text that was redacted before.
		"[redacted:jwt]", `password="a1[redacted:jwt]b2"`, "token=[redacted:secret]",
		// Addresses.
		"http://localhost:8080/@vite/client", "https://[::1]:8080/@x", "git@github.com:acme/pump.git",
		"https://github.com/acme/pump@v1.2.3", "ssh://git@host:22/x",
		"docker run -u 1000:1000 img", "https://user@host/x", "eyJhbGciOi.notjson.x", "mailto:a@b.c",
	}
}
