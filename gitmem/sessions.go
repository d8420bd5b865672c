package gitmem

// Sessions is what follows the sessions of the client: what hooks tell a session and
// note of it, and what becomes of its transcript.
type Sessions struct{ m *Memory }

// Sessions gives access to what follows the sessions of the client.
func (m *Memory) Sessions() *Sessions { return &Sessions{m} }
