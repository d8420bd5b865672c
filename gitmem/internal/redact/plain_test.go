package redact_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// TestTextsWithoutASecretStay has the neighbours of each form in which a secret
// stands: the same place with something else in it.
func TestTextsWithoutASecretStay(t *testing.T) {
	t.Parallel()
	r := redact.New()
	for _, in := range slices.Concat(plainCode(), plainShell(), plainSentences()) {
		if got, found := r.Text(in); got != in || found != nil {
			t.Errorf("%q\n became %q", in, got)
		}
	}
}

// plainCode are texts of code and configuration.
func plainCode() []string {
	return []string{
		// Paths and references where a key would be.
		"token: /run/secrets/token", "PRIVATE_KEY=/etc/ssl/private/app-2024.key",
		"--token /var/run/secrets/kubernetes.io/serviceaccount/token", "secret: /Users/annLee/src/AppServer2/key.pem",
		"private_key: /home/dev/.ssh/id_ed25519", "--token -v", "token: -foo.Bar2", "const ok = !!node.exclamationToken2;",
		"apiKey: &apiKeyFromVault2",
		// SQL that is about passwords.
		"ALTER USER app PASSWORD EXPIRE;", "ALTER USER app PASSWORD NULL", "SET PASSWORD FOR 'app'@'%' = '<password>'",
		"the user password 'is stored'", "CREATE TABLE t (id int, password text)",
		// Short names that mean something else.
		"pw := bufio.NewWriter(w)", "pw: 12", "pw.Write(b)", "DB_PW=$DB_PW", "npw = 3", "pw = playwright.chromium",
		"DB_PW=changeme", "userpass:", "vault auth enable userpass", "bypass: a1b2c3d4",
		// Calls.
		`db.auth(user, password)`, `auth("GET", "/v1/users2")`, `r.auth("user", "password")`,
		`smtp.PlainAuth("", "ann1@acme.com", password, host)`, `.login("ann1", process.env.PASSWORD2)`,
		`oauth("read", "$SCOPE1")`,
		"should_pass(\"WinDLL('./_sqlite3.dll')\")",
		// Words with signs that nobody drew as a password.
		"Subject: =?utf-8?q?Caf=C3=A9_B4r?=", "e?Ab1C2dE3f4:G5h6I7", "x1Y?.z2A3b?.C4d5E6f", "perLoopStep*N+1",
		"next=%2Fx%3FUser%3Da1B2c3D4", "docs/X1y2Z3.md#L12-L30", "wait for IsWow64Process2?", "!t2.HasShape4U5()",
		`b"OifNtP*GA-R8>}2SXo+ITwPvYU}0ioWMyV&XlZI|Y;A6DaB*^Tbai%"`, "git rebase -i HEAD~2Ab3Cd", "id: N3wyyEU7TQ8BsOQgxCmlR",
		// A word, a type or a place between a name and what stands behind it.
		"the result set pass `evaluate=True` to give L", "#define PASSWORD_LEN 12", "char password[12];",
		"std::string Token::name2()", "<Password type=\"x1\">", "password 'must have 8 characters'",
		"password for ann: ", "the password for it: see the wiki page", "pass: 12, fail: 3", "user: x\npass: TestLogin2",
		"--set image.tag=v1.2.3", "enable password encryption", "the psk of the network2", "net use Z: \\\\nas\\share1",
		"openssl req -key k2.pem", "ssh-keygen -t rsa -N \"\" -f k2", "this.renderPass_=renderPass;this.x=1",
		"dom(item);item.renderPass=renderPass;", "password: \"environment\"", "setuser root2", "the target host/app2 is up",
		// Numbers, keys of several, addresses.
		"Key 1: the first", "case token 3: a2", "unseal_keys_b64: []", `"tokens": ["IDENT2", "INT64", "STRING"]`,
		"main.go:123:45: undefined: x", "2001:658:22a:cafe:200:0:0:1%scope1", "a.yml:120:image:acme:v1.2",
		"10:11:12:13:14", "AKIA" + randomUpper[:16][:12] + " is cut off, " + randomHex[:40],
		// What names itself.
		"PrivateKey:  testP256PrivateKey,", "type ArrowToken = ArrowToken$1;",
		"exports.isNotClosingBraceToken = isNotClosingBraceToken;", `tokens: []Token{rawToken("0e12456789")}`,
		`"salt": "\U0001f9c2",`, `PASSWD = "%s:%s" % (USER, PW)`,
	}
}

