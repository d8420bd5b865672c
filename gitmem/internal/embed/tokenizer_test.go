package embed_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
	"github.com/gitmem/gitmem/gitmem/internal/embed/embedtest"
)

func vocabulary() embedtest.Model {
	return embedtest.Model{Dim: 2, Vocab: []string{
		"un", "##aff", "##able", "able", "cafe", "strasse", "straße", "中", "国", "!", ".", "_", "-", "the", "##the", "ᄀ",
		"##ᅡ", "##ᆨ", "カ", "か", "ı", "i", "$", "a", "##a", "É",
	}}
}

func TestWordPieces(t *testing.T) {
	t.Parallel()
	m := vocabulary()
	tests := []struct {
		name, text, want string
	}{
		{"the longest piece first", "unaffable", "un ##aff ##able"},
		{"a word and not a piece", "able", "able"},
		{"small letters", "UnAffAble", "un ##aff ##able"},
		{"accents", "Café CAFÉ cafe\u0301", "cafe cafe cafe"},
		{"a letter that is none with an accent", "Straße", "straße"},
		{"ideographs stand alone", "the中国the", "the 中 国 the"},
		{"punctuation stands alone", "able!un.able_a-a$", "able ! un . able _ a - a $"},
		{"punctuation of other scripts", "able«un»", "able un"},
		{"control characters go", "ab\x00le a\u200bble \u00adable \ufffdable", "able able able able"},
		{"blanks of all kinds", "able\u00a0un\u3000the\ttHe\r\nthe\u2028a", "able un the the the a"},
		{"Hangul in its letters", "각", "ᄀ ##ᅡ ##ᆨ"},
		{"voiced kana", "ガ が", "カ か"},
		{"a dotted capital", "İ", "i"},
		{"damaged UTF-8", "able\xff\xfethe un", "able ##the un"},
		{"a word of 100 letters", strings.Repeat("a", 100), "a" + strings.Repeat(" ##a", 99)},
		{"a word of 101 letters", strings.Repeat("a", 101) + " the", "the"},
		{"nothing", "", ""},
	}
	pieces := m.Pieces()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ids, err := embed.Cut(m.Tokenizer(), tt.text, 512)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, id := range ids {
				got = append(got, pieces[id])
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if ids, err := embed.Cut(m.Tokenizer(), strings.Repeat("the able ", 400), 512); err != nil || len(ids) != 512 {
		t.Errorf("a long text has %d pieces, %v", len(ids), err)
	}
}

func TestNormalizerSettings(t *testing.T) {
	t.Parallel()
	m := vocabulary()
	tests := []struct{ name, old, now, text, want string }{
		{"accents stay where letters stay large", `"lowercase":true`, `"lowercase":false`, "É able The", "É able"},
		{"accents go by themselves", `"lowercase":true,"strip_accents":null`, `"lowercase":false,"strip_accents":true`,
			"café", "cafe"},
		{"accents stay by themselves", `"strip_accents":null`, `"strip_accents":false`, "café able", "able"},
		{"the unknown token is a word", `"unk_token":"[UNK]"`, `"unk_token":"able"`, "un able the", "un the"},
		{"ideographs in a word", `"handle_chinese_chars":true`, `"handle_chinese_chars":false`, "中国 中", "中"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := bytes.Replace(m.Tokenizer(), []byte(tt.old), []byte(tt.now), 1)
			if bytes.Equal(src, m.Tokenizer()) {
				t.Fatalf("%s is not in %s", tt.old, src)
			}
			ids, err := embed.Cut(src, tt.text, 512)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, id := range ids {
				got = append(got, m.Pieces()[id])
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTokenizerRefuses(t *testing.T) {
	t.Parallel()
	good := string(vocabulary().Tokenizer())
	tests := []struct{ name, old, now, want string }{
		{"no JSON", `{`, `[`, "can't be read"},
		{"another model", `"type":"WordPiece"`, `"type":"Unigram"`, `its model is "Unigram": only WordPiece`},
		{"another pre-tokenizer", `"BertPreTokenizer"`, `"ByteLevel"`, `its pre-tokenizer is "ByteLevel"`},
		{"another normalizer", `"BertNormalizer"`, `"Sequence"`, `its normalizer is "Sequence"`},
		{"no normalizer", `"normalizer":{`, `"normalizers":{`, `its normalizer is "none"`},
		{"added words", `"special":true`, `"special":false`, `it adds the token "[UNK]"`},
		{"a negative id", `"able":4`, `"able":-4`, `the token "able" has the id -4`},
		{"a huge id", `"able":4`, `"able":4000000000`, `the token "able" has the id 4000000000`},
		{"no vocabulary", `"vocab":{`, `"vocab":{},"x":{`, "its vocabulary has 0 tokens"},
		{"a list for a vocabulary", `"vocab":{`, `"vocab":[],"x":{`, "its vocabulary can't be read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := strings.Replace(good, tt.old, tt.now, 1)
			if src == good {
				t.Fatalf("%s is not in %s", tt.old, good)
			}
			if _, err := embed.Cut([]byte(src), "able", 9); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func FuzzTokenizer(f *testing.F) {
	good := vocabulary().Tokenizer()
	f.Add(good, "unaffable Café 中国 각\x00!")
	f.Add([]byte(`{"model":{"type":"WordPiece","vocab":{"a":0,"":1}},"pre_tokenizer":{"type":"BertPreTokenizer"},`+
		`"normalizer":{"type":"BertNormalizer"}}`), "a aa")
	f.Fuzz(func(t *testing.T, src []byte, text string) {
		for _, s := range [][]byte{src, good} {
			ids, err := embed.Cut(s, text, 512)
			if err != nil {
				continue
			}
			if len(ids) > 512 {
				t.Fatalf("%d pieces", len(ids))
			}
			for _, id := range ids {
				if id < 0 || id >= 4<<20 {
					t.Fatalf("the id %d", id)
				}
			}
		}
	})
}
