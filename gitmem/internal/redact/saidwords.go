package redact

import (
	"slices"
	"strings"
)

// saidWords are the words for secrets in the languages in which people write.
var saidWords = [...]secretWord{
	{"mdp", judgeWord}, {"phrase secr\u00e8te", judgeWord}, {"code secret", judgePIN}, {"frase secreta", judgeWord}, {"frase de contrase\u00f1a", judgeWord},
	{"clave", judgeWord}, {"contrasena", judgeWord}, {"palavra-passe", judgeWord}, {"palavra passe", judgeWord}, {"parola d'ordine", judgeWord}, {"parola", judgeInflected},
	{"parole", judgeWord}, {"losung", judgeWord}, {"zugangswort", judgeWord}, {"codewort", judgeWord}, {"has\u0142o", judgeInflected}, {"haslo", judgeInflected},
	{"\u015fifre", judgeInflected}, {"\u015eifre", judgeInflected}, {"sifre", judgeInflected}, {"heslo", judgeInflected}, {"jelsz\u00f3", judgeInflected}, {"l\u00f6senord", judgeWord},
	{"adgangskode", judgeWord}, {"salasana", judgeInflected}, {"parool", judgeInflected}, {"parol\u0103", judgeWord}, {"lozinka", judgeInflected}, {"m\u1eadt kh\u1ea9u", judgeWord},
	{"kata sandi", judgeWord}, {"\u043f\u0430\u0440\u043e\u043b", judgeInflected}, {"\u041f\u0430\u0440\u043e\u043b", judgeInflected}, {"\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2", judgeWord},
	{"\u05e1\u05d9\u05e1\u05de\u05d4", judgeWord}, {"\u0633\u0631", judgeWord}, {"\ube44\ubc00\ubc88\ud638", judgeWord}, {"\uc554\ud638", judgeWord}, {"\ube44\ubc88", judgeWord}, {"\ud328\uc2a4\uc6cc\ub4dc", judgeWord},
	{"\u5bc6\u94a5", judgeWord}, {"\u79d8\u5bc6\u9375", judgeWord}, {"\u5408\u8a00\u8449", judgeWord}, {"\u30d1\u30b9\u30d5\u30ec\u30fc\u30ba", judgeWord},
	{"pin", judgePIN}, {"pin-kod", judgePIN}, {"\u043f\u0438\u043d-\u043a\u043e\u0434", judgePIN}, {"\u041f\u0418\u041d-\u043a\u043e\u0434", judgePIN}, {"t\u00fcrcode", judgePIN}, {"\u6697\u8a3c\u756a\u53f7", judgePIN}, {"\u9a8c\u8bc1\u7801", judgePIN}, {"\u63d0\u53d6\u7801", judgePIN}, {"\u8a8d\u8a3c\u30b3\u30fc\u30c9", judgePIN}, {"\u043f\u0438\u043d", judgePIN}, {"\u041f\u0418\u041d", judgePIN},
	{"code", judgeCode}, {"c\u00f3digo", judgeCode}, {"codigo", judgeCode}, {"codice", judgeCode}, {"kod", judgeCode}, {"\u043a\u043e\u0434", judgeCode},
	{"login", judgeLogin}, {"cred", judgeLogin}, {"basic auth", judgeLogin}, {"zugang", judgeLogin}, {"anmeldedaten", judgeLogin}, {"identifiants", judgeLogin},
	{"credenciales", judgeLogin}, {"credenciais", judgeLogin}, {"credenziali", judgeLogin}, {"inloggegevens", judgeLogin}, {"dane logowania", judgeLogin}, {"\u043b\u043e\u0433\u0438\u043d", judgeLogin},
	{"\u8d26\u53f7", judgeLogin}, {"\u30ed\u30b0\u30a4\u30f3", judgeLogin}, {"\uacc4\uc815", judgeLogin},
	{"recovery", judgeCodes}, {"backup", judgeCodes}, {"scratch", judgeCodes}, {"emergency", judgeCodes}, {"wiederherstellung", judgeCodes}, {"ersatzcode", judgeCodes}, {"codes de secours", judgeCodes},
	{"codes de r\u00e9cup\u00e9ration", judgeCodes}, {"c\u00f3digos de recuper", judgeCodes}, {"c\u00f3digos de respaldo", judgeCodes}, {"codici di recupero", judgeCodes}, {"herstelcode", judgeCodes},
	{"\u043a\u043e\u0434\u044b \u0432\u043e\u0441\u0441\u0442\u0430\u043d\u043e\u0432\u043b\u0435\u043d\u0438\u044f", judgeCodes}, {"\u6062\u590d\u7801", judgeCodes}, {"\u6062\u590d\u4ee3\u7801", judgeCodes}, {"\u5907\u7528\u7801", judgeCodes},
	{"\u30ea\u30ab\u30d0\u30ea\u30fc\u30b3\u30fc\u30c9", judgeCodes}, {"\u30d0\u30c3\u30af\u30a2\u30c3\u30d7\u30b3\u30fc\u30c9", judgeCodes}, {"\ubcf5\uad6c \ucf54\ub4dc", judgeCodes},
	{"license", judgeLicence}, {"licence", judgeLicence}, {"product key", judgeLicence}, {"windows key", judgeLicence}, {"office key", judgeLicence}, {"steam key", judgeLicence}, {"cd key", judgeLicence}, {"cd-key", judgeLicence}, {"serial", judgeLicence}, {"activation", judgeLicence}, {"lizenz", judgeLicence}, {"produktschl\u00fcssel", judgeLicence}, {"seriennummer", judgeLicence},
	{"freischaltcode", judgeLicence}, {"cl\u00e9 de licence", judgeLicence}, {"clave de licencia", judgeLicence}, {"clave de producto", judgeLicence}, {"chave de licen\u00e7a", judgeLicence}, {"chiave di licenza", judgeLicence}, {"licentie", judgeLicence},
	{"\u6fc0\u6d3b\u7801", judgeLicence}, {"\u5e8f\u5217\u53f7", judgeLicence}, {"\u30e9\u30a4\u30bb\u30f3\u30b9\u30ad\u30fc", judgeLicence},
	{"cl\u00e9 de s\u00e9curit\u00e9", judgeWord}, {"cl\u00e9 wifi", judgeWord}, {"cl\u00e9 wi-fi", judgeWord}, {"contenu de la cl\u00e9", judgeWord}, {"contenido de la clave", judgeWord}, {"key content", judgeWord}, {"schl\u00fcsselinhalt", judgeWord}, {"netzwerkschl\u00fcssel", judgeWord}, {"wlan-schl\u00fcssel", judgeWord},
	{"schl\u00fcssel", judgeForeign}, {"cl\u00e9", judgeForeign}, {"chave", judgeForeign}, {"chiave", judgeForeign}, {"sleutel", judgeForeign}, {"klucz", judgeForeign}, {"\u043a\u043b\u044e\u0447", judgeForeign}, {"anahtar", judgeForeign}, {"nyckel", judgeForeign}, {"kl\u00ed\u010d", judgeForeign}, {"\u30ad\u30fc", judgeForeign}, {"\ud0a4", judgeForeign},
	{"jeton", judgeForeign}, {"\u0442\u043e\u043a\u0435\u043d", judgeForeign}, {"\u30c8\u30fc\u30af\u30f3", judgeForeign}, {"\u4ee4\u724c", judgeForeign}, {"\ud1a0\ud070", judgeForeign},
	{"metamask", judgeSeed}, {"ledger", judgeSeed}, {"trezor", judgeSeed}, {"phantom", judgeSeed}, {"electrum", judgeSeed}, {"wallet", judgeSeed}, {"bip39", judgeSeed},
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
