package redact

import (
	"slices"
	"strings"
)

// proseWords are the words for secrets in the languages in which people write.
var proseWords = [...]secretWord{
	{judgeFree, name{password: true, foreign: true}, []string{
		"mdp", "phrase secrète", "frase secreta", "frase de contraseña", "clave", "contrasena", "palavra-passe",
		"palavra passe", "parola d'ordine", "parole", "losung",
		"zugangswort", "codewort", "lösenord", "adgangskode", "parolă", "mật khẩu", "kata sandi", "κωδικός",
		"\u05e1\u05d9\u05e1\u05de\u05d4", "\u0633\u0631", "비밀번호", "암호", "비번",
		"패스워드", "密钥", "秘密鍵", "合言葉", "パスフレーズ", "clé de sécurité", "clé wifi", "clé wi-fi", "contenu de la clé",
		"contenido de la clave", "key content", "schlüsselinhalt",
		"netzwerkschlüssel", "wlan-schlüssel",
	}},
	{judgePIN, name{random: true, prose: prose{digits: true}}, []string{"code secret", "pin", "pin-kod", "пин-код",
		"ПИН-код", "türcode", "暗証番号", "验证码", "提取码", "認証コード", "пин", "ПИН"}},
	{judgeInflected, name{password: true, foreign: true}, []string{"parola", "hasło", "haslo", "şifre", "Şifre", "sifre",
		"heslo", "jelszó", "salasana", "parool", "lozinka", "парол", "Парол"}},
	{judgeCode, name{random: true, prose: prose{digits: true}}, []string{"code", "código", "codigo", "codice",
		"kod", "код"}},
	{judgeLogin, name{random: true, prose: prose{login: true}}, []string{
		"login", "cred", "basic auth", "zugang", "anmeldedaten", "identifiants", "credenciales", "credenciais", "credenziali",
		"inloggegevens", "dane logowania", "логин", "账号",
		"ログイン", "계정",
	}},
	{judgeAny, name{random: true, prose: prose{codes: true, list: true}}, []string{
		"recovery", "backup", "scratch", "emergency", "wiederherstellung", "ersatzcode", "codes de secours",
		"codes de récupération", "códigos de recuper", "códigos de respaldo",
		"codici di recupero", "herstelcode", "коды восстановления", "恢复码", "恢复代码", "备用码", "リカバリーコード", "バックアップコード", "복구 코드",
	}},
	{judgeAny, name{random: true, prose: prose{codes: true}}, []string{
		"license", "licence", "product key", "windows key", "office key", "steam key", "cd key", "cd-key", "serial",
		"activation", "lizenz", "produktschlüssel", "seriennummer",
		"freischaltcode", "clé de licence", "clave de licencia", "clave de producto", "chave de licença", "chiave di licenza",
		"licentie", "激活码", "序列号", "ライセンスキー",
	}},
	{judgeInflected, name{random: true, foreign: true}, []string{"schlüssel", "clé", "chave", "chiave", "sleutel", "klucz",
		"ключ", "anahtar", "nyckel", "klíč", "キー", "키", "jeton", "токен", "トークン", "令牌", "토큰"}},
	{judgeAlone, name{phrase: true}, []string{"metamask", "ledger", "trezor", "phantom", "electrum", "wallet", "bip39"}},
}

// prose contains the properties of a name for parsing sentences.
type prose struct {
	digits bool // a number may be the value
	login  bool // the value may be a user name and a password
	codes  bool // the value is in groups
	list   bool // or in a list below
}

// judgeInflected applies to words of languages that inflect them.
func judgeInflected(_ *name, head, word, tail string) bool {
	return freeWord(head, word[0]) && len(tail) <= 4 && !strings.ContainsAny(tail, "_.")
}

func judgePIN(_ *name, head, word, tail string) bool {
	rest := strings.TrimLeft(strings.ToLower(tail), "-s")
	return freeWord(head, word[0]) && (rest == "" || rest == "code" || rest == "nummer")
}

// codeKinds are the words before code that make it a secret.
var codeKinds = [...]string{"door", "gate", "entry", "access", "alarm", "safe", "garage", "lock", "unlock", "security",
	"building", "lockbox", "keypad", "puk", "t\u00fcr", "tor", "zugangs", "sicherheits", "entsperr", "haust\u00fcr"}

// judgeCode applies to a word that names a secret only together with another one: door code, code d'accès.
func judgeCode(n *name, head, word, tail string) bool {
	return tail == "" && (hasAnySuffix(strings.TrimRight(head, "-"), codeKinds[:]) || head == "" &&
		hasAnySuffix(n.before, codeKinds[:]) || head == "" && len(word) > 0 && n.opens)
}

func judgeLogin(_ *name, head, word, tail string) bool {
	return word[0] >= 0x80 || freeWord(head, word[0]) && slices.Contains([]string{"", "s", "entials", "sdaten", "ential"},
		strings.ToLower(tail))
}
