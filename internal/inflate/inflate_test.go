package inflate_test

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/internal/inflate"
)

func compressed(tb testing.TB, level int, text []byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// samples are texts whose streams have blocks of all kinds: stored, with fixed and
// with dynamic codes, short and long ones, and several in a row.
func samples() [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 70_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	skewed := make([]byte, 200_000) // long codes
	for i := range skewed {
		skewed[i] = byte(r.ExpFloat64() * 9)
	}
	return [][]byte{
		nil, []byte("a"), []byte("abcabcabcabcabc"), bytes.Repeat([]byte{0}, 100_000), noise, skewed,
		[]byte(strings.Repeat("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n", 40)),
		append(bytes.Clone(noise[:40_000]), append(bytes.Repeat([]byte("xyz"), 9_000), noise[:40_000]...)...),
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	var d inflate.Decoder // one for all: nothing of an earlier stream may stay
	for i, text := range samples() {
		for _, level := range []int{flate.NoCompression, flate.BestSpeed, flate.DefaultCompression, flate.BestCompression, flate.HuffmanOnly} {
			src := append(compressed(t, level, text), "what follows"...)
			got := make([]byte, len(text))
			n, err := d.Decode(got, src)
			if err != nil || !bytes.Equal(got, text) || string(src[n:]) != "what follows" {
				t.Fatalf("sample %d at level %d: %v, %d of %d bytes read", i, level, err, n, len(src))
			}
		}
	}
}

// FuzzDecode compares with compress/flate, which reads with other means.
func FuzzDecode(f *testing.F) {
	for _, text := range samples() {
		for _, level := range []int{flate.NoCompression, flate.DefaultCompression, flate.HuffmanOnly} {
			src := compressed(f, level, text[:min(len(text), 300)])
			f.Add(src, uint16(0))
			f.Add(src[:len(src)/2], uint16(len(text)))
		}
	}
	f.Add([]byte{4, 0xc0, 0x81, 8, 0, 0, 0, 0, 0x20, 0x7f, 0xeb, 0xb}, uint16(1)) // one code of one bit
	f.Add([]byte{3, 0}, uint16(0))
	f.Add([]byte{7}, uint16(3))
	f.Fuzz(func(t *testing.T, src []byte, size uint16) {
		from := bytes.NewReader(src)
		want, failed := io.ReadAll(io.LimitReader(flate.NewReader(from), 1<<20))
		if len(want) == 1<<20 {
			t.Skip("too long")
		}
		var d inflate.Decoder
		for _, n := range []int{len(want), int(size), len(want) + 1, max(len(want)-1, 0)} {
			got := make([]byte, n)
			read, err := d.Decode(got, src)
			if fits := failed == nil && n == len(want); fits != (err == nil) {
				t.Fatalf("%d bytes: %v; the other reader has %d bytes and %v", n, err, len(want), failed)
			}
			if err == nil && (!bytes.Equal(got, want) || read != len(src)-from.Len()) {
				t.Fatalf("%d of %d bytes read, or other content", read, len(src))
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	text := []byte("tree 9f1c2b6ad9d3c5c2ab90d8b30a4a5d6a3c0d1e2f\nparent 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567\n" +
		"author Ada Example <ada@example.org> 1700000000 +0100\ncommitter Ada Example <ada@example.org> 1700000000 +0100\n\n" +
		"Choose the membrane pump\n\nThe gear pump leaks at four bar, since its seal is too soft for hot water.\nSigned-off-by: Ada Example <ada@example.org>\n")
	src := compressed(b, flate.DefaultCompression, text)
	dst := make([]byte, len(text))
	b.Run("whole", func(b *testing.B) {
		var d inflate.Decoder
		for b.Loop() {
			if _, err := d.Decode(dst, src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("stream", func(b *testing.B) {
		from := bytes.NewReader(src)
		r := flate.NewReader(from)
		for b.Loop() {
			from.Reset(src)
			if err := r.(flate.Resetter).Reset(from, nil); err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadFull(r, dst); err != nil {
				b.Fatal(err)
			}
		}
	})
}
