package transcript_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

func TestOwnTool(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"mcp__gitmem__memory_search": true, "mcp__plugin_gitmem_gitmem__ask": true, "mcp__gitmem-memory__memory_scan": true,
		"mcp_gitmem_memory_search": true, "gitmem-memory_search": true, "gitmem_memory_search": true,
		"mcp__memory__search": false, "mcp_files_gitmem": false, "Bash": false, "gitmemory_x": false,
	} {
		if got := transcript.OwnTool(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
