package jira

import (
	"encoding/json"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// node is a part of a Cloud document
// (https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/).
type node struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Content []node `json:"content"`
	Attrs   struct {
		Text      string `json:"text"`
		ShortName string `json:"shortName"`
		URL       string `json:"url"`
	} `json:"attrs"`
	Marks []struct {
		Type  string `json:"type"`
		Attrs struct {
			Href string `json:"href"`
		} `json:"attrs"`
	} `json:"marks"`
}

// documentText returns the text of a document, or "" if raw is not one.
func documentText(raw json.RawMessage) string {
	var n node
	if json.Unmarshal(raw, &n) != nil {
		return ""
	}
	var b strings.Builder
	n.write(&b, 0)
	return strings.TrimSpace(b.String())
}

// maxDepth is deeper than any text that people write.
const maxDepth = 100

// write writes the text of a node. For unknown types it writes the content.
func (n *node) write(b *strings.Builder, depth int) {
	if depth > maxDepth {
		return
	}
	switch n.Type {
	case "text":
		b.WriteString(n.Text)
		n.writeLink(b)
		return
	case "hardBreak":
		b.WriteByte('\n')
		return
	case "mention", "status", "date", "emoji":
		b.WriteString(n.Attrs.Text)
		if n.Attrs.Text == "" {
			b.WriteString(n.Attrs.ShortName)
		}
		return
	case "inlineCard", "blockCard", "embedCard":
		b.WriteString(n.Attrs.URL)
		return
	case "listItem", "taskItem", "decisionItem":
		b.WriteString("\n- ")
	case "codeBlock":
		b.WriteString("\n```\n")
		defer b.WriteString("\n```\n")
	case "tableCell", "tableHeader":
		b.WriteString(" | ")
	case "tableRow", "bulletList", "orderedList":
		b.WriteByte('\n')
	}
	inItem := n.Type == "listItem" || n.Type == "tableCell" || n.Type == "tableHeader"
	for i := range n.Content {
		n.Content[i].write(b, depth+1)
		if isBlock(n.Content[i].Type) && !inItem {
			b.WriteString("\n\n")
		}
	}
}

// isBlock reports whether nodes of this type start on a new line.
func isBlock(kind string) bool {
	switch kind {
	case "paragraph", "heading", "blockquote", "panel", "rule", "bulletList", "orderedList", "table":
		return true
	}
	return false
}

// writeLink writes the target of a link, unless its text is the target.
func (n *node) writeLink(b *strings.Builder) {
	for _, m := range n.Marks {
		if m.Type == "link" && m.Attrs.Href != "" && m.Attrs.Href != n.Text {
			b.WriteString(" (" + m.Attrs.Href + ")")
		}
	}
}

var (
	wikiHeading = lazy.Pattern(`(?m)^h[1-6]\.[ \t]*\S`)
	wikiMarks   = lazy.Pattern(`\{[^}\n]*\}|\[[^\]\n]*\]`)
)

// wikiText removes Jira wiki markup that hides text: links, mentions, colours, headings and code. The rest is
// readable unchanged.
func wikiText(s string) string {
	s = wikiHeading().ReplaceAllStringFunc(strings.ReplaceAll(s, "\r\n", "\n"), func(mark string) string {
		return strings.Repeat("#", int(mark[1]-'0')) + " " + strings.TrimSpace(mark[3:])
	})
	return strings.TrimSpace(wikiMarks().ReplaceAllStringFunc(s, wikiMark))
}

// wikiMark returns the plain text of a mark in braces or brackets. An unknown one is unchanged.
func wikiMark(mark string) string {
	inner := mark[1 : len(mark)-1]
	if mark[0] == '{' {
		name, _, _ := strings.Cut(inner, ":")
		switch name {
		case "code", "noformat":
			return "```"
		case "color", "quote", "panel", "anchor":
			return ""
		}
		return mark
	}
	if name, ok := strings.CutPrefix(inner, "~"); ok {
		return "@" + strings.TrimPrefix(name, "accountid:")
	}
	if text, address, ok := strings.Cut(inner, "|"); ok && text != "" {
		address, _, _ = strings.Cut(address, "|")
		return text + " (" + address + ")"
	}
	if strings.Contains(inner, "://") {
		return inner
	}
	return mark
}
