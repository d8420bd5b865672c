// Command gitmem is a memory for coding agents and the people who work with them. It parses
// arguments, calls package gitmem and prints results. It runs `gitmem hook` before it builds the
// command tree, because hooks must be fast.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/gitmem/gitmem/templates/meaning"
)

func main() {
	log.SetOutput(io.Discard) // libraries log the errors that they also return
	if os.Getenv("GOGC") == "" {
		delayGC(os.Args[1:])
	}
	os.Exit(start(time.Now, 0, models{meaning.Encoder(), meaning.Sentences()}))
}

// delayGC postpones the first garbage collection beyond the life of most processes, which end before they
// have allocated that much. A process that runs longer collects as usual from then on. A hook and a server
// start earlier: their limit is 60 MB in total, of which an index's mapped files have more than half. An
// indexer, which allocates all the time, collects half as often as others: that saves a tenth of its time,
// for 80 MB.
func delayGC(args []string) {
	first := 48 << 20
	if len(args) > 0 && (args[0] == "hook" || args[0] == "mcp") {
		first = 8 << 20
	}
	usual := debug.SetGCPercent(100 * first / (4 << 20)) // of the minimum heap size
	if len(args) > 0 && args[0] == "index" {
		usual *= 2
	}
	type sentinel struct{ _ [16]byte }
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) { debug.SetGCPercent(usual) })
}

// boundGarbage limits the garbage of a long-running server to the size of its live heap, whatever GOGC
// allows: otherwise one call that needs much memory would increase the garbage of all later ones. If
// collection is off (GOGC=off), it stays off.
func boundGarbage() {
	const most = 100 // percent
	if allowed := debug.SetGCPercent(most); allowed < most {
		debug.SetGCPercent(allowed)
	}
}

// start runs the program with the real environment and the given clock. lockWait is how long to wait for a
// busy store, 0 is the default for people. builtin are the built-in models, which the tests run without.
func start(now func() time.Time, lockWait time.Duration, builtin models) int {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // not under nohup
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	context.AfterFunc(ctx, stop)                  // a second signal kills the process even if it blocks
	if len(os.Args) > 1 && os.Args[1] == "hook" { // continue if the client stops reading
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // not the working folder: memory would be published with the project in it
	}
	cache, err := os.UserCacheDir()
	cacheless := err != nil
	if cacheless { // a cache that is deleted at the end: in the shared folder, others could create the names
		fmt.Fprintf(os.Stderr, "gitmem: no cache is kept: %v\n", err)
		if cache, err = os.MkdirTemp("", "gitmem-cache-"); err == nil {
			defer os.RemoveAll(cache)
		} else {
			cache = os.DevNull // nothing can be below it
		}
	}
	machine, err := os.Hostname()
	if err != nil {
		machine = "localhost"
	}
	a := &app{
		in: os.Stdin, out: visible{os.Stdout}, err: visible{os.Stderr},
		outTTY: isTerminal(os.Stdout), errTTY: isTerminal(os.Stderr), width: terminalWidth,
		dir: dir, home: home, cache: cache, temp: os.TempDir(), machine: machine,
		getenv: os.Getenv, now: now, name: os.Args[0], program: os.Executable, environ: os.Environ,
		lockWait: lockWait, managed: managedSettings(runtime.GOOS), cacheless: cacheless, transport: http.DefaultTransport,
		builtin: builtin,
	}
	return a.run(ctx, os.Args[1:])
}

// terminalWidth returns the number of columns of the terminal, 0 if there is none.
func terminalWidth() int {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return width
}

func isTerminal(f *os.File) bool { return isTerminalFd(f.Fd()) }

func isTerminalFd(fd uintptr) bool { return term.IsTerminal(int(fd)) }
