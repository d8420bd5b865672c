package profile

import "testing"

// TestOrderPatterns compiles what is compiled only when a message needs it.
func TestOrderPatterns(t *testing.T) {
	t.Parallel()
	r := readOrderRules()
	for _, p := range r.patterns {
		if p.re().SubexpIndex("a") < 0 || p.kind != "order" && p.kind != "revoke" {
			t.Errorf("%s %v: no kind of order, or no group for where it begins", p.kind, p.words)
		}
	}
	for _, test := range r.tests {
		test()
	}
}
