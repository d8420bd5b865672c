package osfile

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrFault means that mapped bytes could not be read: the file was truncated while it was mapped, or its disk was
// removed.
var ErrFault = errors.New("a mapped file can't be read any more")

// CatchFault converts a fault of the memory that f reads into an error that wraps ErrFault, instead of ending the
// process. It catches faults of its own goroutine only; every other panic continues.
func CatchFault(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case interface {
			error
			Addr() uintptr // address of the fault; no other run-time error has one
		}:
			err = fmt.Errorf("%w: %w", ErrFault, p)
		default:
			panic(p)
		}
	}()
	return f()
}
