package redacttest

import "strings"

// keyLabel is the text after BEGIN in a key that a program writes, and the lines below it.
type keyLabel struct{ Kind, Label, Header string }

// blocks plants keys of many lines: complete, truncated, and with the prefixes of editors, diffs and pagers.
func (d *drawer) blocks(t tables) []Secret {
	var all []Secret
	for i, l := range t.Keys {
		open := "-----BEGIN " + l.Label + "-----\n" + l.Header
		end := "\n-----END " + l.Label + "-----\n"
		plant := func(form, open, end string, shown func(string) string) {
			value := d.draw("{b64}")
			body := d.draw("{b64}\n{b64}\n") + value + d.draw("\n{b64}\n{b31}=")
			all = append(all, Secret{Kind: l.Kind, Form: form, Text: shown(open + body + end), Value: value})
		}
		plant("file", open, end, func(s string) string { return s })
		plant("cut off", open, "", func(s string) string { return s })
		plant("string", open, end, func(s string) string { return `{"key":"` + strings.ReplaceAll(s, "\n", `\n`) + `"}` })
		f := t.Prefixes[i%len(t.Prefixes)]
		plant(f.Form, open, end, before(f.Text))
		f = t.Prefixes[(i+3)%len(t.Prefixes)]
		plant(f.Form+" cut off", open, "", before(f.Text))
	}
	return append(all, d.putty())
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
