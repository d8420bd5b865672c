// Command gitmem is a memory for coding agents and the people who work with them.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

func main() { os.Exit(start(time.Now)) }

// start runs the program in the real world with the given clock.
func start(now func() time.Time) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process, whatever blocks it
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // not the working folder: memory would be published with the project that lies there
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	machine, err := os.Hostname()
	if err != nil {
		machine = "localhost"
	}
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		outTTY: isTerminal(os.Stdout), errTTY: isTerminal(os.Stderr),
		dir: dir, home: home, cache: cache, temp: os.TempDir(), machine: machine,
		getenv: os.Getenv, now: now,
	}
	return a.run(ctx, os.Args[1:])
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
