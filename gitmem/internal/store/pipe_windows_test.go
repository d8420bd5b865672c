package store_test

import "testing"

func makePipe(t *testing.T, _ string) { t.Skip("no named pipes among the files") }
