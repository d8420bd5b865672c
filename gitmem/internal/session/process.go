package session

import (
	"bytes"
	"fmt"
	"os"
)

// processBegan returns when a process began, in the system's ticks since its own start: field 22 of proc(5)'s stat, ""
// on systems without it.
func processBegan(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:]) // a name may contain anything
	const began = 22 - 3
	if len(fields) <= began {
		return ""
	}
	return string(fields[began])
}
