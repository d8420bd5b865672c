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

// isSpace says whether a rune is a blank, a tab, or one of the characters that end a line or a page in a text of ASCII characters.
func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' }

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
