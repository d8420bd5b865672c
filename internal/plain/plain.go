// Package plain tells what an error says in words for people. It must not know who
// returned the error, nor where the text is shown.
package plain

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"
)

// Text is the text of an error for people: what went wrong with which thing, without
// the names of calls and packages that it went through.
func Text(err error) string {
	text := err.Error()
	var walk func(error)
	walk = func(err error) {
		switch e := err.(type) {
		case *fs.PathError:
			what := e.Path + ": " + e.Err.Error()
			text = strings.ReplaceAll(strings.ReplaceAll(text, e.Path+": "+e.Error(), what), e.Error(), what)
		case *os.LinkError:
			text = strings.ReplaceAll(text, e.Error(), e.New+": "+e.Err.Error())
		case *os.SyscallError:
			text = strings.ReplaceAll(text, e.Error(), e.Err.Error())
		case *net.OpError:
			text = strings.ReplaceAll(text, e.Error(), "the server can't be reached")
		case *strconv.NumError:
			why := map[bool]string{true: "expected true or false", false: "expected a whole number"}[e.Func == "ParseBool"]
			if errors.Is(e, strconv.ErrRange) {
				why = "the number is too large"
			}
			text = strings.ReplaceAll(text, e.Error(), why)
		}
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			if inner := e.Unwrap(); inner != nil {
				walk(inner)
			}
		case interface{ Unwrap() []error }:
			for _, inner := range e.Unwrap() {
				walk(inner)
			}
		}
	}
	walk(err)
	return text
}
