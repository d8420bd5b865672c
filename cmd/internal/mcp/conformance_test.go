package mcp

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gitmem/gitmem/gitmem"
)

// TestConformance runs the scenarios of @modelcontextprotocol/conformance that apply to every server; the
// others call tools that only its own example has. The suite speaks HTTP, so the same server is used behind
// HTTP here. GITMEM_CONFORMANCE is the command of the suite.
func TestConformance(t *testing.T) {
	t.Parallel()
	suite := strings.Fields(os.Getenv("GITMEM_CONFORMANCE"))
	if len(suite) == 0 {
		t.Skip("GITMEM_CONFORMANCE does not name the suite")
	}
	s := newMemoryServer(Env{Version: "test", Clean: func(s string) string {
		return s
	}, Failure: func(err error) string { return err.Error() },
		Call: func(_ Report, do func(*gitmem.Memory) error) error { return do(nil) }})
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.mcp }, nil)
	web := httptest.NewServer(handler)
	defer web.Close()
	for _, scenario := range []string{"server-initialize", "ping", "tools-list", "resources-list", "prompts-list",
		"dns-rebinding-protection"} {
		args := append(suite[1:len(suite):len(suite)], "server", "--url", web.URL, "--scenario", scenario)
		c := exec.CommandContext(t.Context(), suite[0], args...)
		c.Dir = t.TempDir() // it writes its results there
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", scenario, err, out)
		}
	}
}
