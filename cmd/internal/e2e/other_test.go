//go:build e2e && !linux

package e2e_test

import "testing"

func TestClient(t *testing.T) {
	t.Skip("SKIPPED: end to end with the client: a network without a way out is made with namespaces, which only Linux " +
		"has")
}
