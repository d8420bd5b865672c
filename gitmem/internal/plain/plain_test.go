package plain_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strconv"
	"syscall"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/plain"
)

func TestText(t *testing.T) {
	t.Parallel()
	denied := &fs.PathError{Op: "openat", Path: "/a/lock", Err: syscall.EACCES}
	_, number := strconv.Atoi("x")
	_, large := strconv.Atoi("99999999999999999999")
	_, truth := strconv.ParseBool("x")
	for want, err := range map[string]error{
		"lock /a/lock: permission denied":     fmt.Errorf("lock /a/lock: %w", denied),
		"lock /a: /a/lock: permission denied": fmt.Errorf("lock /a: %w", denied),
		"a: /a/lock: permission denied\nb: expected a whole number": errors.Join(fmt.Errorf("a: %w", denied),
			fmt.Errorf("b: %w", number)),
		"/b: file exists": &os.LinkError{Op: "rename", Old: "/a", New: "/b",
			Err: syscall.EEXIST},
		"flag: the number is too large": fmt.Errorf("flag: %w", large),
		"expected true or false":        truth,
		"fetch: the server can't be reached": fmt.Errorf("fetch: %w",
			&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("no such host")}),
		"/f: no space left on device": &fs.PathError{Op: "write", Path: "/f",
			Err: os.NewSyscallError("write", syscall.ENOSPC)},
		"nothing of it is here: it went away": fmt.Errorf("nothing of it is here: %w",
			errors.New("it went away")),
		"read: interrupted": fmt.Errorf("read: %w", context.Canceled),
		"before: ":          fmt.Errorf("before: %w", errors.New("")),
	} {
		if got := plain.Text(err); got != want {
			t.Errorf("%v: told %q, want %q", err, got, want)
		}
	}
}
