package redact

import (
	"slices"
	"strings"
)

// saidWords are the words for secrets in the languages in which people write.
var saidWords = [...]secretWord{
	{"mdp|phrase secr\u00e8te|frase secreta|frase de contrase\u00f1a|clave|contrasena|palavra-passe|palavra passe|parola d'ordine|parole|losung|zugangswort|codewort", judgeWord},
	{"l\u00f6senord|adgangskode|parol\u0103|m\u1eadt kh\u1ea9u|kata sandi|\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2|\u05e1\u05d9\u05e1\u05de\u05d4|\u0633\u0631", judgeWord},
	{"\ube44\ubc00\ubc88\ud638|\uc554\ud638|\ube44\ubc88|\ud328\uc2a4\uc6cc\ub4dc|\u5bc6\u94a5|\u79d8\u5bc6\u9375|\u5408\u8a00\u8449|\u30d1\u30b9\u30d5\u30ec\u30fc\u30ba", judgeWord},
	{"cl\u00e9 de s\u00e9curit\u00e9|cl\u00e9 wifi|cl\u00e9 wi-fi|contenu de la cl\u00e9|contenido de la clave|key content|schl\u00fcsselinhalt|netzwerkschl\u00fcssel", judgeWord},
	{"wlan-schl\u00fcssel", judgeWord},
	{"code secret|pin|pin-kod|\u043f\u0438\u043d-\u043a\u043e\u0434|\u041f\u0418\u041d-\u043a\u043e\u0434|t\u00fcrcode|\u6697\u8a3c\u756a\u53f7|\u9a8c\u8bc1\u7801", judgePIN},
	{"\u63d0\u53d6\u7801|\u8a8d\u8a3c\u30b3\u30fc\u30c9|\u043f\u0438\u043d|\u041f\u0418\u041d", judgePIN},
	{"parola|has\u0142o|haslo|\u015fifre|\u015eifre|sifre|heslo|jelsz\u00f3|salasana|parool|lozinka|\u043f\u0430\u0440\u043e\u043b|\u041f\u0430\u0440\u043e\u043b", judgeInflected},
	{"code|c\u00f3digo|codigo|codice|kod|\u043a\u043e\u0434", judgeCode},
	{"login|cred|basic auth|zugang|anmeldedaten|identifiants|credenciales|credenciais|credenziali|inloggegevens|dane logowania|\u043b\u043e\u0433\u0438\u043d|\u8d26\u53f7", judgeLogin},
	{"\u30ed\u30b0\u30a4\u30f3|\uacc4\uc815", judgeLogin},
	{"recovery|backup|scratch|emergency|wiederherstellung|ersatzcode|codes de secours|codes de r\u00e9cup\u00e9ration|c\u00f3digos de recuper|c\u00f3digos de respaldo", judgeCodes},
	{"codici di recupero|herstelcode|\u043a\u043e\u0434\u044b \u0432\u043e\u0441\u0441\u0442\u0430\u043d\u043e\u0432\u043b\u0435\u043d\u0438\u044f|\u6062\u590d\u7801", judgeCodes},
	{"\u6062\u590d\u4ee3\u7801|\u5907\u7528\u7801|\u30ea\u30ab\u30d0\u30ea\u30fc\u30b3\u30fc\u30c9|\u30d0\u30c3\u30af\u30a2\u30c3\u30d7\u30b3\u30fc\u30c9", judgeCodes},
	{"\ubcf5\uad6c \ucf54\ub4dc", judgeCodes},
	{"license|licence|product key|windows key|office key|steam key|cd key|cd-key|serial|activation|lizenz|produktschl\u00fcssel|seriennummer|freischaltcode|cl\u00e9 de licence", judgeLicence},
	{"clave de licencia|clave de producto|chave de licen\u00e7a|chiave di licenza|licentie|\u6fc0\u6d3b\u7801|\u5e8f\u5217\u53f7|\u30e9\u30a4\u30bb\u30f3\u30b9\u30ad\u30fc", judgeLicence},
	{"schl\u00fcssel|cl\u00e9|chave|chiave|sleutel|klucz|\u043a\u043b\u044e\u0447|anahtar|nyckel|kl\u00ed\u010d|\u30ad\u30fc|\ud0a4|jeton|\u0442\u043e\u043a\u0435\u043d", judgeForeign},
	{"\u30c8\u30fc\u30af\u30f3|\u4ee4\u724c|\ud1a0\ud070", judgeForeign},
	{"metamask|ledger|trezor|phantom|electrum|wallet|bip39", judgeSeed},
}

// said is what a sentence needs to know of a name.
type said struct {
	digits bool // a number may be the value
	login  bool // user and password stand together
	codes  bool // the value is in groups
	list   bool // or in a list below
}

// judgeInflected is for words of languages that add to them.
func judgeInflected(n *name, head, word, tail string) bool {
	n.password, n.foreign = true, true
	return (word[0] >= 0x80 || freeWord(head, word[0])) && len(tail) <= 4 && !strings.ContainsAny(tail, "_.")
}

// judgeForeign is for the words for key and token in other languages, of which the value
// must look drawn.
func judgeForeign(n *name, head, word, tail string) bool {
	n.drawn, n.foreign = true, true
	return (word[0] >= 0x80 || freeWord(head, word[0]) || hasSuffixFold(head, "-")) && len(tail) <= 4 && !strings.ContainsAny(tail, "_.")
}

func judgePIN(n *name, head, word, tail string) bool {
	n.drawn, n.said.digits = true, true
	rest := strings.TrimLeft(strings.ToLower(tail), "-s")
	return (word[0] >= 0x80 || freeWord(head, word[0])) && (rest == "" || rest == "code" || rest == "nummer")
}

// codeKinds are the codes that open something, as the word before one says.
var codeKinds = [...]string{"door", "gate", "entry", "access", "alarm", "safe", "garage", "lock", "unlock", "security", "building", "lockbox", "keypad", "puk", "t\u00fcr", "tor", "zugangs", "sicherheits", "entsperr", "haust\u00fcr"}

// judgeCode is for a word that says a secret only with another: door code, code d'accès.
func judgeCode(n *name, head, word, tail string) bool {
	n.drawn, n.said.digits = true, true
	return tail == "" && (hasAnySuffix(strings.TrimRight(head, "-"), codeKinds[:]) || head == "" && hasAnySuffix(n.before, codeKinds[:]) || head == "" && len(word) > 0 && n.opens)
}

func judgeLogin(n *name, head, word, tail string) bool {
	n.drawn, n.said.login = true, true
	return word[0] >= 0x80 || freeWord(head, word[0]) && slices.Contains([]string{"", "s", "entials", "sdaten", "ential"}, strings.ToLower(tail))
}

func judgeLicence(n *name, head, word, _ string) bool {
	n.drawn, n.said.codes = true, true
	return word[0] >= 0x80 || freeWord(head, word[0])
}

func judgeCodes(n *name, head, word, tail string) bool {
	n.said.list = true
	return judgeLicence(n, head, word, tail)
}
