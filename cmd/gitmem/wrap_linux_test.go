package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// wrappers are commands for scripts that run another one in a world with a fault.
func wrappers() map[string]func() {
	return map[string]func(){
		"filelimit": func() { wrapped(filelimit(os.Args[1:])) },
		"holding":   func() { wrapped(holding(os.Args[1:])) },
		"interrupt": func() { wrapped(interrupt(os.Args[1:])) },
	}
}

// wrapped ends a wrapper with the exit code of what it ran.
func wrapped(err error) {
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, os.Args[0], err)
		os.Exit(99)
	}
}

func child(args []string) *exec.Cmd {
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	return c
}

// filelimit runs a command that can't write any file beyond n bytes, which is how a
// full disk looks from inside: filelimit <n> <command>...
func filelimit(args []string) error {
	n, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
		return err
	}
	return child(args[1:]).Run()
}

// holding runs a command while it holds the lock on a file: holding <file> <command>...
func holding(args []string) error {
	f, err := os.OpenFile(args[0], os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	return child(args[1:]).Run()
}

// interrupt starts a command whose standard input stays open and silent, sends it
// one or more SIGINTs 200 ms apart, and tells how it ended:
// interrupt <signals> <command>...
func interrupt(args []string) error {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	c := child(args[1:])
	c.Stdin = r
	if err := c.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	for range n {
		select {
		case err := <-done:
			return err
		case <-time.After(200 * time.Millisecond):
			_ = c.Process.Signal(os.Interrupt) // it may have ended by now
		}
	}
	select {
	case err := <-done:
		if c.ProcessState.ExitCode() == -1 {
			return fmt.Errorf("ended by a signal: %w", errors.Unwrap(err))
		}
		return err
	case <-time.After(10 * time.Second):
		_ = c.Process.Kill()
		return errors.New("did not end within 10 s of the last signal")
	}
}
