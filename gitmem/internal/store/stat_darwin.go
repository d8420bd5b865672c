package store

import "syscall"

func ctime(sys *syscall.Stat_t) (sec, nsec uint32) {
	return uint32(sys.Ctimespec.Sec), uint32(sys.Ctimespec.Nsec)
}
