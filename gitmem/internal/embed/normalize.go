package embed

import (
	"encoding/json"
	"fmt"
	"iter"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normalizer is the BertNormalizer of a tokenizer.json.
type normalizer struct {
	clean, chinese, strip, lower bool
}

// parse reads the settings. Without the one about accents they go where letters
// become small.
func (n *normalizer) parse(src json.RawMessage) error {
	f := struct {
		Type    string `json:"type"`
		Clean   *bool  `json:"clean_text"`
		Chinese *bool  `json:"handle_chinese_chars"`
		Strip   *bool  `json:"strip_accents"`
		Lower   *bool  `json:"lowercase"`
	}{Type: "none"}
	if len(src) > 0 {
		if err := json.Unmarshal(src, &f); err != nil {
			return fmt.Errorf("its normalizer can't be read: %w", err)
		}
	}
	if f.Type != "BertNormalizer" {
		return fmt.Errorf("its normalizer is %q: only BertNormalizer can be read", f.Type)
	}
	on := func(b *bool, otherwise bool) bool {
		if b == nil {
			return otherwise
		}
		return *b
	}
	n.clean, n.chinese, n.lower = on(f.Clean, true), on(f.Chinese, true), on(f.Lower, true)
	n.strip = on(f.Strip, n.lower)
	return nil
}

// runes is the text as the model reads it.
func (n *normalizer) runes(text string) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for _, r := range text {
			if r < 0x80 {
				if r, ok := n.ascii(r); ok && !yield(r) {
					return
				}
				continue
			}
			if !n.other(r, yield) {
				return
			}
		}
	}
}

func (n *normalizer) ascii(r rune) (rune, bool) {
	if n.clean && (r < ' ' || r == 0x7f) {
		return ' ', r == '\t' || r == '\n' || r == '\r'
	}
	if n.lower && 'A' <= r && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r, true
}

// other yields a rune outside ASCII, and tells whether to go on.
func (n *normalizer) other(r rune, yield func(rune) bool) bool {
	if n.clean {
		if r == unicode.ReplacementChar || unicode.Is(unicode.C, r) {
			return true
		}
		if unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) {
			r = ' '
		}
	}
	if n.chinese && isChinese(r) {
		return yield(' ') && yield(r) && yield(' ')
	}
	if !n.strip {
		return yield(n.low(r))
	}
	var buf [32]byte
	for _, part := range string(norm.NFD.AppendString(buf[:0], string(r))) {
		if !unicode.Is(unicode.Mn, part) && !yield(n.low(part)) {
			return false
		}
	}
	return true
}

func (n *normalizer) low(r rune) rune {
	if n.lower {
		return unicode.ToLower(r)
	}
	return r
}

// isChinese tells the ideographs that BERT takes for words of their own.
func isChinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF ||
		r >= 0x2A700 && r <= 0x2B73F || r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}

// The kinds of runes that words are cut at.
const (
	within = iota
	space  // parts words
	alone  // a word of its own
)

func kindOf(r rune) int {
	if r < 0x80 {
		switch {
		case r == ' ' || r >= '\t' && r <= '\r':
			return space
		case r >= '!' && r <= '/', r >= ':' && r <= '@', r >= '[' && r <= '`', r >= '{' && r <= '~':
			return alone
		}
		return within
	}
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsPunct(r):
		return alone
	}
	return within
}
