package store

import (
	"os"
	"path/filepath"
	"strings"
)

// holderOf names a process that has a file open, "" where none is seen: those of
// other users are not shown to us.
func holderOf(name string) string {
	links, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return ""
	}
	for _, link := range links {
		if to, err := os.Readlink(link); err != nil || to != name {
			continue
		}
		pid := strings.Split(link, "/")[2]
		comm, err := os.ReadFile("/proc/" + pid + "/comm")
		if err != nil {
			return "held by process " + pid
		}
		return "held by process " + pid + " (" + strings.TrimSpace(string(comm)) + ")"
	}
	return ""
}
