package bert

import (
	"os"
	"testing"
)

func bench(b *testing.B, k kernel, pieces, texts int) {
	data, err := os.ReadFile("../../../../templates/meaning/encoder.gmbert")
	if err != nil {
		b.Skip(err)
	}
	m, err := Open(data)
	if err != nil {
		b.Fatal(err)
	}
	m.kernel = k
	var ids [][]int32
	for i := range texts {
		t := make([]int32, pieces)
		for j := range t {
			t[j] = int32((i*7919 + j*104729) % m.Pieces)
		}
		ids = append(ids, t)
	}
	for b.Loop() {
		if _, err := m.Encode(b.Context(), ids); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*texts)/b.Elapsed().Seconds(), "texts/s")
}

// BenchmarkCommits encodes texts of 45 pieces, the usual size of commits, with each kernel.
func BenchmarkCommits(b *testing.B) {
	for _, k := range kernels() {
		b.Run(k.String(), func(b *testing.B) { bench(b, k, 45, 32) })
	}
}

// BenchmarkLong encodes texts of 128 pieces.
func BenchmarkLong(b *testing.B) {
	for _, k := range kernels() {
		b.Run(k.String(), func(b *testing.B) { bench(b, k, 128, 8) })
	}
}

// BenchmarkQuestion encodes one text of 16 pieces.
func BenchmarkQuestion(b *testing.B) {
	for _, k := range kernels() {
		b.Run(k.String(), func(b *testing.B) { bench(b, k, 16, 1) })
	}
}