// plainShell are texts of commands and of what programs show.
func plainShell() []string {
	return []string{
		// Flags and commands.
		"keytool -list -storepass changeit", "zip -r out2.zip docs1", "unzip -P \"$PW\" a.zip", "7z x archive1.7z -p",
		"sqlcmd -S db1 -U sa -P $SA_PASSWORD", "docker run mongo -p 27017:27017", "mongosh -p --host db1",
		"docker login -u ann --password-stdin registry1", "ConvertTo-SecureString $plain -AsPlainText -Force",
		"ConvertTo-SecureString -String $env:PW1 -AsPlainText", "net user ann /add", "net user ann /delete",
		"vault operator unseal",
		"vault login -method=github", "the .net user guide of 2024", "smbclient //nas/share1 -U ann",
		"lftp -u deploy1 sftp://h", "plink -ssh root@h1 uptime", "nmcli dev wifi connect acme1", "--passphrase-file /run/k1",
		"-password-stdin x1",
		"xfreerdp /v:10.0.0.5 /u:ann1", "gpg --passphrase \"$PASSPHRASE\" -d a.gpg", "htpasswd -c .htpasswd ann1",
		// Tests that pass.
		"--- PASS: TestX1 (0.00s)",
		"--- PASS: TestPassword2 (0.01s)\n    --- PASS: TestPassword2/token_3 (0.00s)\nPASS\nok  \tacme/x1\t0.1s",
		"pass: TestLogin2", "PASS\tTestSecret2",
		// Names that end a line.
		"password:\n  type: string\n", "Password:\nLast login: Mon Jan 5 10:11:12", "Password:\nann@host1:~$ ls",
		"token:\n  valueFrom:\n    key: a1\n", "secret:\n\n## Section 2\n", "DB_PASSWORD=\nDB_HOST=db2.acme.com\n",
		"PASSWORD:\nDB_HOST=db2.acme.com\n", "the token:\nfunc2()\n", "Password:\n\nPasswords are checked by 2 rules.\n",
		// Tables.
		"| option | password |\n|---|---|\n| default | required |\n| type | string |\n",
		"| token | meaning |\n|---|---|\n| IDENT2 | a name |\n", "| token | the access token of 2 users | string |",
		"id,name,password\n1,ann,\n2,bob,NULL\n", "name,token_type,day\nann,bearer2xyz,2026-01-02\n",
		"f(user, password, host)\ng(ann1, letmein2, db)\n",
		" id | password_changed_at\n----+---------------------\n  1 | 2026-01-02T10:11:12\n",
		"type T = | HmacKeyGenParams2 | Pbkdf2Params\n", "'new-password' | 'one-time-code2' | 'name'",
		"user, password, host\nann1, letmein2, db3\n",
		// Plans.
		`  ~ password = (sensitive value) -> (sensitive value)`, `  ~ instance_type = "t2.micro" -> "t3.large"`,
		`  + password = (known after apply)`, `  ~ password_length = "12" -> "16"`, `"syntax.Lit" -> "token.INT"`,
		// What programs show.
		"\tPassword       *uint16\n", "\tPassword  string2\n", "password  varchar2\n", "token   IDENT2\n", "token  sha256\n",
		"variable \"db_password\" {\n  type = string\n}", "DB_PASSWORD=[-changeme-]{+changeme+}",
		"db_password: {\n  type: string2\n}",
		"  DbPassword:\n    Type: String\n    NoEcho: true\n  Other:\n    Default: abc1234\n",
		"key := []byte{0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7}",
		"tokens: []token{0x33, 0x2e, 0x31, 0x34, 0x31, 0x35, 0x39, 0x32, 0x36}",
		"{token.IMAG, \"0123456abc89i\", literal},", "\"newKeyFromSeed\": \"newKeyFromSeed1024\",",
		"sort_key = \"aB3dE5fG7hJ9kL1m\"", "cache_key: \"3f2a91c4d5e6f708192a3b4c5d6e7f80\"",
		"const publicKey = \"aB3dE5fG7hJ9kL1mN2\"", "$ cat token.txt\ncat: token.txt: No such file or directory\n",
		"$ cat secret.yaml\napiVersion: v1\n", "$ cat src/main2.go\npackage2\n",
		"openssl rand -hex 32\n", "$ openssl rand -hex 16 > key2\n$ ls\n",
		"$ vault kv get -field=password secret/db\nNo value found at secret/db\n", "echo hello2 | base64 -d",
		"echo hello2 | tee a", "cmd <<< \"hello2\"", "send \"hello2\\r\"", "expect \"login:\"\nsend \"ann2\\r\"",
		"AUTH LOGIN", "auth required pam_unix2.so", "the wifi: T:x;", "WIFI:T:nopass;S:Guest2;;", "\"hello\".toCharArray()",
		"\"0123456789abcdef\".toCharArray()", "\"text\".getBytes()", "INSERT INTO users (name, password) VALUES (?, ?)",
		"INSERT INTO users (name, password) VALUES ('ann', NULL)", "insert into t (id, name) values (1, 'ann2b')",
		"jwt.sign(payload, process.env.JWT_SECRET)", "jwt.verify(token, key2)", "createHmac('sha256', secret)",
		"hmac.new(key2, msg, sha256)", "encrypt(row, \"utf8\")", "client(\"eu-west-1\", \"v2\")",
		"page.fill('#password', password2)", "page.fill('#username', 'ann2')", "env('MAIL_PASSWORD', 'null')",
		"ENV.fetch(\"DB_PASSWORD\") { raise }",
		"snmp-server community public RO", "rocommunity public default", "neighbor 10.0.0.2 remote-as 65001",
		"radius-server host 10.1.1.1", "2024-01-02-03-04-05-06", "123456-123456 of 8",
		"Password for 'https://ann@git.acme.com': ", "0x" + strings.Repeat("1a2b", 16), "password = base64.b64decode(raw2)",
		"## The staging password is set ^s-3f2a91c4", "- [work] Change the password (L2 14:03) ^i-90ab14r2fd",
		"key.md line 3 (password) since commit f4a5ce2ea69c: in a history",
		"the password is gone since commit `f4a5ce2ea69c`",
	}
}

