//go:build unix

package main

import "golang.org/x/sys/unix"

// closeInherited closes the files inherited from the parent process: the open end of a pipe
// would keep its reader waiting. Go marks its own files close-on-exec; inherited ones are
// not.
func closeInherited() {
	const most = 1024
	for fd := 3; fd < most; fd++ {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd) // no code here uses it
		}
	}
}
