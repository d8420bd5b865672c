package high

import "testing"

// Checks is for tests.
type Checks struct{ Run func(*testing.T) }
