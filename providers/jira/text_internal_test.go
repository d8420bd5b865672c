package jira

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestDocumentText(t *testing.T) {
	t.Parallel()
	const document = `{"type":"doc","version":1,"content":[
		{"type":"heading","attrs":{"level":2},"content":[{"type":"text","text":"Why"}]},
		{"type":"paragraph","content":[{"type":"text","text":"Ask "},{"type":"mention","attrs":{"text":"@Ada"}},
			{"type":"text","text":" or read "},
			{"type":"text","text":"the note","marks":[{"type":"link","attrs":{"href":"https://n.example"}}]},
			{"type":"hardBreak"},{"type":"inlineCard","attrs":{"url":"https://c.example"}}]},
		{"type":"bulletList","content":[
			{"type":"listItem","content":[{"type":"paragraph","content":[{"type":"text","text":"one"}]}]},
			{"type":"listItem","content":[{"type":"paragraph","content":[{"type":"text","text":"two"}]}]}]},
		{"type":"codeBlock","attrs":{"language":"go"},"content":[{"type":"text","text":"x := 1"}]},
		{"type":"unknown","content":[{"type":"text","text":"kept"}]}]}`
	const want = "Why\n\nAsk @Ada or read the note (https://n.example)\nhttps://c.example\n\n\n\n- one\n- two\n\n\n```\n" +
		"x := 1\n```\nkept"
	if got := documentText(json.RawMessage(document)); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, bad := range []string{"", "null", "7", `{"content":7}`, `[`} {
		if got := documentText(json.RawMessage(bad)); got != "" {
			t.Errorf("documentText(%s) = %q", bad, got)
		}
	}
}

func TestWikiText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"h2. Why\r\nSee [the note|https://n.example].": "## Why\nSee the note (https://n.example).",
		"Ask [~ada] or [~accountid:5b1].":              "Ask @ada or @5b1.",
		"{code:java}\nx = {1};\n{code}":                "```\nx = {1};\n```",
		"{color:red}stop{color} a[0] {x":               "stop a[0] {x",
		"[https://n.example] [^file.png]":              "https://n.example [^file.png]",
		"h9. no":                                       "h9. no",
	} {
		if got := wikiText(in); got != want {
			t.Errorf("wikiText(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzTexts(f *testing.F) {
	f.Add(`{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a"}]}]}`)
	f.Add("h1. a {code} [b|c] [~d] {color:red")
	f.Fuzz(func(t *testing.T, s string) {
		documentText(json.RawMessage(s))
		if got := wikiText(s); utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("wikiText(%q) = %q is not valid UTF-8", s, got)
		}
	})
}
