package embed

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxTokenizerBytes = 256 << 20

// tokenizer splits texts into the ids of word pieces, without special tokens.
type tokenizer struct {
	words    map[string]int32 // pieces at the beginning of a word
	inner    map[string]int32 // pieces within one, without their prefix
	unknown  int32            // -1: there is none
	maxRunes int              // of a word; a longer one is unknown
	longest  int              // bytes of the longest piece
	tokens   int              // one more than the largest id
	normal   normalizer
}

// tokenizerFile is the part of tokenizer.json that is used.
type tokenizerFile struct {
	Normalizer   json.RawMessage `json:"normalizer"`
	PreTokenizer struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	Added []struct {
		Content string `json:"content"`
		Special bool   `json:"special"`
	} `json:"added_tokens"`
	Model wordPieceModel `json:"model"`
}

type wordPieceModel struct {
	Type     string          `json:"type"`
	Unknown  string          `json:"unk_token"`
	Prefix   string          `json:"continuing_subword_prefix"`
	MaxRunes int             `json:"max_input_chars_per_word"`
	Vocab    json.RawMessage `json:"vocab"`
}

// parseTokenizer reads a tokenizer.json. What it does not support is an error that names
// it: text that is split differently gets meaningless vectors.
func parseTokenizer(src []byte) (*tokenizer, error) {
	f := tokenizerFile{Model: wordPieceModel{Prefix: "##", MaxRunes: 100}}
	if err := json.Unmarshal(src, &f); err != nil {
		return nil, fmt.Errorf("it can't be read: %w", err)
	}
	if f.Model.Type != "WordPiece" {
		return nil, fmt.Errorf("its model is %q: only WordPiece can be read", f.Model.Type)
	}
	if f.PreTokenizer.Type != "BertPreTokenizer" {
		return nil, fmt.Errorf("its pre-tokenizer is %q: only BertPreTokenizer can be read", f.PreTokenizer.Type)
	}
	for _, a := range f.Added { // special tokens, which texts do not contain
		if !a.Special {
			return nil, fmt.Errorf("it adds the token %q beside its vocabulary: that can't be read", a.Content)
		}
	}
	normal, err := parseNormalizer(f.Normalizer)
	if err != nil {
		return nil, err
	}
	t := &tokenizer{unknown: -1, maxRunes: min(f.Model.MaxRunes, 1000), normal: normal}
	return t, t.addVocab(f.Model)
}

func (t *tokenizer) addVocab(m wordPieceModel) error {
	var vocab map[string]int64
	if err := json.Unmarshal(m.Vocab, &vocab); err != nil {
		return fmt.Errorf("its vocabulary can't be read: %w", err)
	}
	if len(vocab) == 0 || len(vocab) > maxTokens {
		return fmt.Errorf("its vocabulary has %d tokens", len(vocab))
	}
	t.words, t.inner = make(map[string]int32, len(vocab)), map[string]int32{}
	for piece, id := range vocab {
		if id < 0 || id >= maxTokens {
			return fmt.Errorf("the token %q has the id %d", piece, id)
		}
		t.tokens = max(t.tokens, int(id)+1)
		t.longest = max(t.longest, len(piece))
		t.words[piece] = int32(id)
		if rest, ok := strings.CutPrefix(piece, m.Prefix); ok {
			t.inner[rest] = int32(id)
		}
	}
	if id, ok := t.words[m.Unknown]; ok {
		t.unknown = id
	}
	return nil
}

// ids splits a text into at most limit known pieces.
func (t *tokenizer) ids(text string, limit int, dst []int32) []int32 {
	dst = dst[:0]
	var word [256]byte
	buf := word[:0]
	for _, r := range t.normal.text(text) {
		switch {
		case unicode.IsSpace(r):
			dst = t.word(buf, dst)
			buf = buf[:0]
		case standsAlone(r):
			dst = t.word(buf, dst)
			dst = t.word(utf8.AppendRune(word[:0], r), dst)
			buf = word[:0]
		default:
			buf = utf8.AppendRune(buf, r)
		}
		if len(dst) >= limit {
			return dst[:limit]
		}
	}
	dst = t.word(buf, dst)
	return dst[:min(len(dst), limit)]
}

// word adds the pieces of one word, the longest first from the left. A word with
// a part that no piece covers is unknown as a whole and dropped.
func (t *tokenizer) word(w []byte, dst []int32) []int32 {
	if len(w) == 0 || utf8.RuneCount(w) > t.maxRunes {
		return dst
	}
	before := len(dst)
	pieces := t.words
	for at := 0; at < len(w); {
		id, n := longestPiece(pieces, w[at:min(len(w), at+t.longest)])
		if n == 0 {
			return dst[:before]
		}
		if id != t.unknown {
			dst = append(dst, id)
		}
		at += n
		pieces = t.inner
	}
	return dst
}

// longestPiece is the longest prefix of w that is a piece, and its bytes.
func longestPiece(pieces map[string]int32, w []byte) (id int32, n int) {
	for n := len(w); n > 0; n-- {
		if n < len(w) && !utf8.RuneStart(w[n]) {
			continue
		}
		if id, ok := pieces[string(w[:n])]; ok {
			return id, n
		}
	}
	return 0, 0
}
