package git

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// errFault says that mapped bytes could not be read: the file was cut while it was
// mapped, or lies on a disk that is gone.
var errFault = errors.New("its file can't be read any more")

// guard turns a fault of the memory that f reads into an error, where the process
// would end otherwise. It speaks for its own goroutine; every other panic goes on.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case interface {
			error
			Addr() uintptr // of the fault; no other run-time error has one
		}:
			err = fmt.Errorf("%w: %w", errFault, p)
		default:
			panic(p)
		}
	}()
	return f()
}
