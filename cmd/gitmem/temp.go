package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ownTemp is the folder of this user's own in the system's temporary folder, where
// anybody may make one of any name. The error says why it can't be trusted, or, unless
// it is to be made, that it is not there.
func ownTemp(temp string, make bool) (string, error) {
	dir := filepath.Join(temp, tempName())
	if make {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", fmt.Errorf("%s is no folder", dir)
	}
	return dir, onlyOwn(dir, info)
}

// tempCache is where caches lie for a user who has no folder for them. Where that
// can't be trusted it is one that ends with this process, which drop removes.
func tempCache(temp string, warn io.Writer) (dir string, drop func()) {
	dir, err := ownTemp(temp, true)
	if err == nil {
		return dir, func() {}
	}
	fmt.Fprintf(warn, "gitmem: no cache is kept: %v\n", err)
	if dir, err = os.MkdirTemp(temp, "gitmem-cache-"); err != nil {
		return os.DevNull, func() {} // nothing lies below it
	}
	return dir, func() { _ = os.RemoveAll(dir) }
}
