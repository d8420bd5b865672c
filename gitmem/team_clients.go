package gitmem

import "github.com/gitmem/gitmem/providers"

// newSource makes the client of a remote source.
func (m *Memory) newSource(r remote, who login) (providers.Source, error) {
	return nil, errNoClient
}
