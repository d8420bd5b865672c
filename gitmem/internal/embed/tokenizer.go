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
	vocabulary
	unknown  int32 // -1 if there is none
	keeps    bool  // an unknown word becomes the unknown piece; otherwise it is dropped
	maxRunes int   // of a word; a longer one is unknown
	longest  int   // bytes of the longest piece
	tokens   int   // the largest id plus one
	normal   normalizer
}

// vocabulary finds word pieces: those that begin a word, or those inside a word, without their prefix.
type vocabulary interface {
	find(piece []byte, within bool) (id int32, ok bool)
}

// maps is a vocabulary in two maps.
type maps struct{ words, inner map[string]int32 }

func (m maps) find(piece []byte, within bool) (id int32, ok bool) {
	if within {
		id, ok = m.inner[string(piece)]
	} else {
		id, ok = m.words[string(piece)]
	}
	return id, ok
}

// tokenizerFile contains the relevant fields of tokenizer.json.
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

// parseTokenizer parses a tokenizer.json. It returns an error for unsupported features, since text that is split
// differently gets meaningless vectors.
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
	all := maps{make(map[string]int32, len(vocab)), map[string]int32{}}
	t.vocabulary = all
	for piece, id := range vocab {
		if id < 0 || id >= maxTokens {
			return fmt.Errorf("the token %q has the id %d", piece, id)
		}
		t.tokens = max(t.tokens, int(id)+1)
		t.longest = max(t.longest, len(piece))
		all.words[piece] = int32(id)
		if rest, ok := strings.CutPrefix(piece, m.Prefix); ok {
			all.inner[rest] = int32(id)
		}
	}
	if id, ok := all.words[m.Unknown]; ok {
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

// word adds the pieces of one word, greedily from the left. A word with a part that no piece covers is unknown as a
// whole.
func (t *tokenizer) word(w []byte, dst []int32) []int32 {
	if len(w) == 0 {
		return dst
	}
	before := len(dst)
	long := len(w) > t.maxRunes && utf8.RuneCount(w) > t.maxRunes
	for at := 0; at < len(w); {
		id, n := int32(0), 0
		if !long {
			id, n = t.longestPiece(w[at:min(len(w), at+t.longest)], at > 0)
		}
		if n == 0 {
			dst = dst[:before]
			if t.keeps {
				dst = append(dst, t.unknown)
			}
			return dst
		}
		if id != t.unknown || t.keeps {
			dst = append(dst, id)
		}
		at += n
	}
	return dst
}

// longestPiece returns the longest prefix of w that is a piece, and its length in bytes.
func (t *tokenizer) longestPiece(w []byte, within bool) (id int32, n int) {
	for n := len(w); n > 0; n-- {
		if n < len(w) && !utf8.RuneStart(w[n]) {
			continue
		}
		if id, ok := t.find(w[:n], within); ok {
			return id, n
		}
	}
	return 0, 0
}
