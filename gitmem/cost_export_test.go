package gitmem

// SessionCost sums what a session was told.
func SessionCost(m *Memory, session string) (injections, chars int, err error) {
	return m.sessionCost(session)
}

// InjectedNote is what the archive says of a session's cost.
func InjectedNote(injections, chars int) string { return injected(injections, chars) }

// InjectedIn reads what the archive says.
func InjectedIn(line string) (injections, chars int) { return injectedIn(line) }
