// Package plain converts errors to text for people. It must not know who returned the error, nor where the text is
// shown.
package plain

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"
)

// Text returns an error's message for people: the problem and the thing concerned, without the names of calls and
// packages on its way.
func Text(err error) string {
	var inner []error
	switch e := err.(type) {
	case *fs.PathError:
		return e.Path + ": " + Text(e.Err)
	case *os.LinkError:
		return e.New + ": " + Text(e.Err)
	case *os.SyscallError:
		return Text(e.Err)
	case *net.OpError:
		return "the server can't be reached"
	case *strconv.NumError:
		switch {
		case errors.Is(e, strconv.ErrRange):
			return "the number is too large"
		case e.Func == "ParseBool":
			return "expected true or false"
		}
		return "expected a whole number"
	case interface{ Unwrap() error }:
		inner = append(inner, e.Unwrap())
	case interface{ Unwrap() []error }:
		inner = e.Unwrap()
	}
	text := err.Error()
	if err == context.Canceled {
		text = "interrupted"
	}
	for _, e := range inner {
		if e == nil || e.Error() == "" {
			continue
		}
		said := Text(e)
		what, _, _ := strings.Cut(said, ": ")
		text = strings.ReplaceAll(text, what+": "+e.Error(), said) // already named before
		text = strings.ReplaceAll(text, e.Error(), said)
	}
	return text
}
