package store

import "golang.org/x/sys/windows"

// freeSpace returns the bytes that we may still write on the disk of a folder.
func freeSpace(dir string) (free int64, ok bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var bytes uint64
	if err := windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil); err != nil {
		return 0, false
	}
	return int64(min(bytes, 1<<62)), true
}

// writable is not known here without writing.
func writable(string) error { return nil }
