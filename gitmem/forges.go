package gitmem

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/providers"
)

// forgeOptions are what the outside world is for remote sources.
type forgeOptions struct {
	Now    func() time.Time
	Getenv func(string) string
	// Transport is the way to them; nil means that none is ever asked.
	Transport http.RoundTripper
	// FetchWait is how long a question waits for them; 0 means what the configuration says.
	FetchWait time.Duration
	Offline   bool
	// Run runs a program and returns its output; nil runs none.
	Run func(ctx context.Context, program string, args ...string) ([]byte, error)
}

// forges are the remote sources of one place, during one question.
type forges struct {
	o        forgeOptions
	conf     config.Config
	dir      string // folder of the caches
	redactor *redact.Redactor
	patient  bool // fetching is what is waited for
	looking  bool // nothing is fetched and nothing written
	remotes  []remote

	valid    func(id string) bool // the canonical form of a citation id
	clean    func(string) string  // takes out secrets
	notice   func(format string, args ...any)
	progress func(kind, waiting string, done int)
	// dialer takes the place of the clients of remote sources in tests.
	dialer func(kind, name, token string) (providers.Source, error)

	fetches  map[string]*fetching // by the keys of their sources
	bringers map[string]*bringer  // by the keys of their sources
	graphing sync.Mutex           // what was fetched is opened once
	fetched  *teamGraph           // nil until it is asked for
}
