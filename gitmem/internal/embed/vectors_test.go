package embed_test

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
)

func randomVectors(r *rand.Rand, n, dim int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, dim)
		for d := range out[i] {
			out[i][d] = float32(r.NormFloat64())
		}
	}
	return out
}

// keep adds vectors under the keys first, first+1, and so on.
func keep(t testing.TB, name string, print embed.Fingerprint, first uint64, vectors [][]float32) {
	t.Helper()
	a, err := embed.Append(name, print)
	if err != nil || a == nil {
		t.Fatalf("Append = %v, %v", a, err)
	}
	for i, v := range vectors {
		if err := a.Add(first+uint64(i), v); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

func compact(t testing.TB, name string, print embed.Fingerprint, order []uint64) {
	t.Helper()
	a, err := embed.Append(name, print)
	if err != nil || a == nil {
		t.Fatalf("Append = %v, %v", a, err)
	}
	if err := a.Compact(order); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, name string, print embed.Fingerprint) *embed.Vectors {
	t.Helper()
	return embed.OpenVectors(name, print)
}

func keysTo(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i + 1)
	}
	return out
}

func cosine64(a, b []float32) float64 {
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}

// The fifty nearest vectors by int8 are those of brute force in float64, except at most one in fifty.
func TestNearestIsBruteForce(t *testing.T) {
	t.Parallel()
	for _, dim := range []int{32, 77, 256} {
		r := rand.New(rand.NewPCG(uint64(dim), 1))
		const n, k, questions = 5000, 50, 20
		vectors := randomVectors(r, n, dim)
		name := filepath.Join(t.TempDir(), "set")
		keep(t, name, embed.Fingerprint{1}, 1, vectors[:n/2])
		compact(t, name, embed.Fingerprint{1}, keysTo(n/2))
		keep(t, name, embed.Fingerprint{1}, n/2+1, vectors[n/2:])
		v := open(t, name, embed.Fingerprint{1})
		found, off := 0, 0.0
		for _, q := range randomVectors(r, questions, dim) {
			exact, cosines := keysTo(n), make([]float64, n)
			for i, v := range vectors {
				cosines[i] = cosine64(q, v)
			}
			slices.SortFunc(exact, func(a, b uint64) int { return cmp.Compare(cosines[b-1], cosines[a-1]) })
			near, unknown, err := v.Nearest(t.Context(), q, keysTo(n), k, -1)
			if err != nil || unknown != 0 || len(near) < k {
				t.Fatalf("%d near, %d unknown, %v", len(near), unknown, err)
			}
			for _, h := range near[:k] {
				if slices.Contains(exact[:k], uint64(h.At+1)) {
					found++
				}
				off = max(off, math.Abs(h.Cosine-cosine64(q, vectors[h.At])))
			}
		}
		if recall := float64(found) / (k * questions); recall < 0.98 {
			t.Errorf("%d dimensions: recall@50 is %.3f", dim, recall)
		}
		if off > 0.01 {
			t.Errorf("%d dimensions: a cosine is off by %.4f", dim, off)
		}
	}
}

func TestDotIsThePlainSum(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 3))
	for n := range 70 {
		a, b, want := make([]int8, n), make([]int8, n), int32(0)
		for i := range a {
			a[i], b[i] = int8(r.IntN(256)-128), int8(r.IntN(256)-128)
			want += int32(a[i]) * int32(b[i])
		}
		if got := embed.Dot(a, b); got != want {
			t.Errorf("%d numbers: %d, want %d", n, got, want)
		}
	}
}

// Stored vectors are found however they were written, and only under their model.
func TestVectorsAreKept(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	vectors := randomVectors(r, 300, 20)
	vectors[7] = nil // a text without a vector
	name, print := filepath.Join(t.TempDir(), "deep", "set"), embed.Fingerprint{9}
	check := func(when string, known func(key uint64) bool) {
		t.Helper()
		v := open(t, name, print)
		if v.Damage != nil {
			t.Errorf("%s: %v", when, v.Damage)
		}
		for i, q := range vectors {
			key := uint64(i + 1)
			if v.Has(key) != known(key) {
				t.Fatalf("%s: Has(%d) = %t", when, key, v.Has(key))
			}
			if q == nil {
				continue
			}
			near, unknown, err := v.Nearest(t.Context(), q, []uint64{key}, 3, 0.99)
			if err != nil || (len(near) == 1) != known(key) || (unknown == 0) != known(key) {
				t.Fatalf("%s: %d is found as %v, %d, %v", when, key, near, unknown, err)
			}
		}
	}
	below := func(n uint64) func(uint64) bool { return func(key uint64) bool { return key <= n } }
	check("nothing", below(0))
	keep(t, name, print, 1, vectors[:100])
	check("added", below(100))
	keep(t, name, print, 1, vectors[:200])
	check("added more", below(200))
	compact(t, name, print, append(keysTo(400), 1, 2, 3))
	check("compacted", below(200))
	keep(t, name, print, 201, vectors[200:])
	check("added to a base", below(300))
	even := slices.DeleteFunc(keysTo(300), func(key uint64) bool { return key%2 == 1 })
	slices.Reverse(even)
	compact(t, name, print, even)
	check("half is dropped", func(key uint64) bool { return key%2 == 0 })
	if v := open(t, name, embed.Fingerprint{8}); v.Len() != 0 || v.Damage != nil {
		t.Errorf("another model has %d vectors, %v", v.Len(), v.Damage)
	}
	if err := embed.Check(name + embed.FileSuffix); err != nil {
		t.Error(err)
	}
}

