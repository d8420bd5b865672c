package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// mounted runs a command with a folder that can't be written: mounted readonly|full <dir> <command>... It
// must be started by inMounts.
func mounted(args []string) error {
	how, dir := args[0], args[1]
	var err error
	switch how {
	case "readonly":
		err = mountReadOnly(dir)
	case "full":
		err = mountFull(dir)
	case "probe":
		return nil
	}
	if err != nil {
		return fmt.Errorf("mount %s on %s: %w", how, dir, err)
	}
	return child(args[2:]).Run()
}

// inMounts runs a command in separate namespaces, in which it may mount.
func inMounts(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

func mountReadOnly(dir string) error {
	if err := syscall.Mount(dir, dir, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return err
	}
	var now syscall.Statfs_t
	if err := syscall.Statfs(dir, &now); err != nil {
		return err
	}
	const locked = syscall.MS_NOSUID | syscall.MS_NODEV | syscall.MS_NOEXEC |
		syscall.MS_NOATIME | syscall.MS_NODIRATIME | syscall.MS_RELATIME
	return syscall.Mount("", dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY|uintptr(now.Flags)&locked, "")
}

// mountFull mounts a small file system over a folder, with a copy of its content, and fills it.
func mountFull(dir string) error {
	held, err := os.MkdirTemp("", "held")
	if err != nil {
		return err
	}
	defer os.RemoveAll(held)
	if err := os.CopyFS(held, os.DirFS(dir)); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m,mode=0700"); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(held)); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		return err
	}
	chunk := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(chunk)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return f.Close()
}
