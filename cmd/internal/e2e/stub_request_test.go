package e2e

import (
	"encoding/json"
	"strings"
)

// content is the content of a message: a text, or blocks of texts and tool results.
type content []block

type block struct {
	Type    string  `json:"type"`
	Text    string  `json:"text"`
	Content content `json:"content"` // of a tool's result
}

// UnmarshalJSON accepts both forms. Blocks of an unknown form are left out.
func (c *content) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	var raw []json.RawMessage
	if json.Unmarshal(b, &raw) != nil {
		return nil
	}
	for _, r := range raw {
		var one block
		if json.Unmarshal(r, &one) == nil {
			*c = append(*c, one)
		}
	}
	return nil
}

func (c content) text() string {
	var texts []string
	for _, b := range c {
		texts = append(texts, b.Text, b.Content.text())
	}
	return strings.Join(texts, "\n")
}

type body struct {
	Model    string  `json:"model"`
	System   content `json:"system"`
	Messages []struct {
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"messages"`
}

func (r Request) parsed() body {
	var b body
	_ = json.Unmarshal(r.Body, &b) // the stub has refused invalid JSON
	return b
}

// Conversation returns the text of all messages for the model, without the client's own instructions and
// tools.
func (r Request) Conversation() string {
	var texts []string
	for _, m := range r.parsed().Messages {
		texts = append(texts, m.Content.text())
	}
	return strings.Join(texts, "\n")
}

// Last returns the text of the last message of a person, or of tool results.
func (r Request) Last() string {
	messages := r.parsed().Messages
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == "user" {
			return messages[i].Content.text()
		}
	}
	return ""
}

// System returns the text of the client's instructions.
func (r Request) System() string { return r.parsed().System.text() }
