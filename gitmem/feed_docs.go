package gitmem

import (
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/providers"
)

// document looks a section of a document up.
func (m *Memory) document(p *place, id cite.ID) (it providers.Item, line int, err error) {
	return providers.Item{}, 0, cite.ErrNotFound
}
