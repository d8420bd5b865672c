package redacttest

import "strings"

// keyLabels are what stands after BEGIN in the keys that programs write.
var keyLabels = [...]struct{ kind, label, header string }{
	{"pem-pkcs8", "PRIVATE KEY", ""},
	{"pem-rsa", "RSA PRIVATE KEY", ""},
	{"pem-rsa-encrypted", "RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123456789ABCDEF0123456789ABCDEF\n\n"},
	{"pem-ec", "EC PRIVATE KEY", ""},
	{"pem-dsa", "DSA PRIVATE KEY", ""},
	{"pem-encrypted", "ENCRYPTED PRIVATE KEY", ""},
	{"openssh-key", "OPENSSH PRIVATE KEY", ""},
	{"pgp-key", "PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\nComment: backup\n\n"},
	{"ssh2-key", "SSH2 ENCRYPTED PRIVATE KEY", "Comment: \"deploy\"\n"},
}

// blocks plants keys of many lines: whole, cut off, and with what editors,
// diffs and pagers put before their lines.
func (d *drawer) blocks() []Secret {
	var all []Secret
	for i, l := range keyLabels {
		open := "-----BEGIN " + l.label + "-----\n" + l.header
		end := "\n-----END " + l.label + "-----\n"
		plant := func(form, open, end string, shown func(string) string) {
			value := d.draw("{b64}")
			body := d.draw("{b64}\n{b64}\n") + value + d.draw("\n{b64}\n{b31}=")
			all = append(all, Secret{Kind: l.kind, Form: form, Text: shown(open + body + end), Value: value})
		}
		plant("file", open, end, func(s string) string { return s })
		plant("cut off", open, "", func(s string) string { return s })
		plant("string", open, end, func(s string) string { return `{"key":"` + strings.ReplaceAll(s, "\n", `\n`) + `"}` })
		f := prefixes[i%len(prefixes)]
		plant(f.form, open, end, before(f.text))
		f = prefixes[(i+3)%len(prefixes)]
		plant(f.form+" cut off", open, "", before(f.text))
	}
	return append(all, d.putty())
}

// prefixes are what stands before the lines of a key that is shown in a file.
var prefixes = [...]form{
	{"indented", "    "},
	{"diff", "+"},
	{"quoted", "> "},
	{"comment", "# "},
	{"numbered", "    12→"},
	{"numbered with tabs", "    12\t"},
	{"removed", "-  "},
	{"grep", "key.pem:12:"},
}

func before(prefix string) func(string) string {
	return func(s string) string {
		return prefix + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+prefix)
	}
}

func (d *drawer) putty() Secret {
	value := d.draw("{b64}")
	text := "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: deploy\nPublic-Lines: 1\n" + d.draw("{b64}") +
		"\nPrivate-Lines: 2\n" + value + d.draw("\n{b20}==\nPrivate-MAC: {h64}\n")
	return Secret{Kind: "putty-key", Form: "file", Text: text, Value: value}
}
