package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// injectors are commands that make a system call of another command fail.
func injectors() map[string]func() {
	return map[string]func(){"inject": func() {
		code, err := inject(os.Args[1:])
		if err != nil {
			fmt.Fprintln(os.Stderr, "inject:", err)
		}
		os.Exit(code)
	}}
}

// injector makes the k-th seam of a program fail: a system call on files below a folder. Seams are counted
// over all threads, separately for those that only read.
type injector struct {
	pid   int
	below string
	k     int
	way   string

	seams   int
	failed  string                // the first call that failed, or ""
	short   bool                  // half of a write was done: the next one fails
	inside  map[int]bool          // threads inside a call
	returns map[int]syscall.Errno // return values for their calls
}

// inject runs a command whose k-th seam below a folder fails, and writes a report of two lines, the number of
// seams and the one that failed:
//
//	inject <way> <k> <folder> <report> <command>...
//
// The ways are an error for that call (EIO, EACCES, EINTR) or from it on (ENOSPC for all calls that add data,
// EROFS for all that change something), short (half a write, then a full disk), kill, and read (EIO for the
// k-th call that reads).
func inject(args []string) (int, error) {
	runtime.LockOSThread() // tracing must stay on one thread
	k, err := strconv.Atoi(args[1])
	if err != nil {
		return 99, err
	}
	c := exec.Command(args[4], args[5:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := c.Start(); err != nil {
		return 98, err
	}
	in := &injector{pid: c.Process.Pid, way: args[0], k: k, below: args[2], inside: map[int]bool{},
		returns: map[int]syscall.Errno{}}
	code, err := in.trace()
	return code, errors.Join(err, os.WriteFile(args[3], fmt.Appendf(nil, "%d\n%s\n", in.seams, in.failed), 0o600))
}

// trace runs the program to its end and returns its exit code, 137 if it was killed.
func (in *injector) trace() (int, error) {
	var ws syscall.WaitStatus
	if _, err := syscall.Wait4(in.pid, &ws, 0, nil); err != nil {
		return 99, err
	}
	const sysGood, clone, exitKill = 0x1, 0x8, 0x100000
	if err := syscall.PtraceSetOptions(in.pid, sysGood|clone|exitKill); err != nil {
		return 99, err
	}
	code := 99
	for tid, sig := in.pid, 0; ; {
		// A thread that ended meanwhile is reported by the next wait.
		if err := syscall.PtraceSyscall(tid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
			return 99, err
		}
		for {
			var err error
			if tid, err = syscall.Wait4(-1, &ws, syscall.WALL, nil); errors.Is(err, syscall.ECHILD) {
				return code, nil
			} else if errors.Is(err, syscall.EINTR) {
				continue
			} else if err != nil {
				return 99, err
			}
			if ws.Stopped() {
				break
			}
			if tid == in.pid {
				code = ws.ExitStatus()
				if ws.Signaled() {
					code = 137
				}
			}
		}
		switch sig = int(ws.StopSignal()); {
		case sig == int(syscall.SIGTRAP)|0x80:
			sig = 0
			if err := in.stop(tid); err != nil && !errors.Is(err, syscall.ESRCH) {
				return 99, err
			}
		case sig == int(syscall.SIGTRAP), sig == int(syscall.SIGSTOP): // events and new threads
			sig = 0
		}
	}
}

// stop handles a thread that enters or leaves a system call.
func (in *injector) stop(tid int) error {
	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(tid, &regs); err != nil {
		return err
	}
	if in.inside[tid] {
		delete(in.inside, tid)
		errno, ok := in.returns[tid]
		if !ok {
			return nil
		}
		delete(in.returns, tid)
		regs.Rax = uint64(-int64(errno))
		return syscall.PtraceSetRegs(tid, &regs)
	}
	in.inside[tid] = true
	name, reads, adds := in.seam(tid, &regs)
	if name == "" || reads != (in.way == "read") {
		return nil
	}
	in.seams++
	errno := in.fault(name, adds, &regs)
	if errno == 0 {
		return syscall.PtraceSetRegs(tid, &regs)
	}
	if in.failed == "" {
		in.failed = name
	}
	if in.way == "kill" {
		return syscall.Kill(in.pid, syscall.SIGKILL)
	}
	in.returns[tid] = errno
	regs.Orig_rax = ^uint64(0) // skip the call
	return syscall.PtraceSetRegs(tid, &regs)
}

// fault returns the error for one seam; for 0 the call is done, possibly shortened.
func (in *injector) fault(name string, adds bool, regs *syscall.PtraceRegs) syscall.Errno {
	write := strings.HasPrefix(name, "write") || strings.HasPrefix(name, "pwrite")
	switch {
	case in.k == 0 || in.seams < in.k:
		return 0
	case in.way == "ENOSPC" && adds:
		return syscall.ENOSPC
	case in.way == "EROFS" && !write && !strings.HasPrefix(name, "f"): // open files can still be used
		return syscall.EROFS
	case in.short && write:
		in.short = false
		return syscall.ENOSPC
	case in.seams > in.k:
		return 0
	}
	switch in.way {
	case "EIO", "read", "kill":
		return syscall.EIO
	case "EACCES":
		if write {
			return syscall.EIO
		}
		return syscall.EACCES
	case "EINTR":
		return syscall.EINTR
	case "short":
		if write && regs.Rdx > 1 {
			in.failed, in.short = name, true
			regs.Rdx /= 2
			return 0
		}
		return syscall.EDQUOT
	}
	return 0
}

// seam returns the name of a call that touches a file below the folder, or "", and whether the call only
// reads and whether it needs space.
func (in *injector) seam(tid int, r *syscall.PtraceRegs) (name string, reads, adds bool) {
	fd := func(call string, reads, adds bool) (string, bool, bool) {
		return in.named(call, in.descriptor(tid, r.Rdi)), reads, adds
	}
	at := func(call string, dir, path uint64, reads, adds bool) (string, bool, bool) {
		return in.named(call, in.path(tid, dir, path)), reads, adds
	}
	switch r.Orig_rax {
	case syscall.SYS_OPENAT:
		const changes = syscall.O_WRONLY | syscall.O_RDWR | syscall.O_CREAT | syscall.O_TRUNC
		return at("openat", r.Rdi, r.Rsi, r.Rdx&changes == 0, r.Rdx&syscall.O_CREAT != 0)
	case syscall.SYS_MKDIRAT:
		return at("mkdirat", r.Rdi, r.Rsi, false, true)
	case syscall.SYS_UNLINKAT:
		return at("unlinkat", r.Rdi, r.Rsi, false, false)
	case syscall.SYS_RENAMEAT, 316: // renameat2
		return at("rename", r.Rdx, r.R10, false, true)
	case syscall.SYS_RENAME:
		return at("rename", atCWD, r.Rsi, false, true)
	case syscall.SYS_LINKAT:
		return at("linkat", r.Rdx, r.R10, false, true)
	case syscall.SYS_LINK:
		return at("link", atCWD, r.Rsi, false, true)
	case syscall.SYS_NEWFSTATAT:
		return at("newfstatat", r.Rdi, r.Rsi, true, false)
	case syscall.SYS_UTIMENSAT:
		return at("utimensat", r.Rdi, r.Rsi, false, false)
	case syscall.SYS_WRITE:
		return fd("write", false, true)
	case syscall.SYS_PWRITE64:
		return fd("pwrite64", false, true)
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC:
		return fd("fsync", false, false)
	case syscall.SYS_FTRUNCATE:
		return fd("ftruncate", false, false)
	case syscall.SYS_FLOCK:
		return fd("flock", false, false)
	case syscall.SYS_READ:
		return fd("read", true, false)
	case syscall.SYS_PREAD64:
		return fd("pread64", true, false)
	case syscall.SYS_GETDENTS64:
		return fd("getdents64", true, false)
	}
	return "", false, false
}

// atCWD means the working folder in calls that take a folder.
const atCWD = ^uint64(99)

func (in *injector) named(call, path string) string {
	if path == "" || !strings.HasPrefix(path, in.below) {
		return ""
	}
	return call + " " + strings.TrimPrefix(path, in.below)
}

// descriptor returns the path of an open file.
func (in *injector) descriptor(tid int, fd uint64) string {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, int32(fd)))
	if err != nil {
		return ""
	}
	return name
}

// path returns the path argument of a call.
func (in *injector) path(tid int, dir, at uint64) string {
	var text []byte
	for buf := make([]byte, 256); ; {
		n, err := syscall.PtracePeekData(tid, uintptr(at)+uintptr(len(text)), buf[:8])
		if err != nil || n == 0 {
			return ""
		}
		if i := strings.IndexByte(string(buf[:n]), 0); i >= 0 {
			text = append(text, buf[:i]...)
			break
		}
		text = append(text, buf[:n]...)
	}
	name := string(text)
	if strings.HasPrefix(name, "/") {
		return name
	}
	base := ""
	if int32(dir) == -100 {
		base, _ = os.Readlink(fmt.Sprintf("/proc/%d/cwd", tid))
	} else {
		base = in.descriptor(tid, dir)
	}
	return filepath.Join(base, name)
}
