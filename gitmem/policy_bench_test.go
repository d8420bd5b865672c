package gitmem_test

import "testing"

// BenchmarkCapture measures how long every hook takes to check that it may write: without a local.yaml and without a
// pause, and with one rule.
func BenchmarkCapture(b *testing.B) {
	for name, config := range map[string]string{"nothing": "", "a rule": "exclude: [~/secret]\n"} {
		b.Run(name, func(b *testing.B) {
			l := newLab(b)
			if config != "" {
				l.configure(config)
			}
			m := l.open(l.base)
			for b.Loop() {
				if _, err := m.Capture(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
