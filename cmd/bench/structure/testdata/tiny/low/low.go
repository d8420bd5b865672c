// Package low keeps names.
package low

import "fmt"

// Store keeps the names that Accept has no error for.
type Store struct {
	Accept func(name string) error

	names []string
}

/*
Add adds a name,

	or tells what is wrong with it.
*/
func (s *Store) Add(name string) error {
	if err := s.Accept(name); err != nil {
		return fmt.Errorf("add %s: %w", name, err)
	}
	s.names = append(s.names, name)
	return nil
}

// All ranges over the names.
func (s *Store) All(yield func(string) bool) {
	for _, name := range s.names {
		if !yield(name) {
			return
		}
	}
}
