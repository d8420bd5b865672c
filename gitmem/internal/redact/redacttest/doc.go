// Package redacttest plants secrets: it generates texts that contain a credential as texts in real life do, for tests
// that nothing secret is written, indexed or shown.
//
// It knows the formats that issuers document for their credentials, and the places where people leave them. It must not
// know how the redactor searches: nothing here is derived from its rules, so that a test with these texts is
// independent evidence. The source contains no secret: each is drawn from its format by a generator with a seed.
package redacttest

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// Secret is one planted credential.
type Secret struct {
	// Kind names the credential and its issuer, as in github-pat. The names are of this package; a redactor may use
	// others.
	Kind string
	// Form names the context: env, json, code, log, url, header, shell, prose and so on. Kind and Form together are
	// unique.
	Form string
	// Text is the line or the lines to plant, without a trailing line end.
	Text string
	// Value is the part of Text that must not survive. For a key of many lines it is one of them.
	Value string
}

// tables are the credentials and the contexts that [Planted] combines.
//
// If an issuer documents no format, the shape is that of published keys: RunPod, Brave, Together, Azure.
type tables struct {
	Bare     []place  // texts without information about the value
	Assigned []place  // texts that assign the value to a name
	Issued   []shaped // credentials identified by their format
	// credentials identified only by a vendor's name beside them; the names omit words like key where people do
	Named    []shaped
	Placed   []place  // credentials with their own texts
	Recent   []shaped // of newer vendors or formats; drawn last, so that an addition changes no other value
	Keys     []keyLabel
	Prefixes []place // prefixes of the lines of a key shown in a file
}

// shaped is a kind of credential with its format, see drawer.draw. If the format does not identify the issuer, Name is
// the name to use beside it.
type shaped struct{ Kind, Shape, Name string }

// place is a text for a value. In a placed credential, « and » mark the value; elsewhere VALUE is the value, and NAME,
// name, nameC and name- are its name in upper case, snake case, camel case and kebab case.
type place struct{ Kind, Form, Text string }

// planted is a JSON object of [tables].
//
//go:embed planted.json
var planted []byte

// Planted returns some 1,050 secrets of more than 450 kinds. The same seed gives the same secrets, another seed the
// same kinds with other values.
func Planted(seed uint64) []Secret {
	var t tables
	if err := json.Unmarshal(planted, &t); err != nil {
		panic("planted.json: " + err.Error())
	}
	d := &drawer{seed}
	var all []Secret
	for i, s := range t.Issued {
		all = append(all, d.issued(t, i, s)...)
	}
	for i, s := range t.Named {
		all = append(all, d.named(t, i, s)...)
	}
	for _, p := range t.Placed {
		all = append(all, d.placed(p))
	}
	all = append(all, d.blocks(t)...)
	for i, s := range t.Recent {
		if s.Name == "" {
			all = append(all, d.issued(t, i, s)...)
		} else {
			all = append(all, d.named(t, i, s)...)
		}
	}
	return all
}

// issued plants a credential that its format identifies: twice without a helpful context, once under a name.
func (d *drawer) issued(t tables, i int, s shaped) []Secret {
	var all []Secret
	for k := range 2 {
		f := t.Bare[(2*i+k)%len(t.Bare)]
		all = append(all, d.plant(s, f.Form, f.Text, ""))
	}
	f := t.Assigned[i%len(t.Assigned)]
	return append(all, d.plant(s, "named "+f.Form, f.Text, "service_token"))
}

// named plants a credential that only the name beside it identifies.
func (d *drawer) named(t tables, i int, s shaped) []Secret {
	var all []Secret
	for k := range 2 {
		f := t.Assigned[(2*i+k)%len(t.Assigned)]
		all = append(all, d.plant(s, f.Form, f.Text, s.Name))
	}
	return all
}

func (d *drawer) plant(s shaped, form, text, name string) Secret {
	value := d.draw(s.Shape)
	text = strings.NewReplacer("NAME", strings.ToUpper(name), "name-", strings.ReplaceAll(name, "_", "-"),
		"nameC", camel(name), "name", name, "VALUE", value).Replace(text)
	return Secret{Kind: s.Kind, Form: form, Text: text, Value: value}
}

// placed plants a credential in its own text, which marks it by « and ».
func (d *drawer) placed(p place) Secret {
	text := d.draw(p.Text)
	before, rest, _ := strings.Cut(text, "«")
	value, after, _ := strings.Cut(rest, "»")
	return Secret{Kind: p.Kind, Form: p.Form, Text: before + value + after, Value: value}
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
