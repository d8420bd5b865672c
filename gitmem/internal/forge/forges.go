package forge

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/providers"
)

// ForgeOptions are what the outside world is for remote sources.
type ForgeOptions struct {
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

// Forges are the remote sources of one place, during one question.
type Forges struct {
	Options  ForgeOptions
	Conf     config.Config
	Dir      string // folder of the caches
	Redactor *redact.Redactor
	Indexing bool // the indexer asks, which waits for all there is to fetch
	ReadOnly bool // nothing is fetched and nothing written
	Remotes  []Remote

	Valid    func(id string) bool // the canonical form of a citation id
	Clean    func(string) string  // takes out secrets
	Warn     func(format string, args ...any)
	Progress func(kind, waiting string, done int)
	// Dialer takes the place of the clients of remote sources in tests.
	Dialer func(kind, name, token string) (providers.Source, error)

	fetches  map[string]*fetching     // by the keys of their sources
	finders  map[string]*threadFinder // by the keys of their sources
	graphing sync.Mutex               // what was fetched is opened once
	fetched  *teamGraph               // nil until it is asked for
}
