package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// peerModule is the module of FTS5's side, in the folder cmd/bench of a checkout.
const peerModule = "github.com/gitmem/gitmem/cmd/bench"

// howToPeer says how to come by the other side.
const howToPeer = "run gitmem bench in a checkout of gitmem with Go and a C compiler, or build cmd/bench there with " +
	"go build -tags sqlite_fts5 and pass it with --peer"

// BuildPeer builds FTS5's side from a checkout of gitmem into dir and returns the
// program, or why there is none.
func BuildPeer(ctx context.Context, checkout, dir string, env []string) (program, missing string) {
	source := filepath.Join(checkout, "cmd", "bench")
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module "+peerModule+"\n") {
		return "", "this is no checkout of gitmem: " + howToPeer
	}
	program = filepath.Join(dir, "fts5.exe") // Windows wants the suffix, others do not mind
	c := exec.CommandContext(ctx, "go", "build", "-tags", "sqlite_fts5", "-o", program, ".")
	c.Dir, c.Env = source, append(append([]string(nil), env...), "CGO_ENABLED=1")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Sprintf("FTS5's side could not be built (%v: %s): %s", err, lastLine(out), howToPeer)
	}
	return program, ""
}

func lastLine(out []byte) string {
	text := strings.TrimSpace(string(out))
	return text[strings.LastIndexByte(text, '\n')+1:]
}