func TestOneAppenderAtATime(t *testing.T) {
	t.Parallel()
	name, print := filepath.Join(t.TempDir(), "set"), embed.Fingerprint{1}
	a, err := embed.Append(name, print)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := embed.Append(name, print); b != nil || err != nil {
		t.Errorf("a second one: %v, %v", b, err)
	}
	if err := a.Add(1, []float32{1, 2}); err != nil {
		t.Fatal(err)
	}
	if err := a.Add(2, []float32{1, 2, 3}); !errors.Is(err, embed.ErrMismatch) {
		t.Errorf("three dimensions behind two: %v", err)
	}
	if err := a.Flush(); err != nil {
		t.Fatal(err)
	}
	if v := open(t, name, print); !v.Has(1) || v.Has(2) {
		t.Error("what was flushed is not seen")
	}
	if _, _, err := open(t, name, print).Nearest(t.Context(), []float32{1}, []uint64{1}, 1, 0); !errors.Is(err,
		embed.ErrMismatch) {
		t.Errorf("a question of one dimension: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// Equal texts are all returned or none of them, in the order of the keys.
func TestNearestKeepsTies(t *testing.T) {
	t.Parallel()
	name, print := filepath.Join(t.TempDir(), "set"), embed.Fingerprint{1}
	keep(t, name, print, 1, [][]float32{{1, 0}, {1, 0}, {0, 1}, {1, 0}, {-1, 0}, nil})
	near, unknown, err := open(t, name, print).Nearest(t.Context(), []float32{2, 0.5}, []uint64{5, 4, 9, 3, 2, 1, 6}, 2, 0)
	var at []int
	for _, n := range near {
		at = append(at, n.At)
	}
	if err != nil || unknown != 1 || !slices.Equal(at, []int{1, 4, 5}) {
		t.Errorf("near are %v, %d unknown, %v", near, unknown, err)
	}
}

// Damage at any place of the file is reported or skipped, without a panic, and later additions repair it.
func TestDamagedVectors(t *testing.T) {
	t.Parallel()
	vectors := randomVectors(rand.New(rand.NewPCG(6, 6)), 40, 12)
	print := embed.Fingerprint{4}
	for at := 0; ; at += 7 {
		name := filepath.Join(t.TempDir(), "set")
		keep(t, name, print, 1, vectors[:20])
		compact(t, name, print, keysTo(20))
		keep(t, name, print, 21, vectors[20:])
		b, err := os.ReadFile(name + embed.FileSuffix)
		if err != nil {
			t.Fatal(err)
		}
		if at >= len(b) {
			break
		}
		b[at] ^= 0x10
		if at%2 == 0 {
			b = b[:at]
		}
		if err := os.WriteFile(name+embed.FileSuffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
		v := open(t, name, print)
		if v.Len() == 40 && v.Damage == nil {
			t.Fatalf("damage at %d goes unseen", at)
		}
		if _, _, err := v.Nearest(t.Context(), vectors[0], keysTo(40), 5, -1); err != nil {
			t.Fatalf("damage at %d: %v", at, err)
		}
		keep(t, name, print, 1, vectors)
		compact(t, name, print, keysTo(40))
		if v := open(t, name, print); v.Len() != 40 || v.Damage != nil {
			t.Fatalf("after damage at %d: %d vectors, %v", at, v.Len(), v.Damage)
		}
	}
}

func FuzzVectors(f *testing.F) {
	name := filepath.Join(f.TempDir(), "set")
	keep(f, name, embed.Fingerprint{}, 1, randomVectors(rand.New(rand.NewPCG(1, 1)), 5, 3))
	b, err := os.ReadFile(name + embed.FileSuffix)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		name := filepath.Join(t.TempDir(), "set")
		dim := reseal(b)
		if err := os.WriteFile(name+embed.FileSuffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
		v := open(t, name, embed.Fingerprint{})
		if v.Len() == 0 {
			return
		}
		if _, _, err := v.Nearest(t.Context(), make([]float32, dim), keysTo(9), 3, -1); err != nil {
			t.Fatal(err)
		}
	})
}

// reseal corrects the header's checksum, so that the content after it is checked.
func reseal(b []byte) (dim int) {
	if len(b) < 48 {
		return 0
	}
	binary.LittleEndian.PutUint32(b[44:], crc32.Checksum(b[:44], crc32.MakeTable(crc32.Castagnoli)))
	return int(binary.LittleEndian.Uint32(b[40:]))
}

func BenchmarkNearest(b *testing.B) {
	const n, dim = 350_000, 256
	name := filepath.Join(b.TempDir(), "set")
	vectors := randomVectors(rand.New(rand.NewPCG(2, 2)), 1000, dim)
	a, err := embed.Append(name, embed.Fingerprint{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		if err := a.Add(uint64(i+1), vectors[i%len(vectors)]); err != nil {
			b.Fatal(err)
		}
	}
	if err := a.Compact(keysTo(n)); err != nil {
		b.Fatal(err)
	}
	keys := keysTo(n)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			open(b, name, embed.Fingerprint{})
		}
	})
	b.Run("scan", func(b *testing.B) {
		v := open(b, name, embed.Fingerprint{})
		for b.Loop() {
			if _, _, err := v.Nearest(b.Context(), vectors[0], keys, 100, 0.3); err != nil {
				b.Fatal(err)
			}
		}
	})
}
