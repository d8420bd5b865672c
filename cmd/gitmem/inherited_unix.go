//go:build unix

package main

import "golang.org/x/sys/unix"

// closeInherited closes the files that whoever started the process left open in it:
// one end of a pipe would keep the other's reader waiting. All that Go opens is
// marked to be closed where another program begins; what was handed down is not.
func closeInherited() {
	const most = 1024
	for fd := 3; fd < most; fd++ {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd) // nobody here knows it
		}
	}
}
