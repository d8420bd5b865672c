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

// wrappers are commands for scripts that run another command with a fault.
func wrappers() map[string]func() {
	return map[string]func(){
		"filelimit": func() { wrapped(filelimit(os.Args[1:])) },
		"holding":   func() { wrapped(holding(os.Args[1:])) },
		"interrupt": func() { wrapped(interrupt(os.Args[1:])) },
		"mounted":   func() { wrapped(mounted(os.Args[1:])) },
	}
}

// wrapped exits with the exit code of the wrapped command.
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

// filelimit runs a command that can't write any file beyond n bytes, which is like a full disk for it:
// filelimit <n> <command>...
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

// interrupt starts a command whose standard input stays open without data, sends it n SIGINTs, and prints how
// it ended: interrupt <n> <command>... A signal that arrives before the program handles it kills the program,
// so the wait before it is increased until that does not happen.
func interrupt(args []string) error {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	for wait := 200 * time.Millisecond; ; wait *= 2 {
		state, err := interruptOnce(n, wait, args[1:])
		if err != nil {
			return err
		}
		if n == 1 && state.ExitCode() == -1 && wait < time.Minute {
			continue
		}
		if state.Exited() {
			fmt.Println("exit code", state.ExitCode())
		} else {
			fmt.Println(state)
		}
		return nil
	}
}

func interruptOnce(n int, wait time.Duration, args []string) (*os.ProcessState, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	defer r.Close()
	c := child(args)
	c.Stdin = r
	if err := c.Start(); err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	for i := 0; ; i++ {
		if i == n {
			wait = 5 * time.Minute
		}
		select {
		case <-done: // its state has the exit status
			return c.ProcessState, nil
		case <-time.After(wait):
		}
		if i == n {
			return nil, errors.Join(errors.New("did not end within 5 min of the last signal"), c.Process.Kill())
		}
		if err := c.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return nil, err
		}
	}
}
