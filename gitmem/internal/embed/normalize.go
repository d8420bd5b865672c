package embed

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/gitmem/gitmem/internal/lazy"
)

// normalizer is the BertNormalizer of a tokenizer.json. By default accents are stripped if letters are lower-cased.
type normalizer struct {
	Type    string `json:"type"`
	Clean   bool   `json:"clean_text"`
	Chinese bool   `json:"handle_chinese_chars"`
	Strip   *bool  `json:"strip_accents"`
	Lower   bool   `json:"lowercase"`
}

func parseNormalizer(src json.RawMessage) (normalizer, error) {
	n := normalizer{Type: "none", Clean: true, Chinese: true, Lower: true}
	if len(src) > 0 {
		if err := json.Unmarshal(src, &n); err != nil {
			return n, fmt.Errorf("its normalizer can't be read: %w", err)
		}
	}
	if n.Type != "BertNormalizer" {
		return n, fmt.Errorf("its normalizer is %q: only BertNormalizer can be read", n.Type)
	}
	return n, nil
}

// ideograph matches the ideographs that BERT treats as separate words.
var ideograph = lazy.Pattern(`[\x{4E00}-\x{9FFF}\x{3400}-\x{4DBF}\x{20000}-\x{2A6DF}\x{2A700}-\x{2B73F}\x{2B740}-\x{2` +
	`B81F}\x{2B920}-\x{2CEAF}\x{F900}-\x{FAFF}\x{2F800}-\x{2FA1F}]`)

// text returns a normalised text.
func (n normalizer) text(s string) string {
	if n.Clean {
		s = strings.Map(clean, s)
	}
	if n.Chinese && !isASCII(s) {
		s = ideograph().ReplaceAllString(s, " $0 ")
	}
	if n.strips() {
		s = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(s))
	}
	if n.Lower {
		s = strings.Map(unicode.ToLower, s)
	}
	return s
}

// strips reports whether accents are stripped.
func (n normalizer) strips() bool { return n.Strip == nil && n.Lower || n.Strip != nil && *n.Strip }

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// clean drops control characters and converts white space to blanks.
func clean(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case r == unicode.ReplacementChar || unicode.Is(unicode.C, r):
		return -1
	case unicode.IsSpace(r) || unicode.Is(unicode.Zs, r):
		return ' '
	}
	return r
}

// standsAlone reports whether a rune is a separate word.
func standsAlone(r rune) bool {
	return unicode.IsPunct(r) || r <= unicode.MaxASCII && unicode.IsSymbol(r)
}
