package store

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// syncFlag is how a file is opened to be synced: flushing needs a writer here.
const syncFlag = os.O_RDWR

// syncDir does nothing: folders can't be flushed here, NTFS journals names.
func syncDir(*os.Root, string) error { return nil }

// retryBusy repeats f for up to a second while another process (an editor, a
// virus scanner) has the file open.
func retryBusy(f func() error) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := f()
		busy := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !busy || wait > 512*time.Millisecond {
			return err
		}
		time.Sleep(wait)
	}
}

// isNotDir says that a file is where a path needs a folder.
func isNotDir(err error) bool { return errors.Is(err, windows.ERROR_DIRECTORY) }
