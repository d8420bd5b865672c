package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// forkNotice is what is said once, before anything is recorded of a fork: whose history
// it shares, and how to share the memory too.
func (m *Sessions) forkNotice(o GreetOptions, p *workspace.Place) string {
	if p.Project.Exists || p.Identity.Root == "" {
		return ""
	}
	others := m.ws.SameHistory(p)
	if len(others) == 0 {
		return ""
	}
	mark := filepath.Join(m.ws.IndexDir(), "forks", store.ShortHash(p.Project.ID))
	if _, err := os.Stat(mark); err == nil {
		return ""
	}
	if o.Session != "" && os.MkdirAll(filepath.Dir(mark), 0o700) == nil {
		_ = os.WriteFile(mark, nil, 0o600) // without it the next session says so again
	}
	return fmt.Sprintf("%s has the history of %s, and a memory of its own, as a fork has; gitmem project link %s lets both count as one",
		p.Called(), strings.Join(others, ", "), others[0])
}
