package gitmem

// Team answers what the shared sources of the current repository tell: its history,
// its forge and its documents. Nothing of it is kept; it is read on demand.
type Team struct{ m *Memory }

// Team gives access to what the team left behind in the current repository.
func (m *Memory) Team() *Team { return &Team{m} }
