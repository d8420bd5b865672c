package gitmem

import (
	"context"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// IndexString builds a shard that keeps a string as the path of a document.
func IndexString(ctx context.Context, m *Memory, dir, s string) error {
	docs := func(yield func(index.Doc, error) bool) {
		yield(index.Doc{ID: "x:1", Source: "a", Text: "harmless", File: s}, nil)
	}
	plan := func(map[string]index.Mark, index.State) (index.Update, error) {
		return index.Update{Docs: docs}, nil
	}
	_, err := index.Open(dir, index.Options{Fingerprint: m.feedPrint()}).Refresh(ctx, plan)
	return err
}

// ReadTraces counts what one folder of traces tells.
func ReadTraces(now time.Time, dir string) (failed, bad int) {
	c := &checkup{m: &Memory{o: Options{Now: func() time.Time { return now }}}, o: Checkup{Traces: []string{dir}}}
	list, bad, err := c.traces()
	for _, r := range list {
		_ = reason(r.Detail)
	}
	if err != nil {
		panic(err) // files of a test can be read
	}
	return len(list), bad
}

// ShellWords splits a command.
func ShellWords(command string) []string { return shellWords(command) }