// plainSentences are sentences, also of two lines.
func plainSentences() []string {
	return []string{
		// Sentences about a password, with a word on the next line.
		"The password is asked for below.\n\nLinux64\n", "password rules\nlib/auth2.go\n",
		"// the password of the user\nfunc2()\n",
		// Words.
		"password: see the vault of the team", "passphrase: must be long and hard", "seed: 1234567",
		"seed: the same for every run", "phrase: correct horse", "wifi password: ask the desk",
		"the mnemonic is derived from the seed",
		"Password: your email and the usual code", "seed = rng.Int63n2(4)", "wifi password: required",
		// Sentences about passwords that hold none.
		"using username and password authentication.\n\n### Data in postgres (L1–L17) ^t-00000002-1\n",
		"the password is stored hashed", "the password is hashed with sha256", "password is at least 12 characters long",
		"your password must contain 2 digits", "the token is valid for 3600 seconds",
		"passwords are hashed with bcrypt, see RFC2898",
		"Passwort ist falsch", "Das Kennwort wurde ge\u00e4ndert.", "Das Passwort l\u00e4uft in 30 Tagen ab",
		"Passwort aus config.php entfernt", "Kennwort vergessen?", "Zugangsdaten wurden gel\u00f6scht",
		"Das Passwort ist mindestens 12 Zeichen lang",
		"le mot de passe est incorrect", "mot de passe oubli\u00e9 ?", "le mot de passe est trop court (8 caract\u00e8res)",
		"identifiants FTP en dur supprim\u00e9s", "le code de la page est ici", "le code de retour est 0",
		"la contrase\u00f1a es incorrecta", "la clave primaria es id", "la clave es obligatoria", "contrase\u00f1a olvidada",
		"el c\u00f3digo de estado es 404", "a senha est\u00e1 errada", "senha incorreta", "a senha deve ter 8 caracteres",
		"la password \u00e8 errata", "la parola chiave \u00e8 return", "wachtwoord vergeten?", "het wachtwoord is verlopen",
		"has\u0142o jest nieprawid\u0142owe", "\u015fifre yanl\u0131\u015f", "heslo je \u0161patn\u00e9",
		"l\u00f6senordet \u00e4r fel",
		"\u043f\u0430\u0440\u043e\u043b\u044c \u043d\u0435\u0432\u0435\u0440\u0435\u043d",
		"\u0437\u0430\u0431\u044b\u043b\u0438 \u043f\u0430\u0440\u043e\u043b\u044c?", "\u5bc6\u7801\u9519\u8bef",
		"\u5bc6\u7801\u662f\u5fc5\u586b\u9879", "\u5bc6\u7801\u957f\u5ea6\u4e3a 8 \u4f4d", "\u4fee\u6539\u5bc6\u7801",
		"\u30d1\u30b9\u30ef\u30fc\u30c9\u304c\u9055\u3044\u307e\u3059",
		"\u30d1\u30b9\u30ef\u30fc\u30c9\u306f8\u6587\u5b57\u4ee5\u4e0a",
		"\ube44\ubc00\ubc88\ud638\uac00 \ud2c0\ub838\uc2b5\ub2c8\ub2e4", "the PIN is wrong", "pin 13 of the board is high",
		"GPIO pin 4 is an output", "the pin must have 4 digits", "pin the version to v1.2.3",
		"error code 4040", "the exit code is 1", "exit code: 137", "code for the parser is in parse2.go",
		"login failed for user ann after 3 tries", "login: required", "the login page is at /login2",
		"credentials are read from ~/.aws/credentials",
		"recovery took 12 seconds", "recovery code is missing", "backup codes are listed below:\nnone yet\n",
		"backup of 2024-01-02\n2024-01-03\n2024-01-04\n", "license: MIT", "License: Apache-2.0", "serial number 12",
		"the wallet\nis a thing of leather\n",
		"password changed from md5 to sha256", "set the password to the value of the variable", "is this the password?\nno\n",
		"use base64 as password encoding", "`sha256` is the password hash", "the key is that the password is optional",
	}
}
