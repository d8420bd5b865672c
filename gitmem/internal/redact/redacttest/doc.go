// Package redacttest plants secrets: it makes texts that hold a credential as
// texts in real life do, for tests that nothing secret is written, indexed or
// shown.
//
// It knows the shapes that issuers document for their credentials, and the
// places where people leave them. It must not know how the redactor looks for
// them: nothing here is taken from its rules, so that a test with these texts
// says something about them. No secret stands in the source: each is drawn
// from its shape, by a generator that a seed determines.
package redacttest

import "strings"

// Secret is one planted credential.
type Secret struct {
	// Kind names what it is and whose, as in github-pat. The names are of this
	// package; a redactor may use others.
	Kind string
	// Form names the place: env, json, code, log, url, header, shell, prose
	// and so on. Kind and Form together are unique.
	Form string
	// Text is the line or the lines to plant, without a line end after the last.
	Text string
	// Value is the part of Text that must not survive. Of a key of many lines
	// it is one of them.
	Value string
}

// Planted returns some 1,050 secrets of more than 450 kinds. The same seed gives
// the same secrets, another seed the same kinds with other values.
func Planted(seed uint64) []Secret {
	d := &drawer{seed}
	var all []Secret
	for i, t := range issued {
		all = append(all, d.issued(i, t)...)
	}
	for i, t := range named {
		all = append(all, d.named(i, t)...)
	}
	for _, p := range placed {
		all = append(all, d.placed(p))
	}
	all = append(all, d.blocks()...)
	for i, t := range recent {
		if t.name == "" {
			all = append(all, d.issued(i, t)...)
		} else {
			all = append(all, d.named(i, t)...)
		}
	}
	return all
}

// issued plants a credential that says by itself what it is: twice where
// nothing around it helps, once under a name.
func (d *drawer) issued(i int, t shaped) []Secret {
	var all []Secret
	for k := range 2 {
		f := bare[(2*i+k)%len(bare)]
		all = append(all, d.plant(t.kind, f.form, f.text, t.shape, ""))
	}
	f := assigned[i%len(assigned)]
	return append(all, d.plant(t.kind, "named "+f.form, f.text, t.shape, "service_token"))
}

// named plants a credential that only the name beside it betrays.
func (d *drawer) named(i int, t shaped) []Secret {
	var all []Secret
	for k := range 2 {
		f := assigned[(2*i+k)%len(assigned)]
		all = append(all, d.plant(t.kind, f.form, f.text, t.shape, t.name))
	}
	return all
}

func (d *drawer) plant(kind, form, text, shape, name string) Secret {
	value := d.draw(shape)
	text = strings.NewReplacer("NAME", strings.ToUpper(name), "name-", strings.ReplaceAll(name, "_", "-"),
		"nameC", camel(name), "name", name, "VALUE", value).Replace(text)
	return Secret{Kind: kind, Form: form, Text: text, Value: value}
}

// placed plants a credential in a text of its own, which marks it by « and ».
func (d *drawer) placed(p place) Secret {
	text := d.draw(p.text)
	before, rest, _ := strings.Cut(text, "«")
	value, after, _ := strings.Cut(rest, "»")
	return Secret{Kind: p.kind, Form: p.form, Text: before + value + after, Value: value}
}

// camel turns some_name into someName.
func camel(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words[1:] {
		if w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}
