package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newStatuslineCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "statusline",
		Hidden: true,
		Short:  "Print one line for the client's status line",
		Args:   usage(cobra.NoArgs),
		Run:    func(c *cobra.Command, _ []string) { a.runStatusline(c.Context()) },
	}
}

// statusPayload is the part of the client's JSON that is used.
type statusPayload struct {
	SessionID string `json:"session_id"`
	Cwd       string `json:"cwd"`
	Workspace struct {
		CurrentDir string `json:"current_dir"` // in newer clients
	} `json:"workspace"`
}

// maxStatus limits what is read from standard input.
const maxStatus = 1 << 20

// statusWait is how long to wait for the client's JSON.
const statusWait = 2 * time.Second

// runStatusline prints one line for any input.
func (a *app) runStatusline(ctx context.Context) {
	defer func() {
		if recover() != nil {
			fmt.Fprintln(a.out, "gitmem")
		}
	}()
	p := a.statusInput(ctx)
	b := *a
	b.getenv = withoutGit(a.getenv)
	m, err := b.memory(cmp.Or(p.Workspace.CurrentDir, p.Cwd, a.dir))
	if err != nil {
		fmt.Fprintln(a.out, "gitmem: memory can't be opened (gitmem doctor)")
		return
	}
	defer m.Close()
	fmt.Fprintln(a.out, printable(gitmem.Redacted(m.Sessions().StatusLine(ctx, p.SessionID))))
}

// statusInput reads the client's JSON. Missing or mistyped fields stay empty. It stops at the end of the JSON
// value, because the client may keep its end of the pipe open.
func (a *app) statusInput(ctx context.Context) statusPayload {
	if f, ok := a.in.(interface{ Fd() uintptr }); ok && isTerminalFd(f.Fd()) {
		return statusPayload{} // called by a person
	}
	ctx, stop := context.WithTimeout(ctx, statusWait)
	defer stop()
	p, _, _ := hook.Within(ctx, 0, func() (p statusPayload, err error) {
		err = json.NewDecoder(io.LimitReader(a.in, maxStatus)).Decode(&p) // incomplete data counts
		return p, err
	})
	return p
}
