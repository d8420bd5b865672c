package transcript

import (
	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// sessions lists the sessions of a client.
func (s Stores) sessions(client string) ([]dialect.Session, []error) {
	switch client {
	}
	return nil, nil
}

// records reads a session of a client.
func records(client string, s dialect.Session) ([]dialect.Record, error) {
	switch client {
	}
	return nil, dialect.ErrUnknownFormat
}
