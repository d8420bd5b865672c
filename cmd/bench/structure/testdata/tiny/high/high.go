// Package high decides which names are good.
package high

import (
	"errors"
	"strings"

	"example.org/tiny/low"
)

const help = `
a name has no space
`

// Run adds names.
func Run(names []string) error {
	s := &low.Store{Accept: accept}
	for _, name := range names {
		if err := s.Add(name); err != nil {
			return err
		}
	}
	for name := range s.All {
		show(name)
	}
	return nil
}

func accept(name string) error {
	if strings.ContainsFunc(name, isSpace) {
		return errors.New(help)
	}
	return nil
}

func isSpace(r rune) bool { return r == ' ' }

func show(name string) {
	for range name {
		switch {
		case name == "":
		default:
			if name == "a" {
			} else if func() bool {
				for {
					return true
				}
			}() {
			}
		}
	}
}
