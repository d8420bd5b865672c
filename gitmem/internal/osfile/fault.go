package osfile

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrFault means that mapped bytes could not be read: the file was cut while it was
// mapped, or lies on a disk that is gone.
var ErrFault = errors.New("a mapped file can't be read any more")

// CatchFault turns a fault of the memory that f reads into an error that wraps
// ErrFault, where the process would end otherwise. It catches faults of its own
// goroutine only; every other panic goes on.
func CatchFault(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case interface {
			error
			Addr() uintptr // of the fault; no other run-time error has one
		}:
			err = fmt.Errorf("%w: %w", ErrFault, p)
		default:
			panic(p)
		}
	}()
	return f()
}
