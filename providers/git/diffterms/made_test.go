package diffterms_test

import (
	"testing"

	"github.com/gitmem/gitmem/providers/git/diffterms"
)

func TestMade(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"go.sum": true, "web/ui/package-lock.json": true, "pnpm-lock.yaml": true, "Cargo.lock": true,
		"api/v1/service.pb.go": true,
		"site/app.min.js":      true, "vendor/github.com/x/y.go": true, "sig/v1.7/jq.asc": true,
		"go.mod": false, "package.json": false, "lock.go": false, "docs/logo.svg": false, "po/de.po": false,
		"src/vendor.go": false, "": false,
	} {
		if got := diffterms.IsGenerated(path); got != want {
			t.Errorf("Made(%q) = %v", path, got)
		}
	}
}
