package gitmem

// InjectedNote is what the archive says of a session's cost.
func InjectedNote(injections, chars int) string { return injected(injections, chars) }

// InjectedIn reads what the archive says.
func InjectedIn(line string) (injections, chars int) { return injectedIn(line) }
