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

// ForgeOptions contains the environment for remote sources.
type ForgeOptions struct {
	Now    func() time.Time
	Getenv func(string) string
	// Transport sends the requests; with nil no source is ever asked. A [Dialer] creates the clients as well.
	Transport http.RoundTripper
	// FetchWait is how long a question waits for them; 0 uses the configuration.
	FetchWait time.Duration
	Offline   bool
	// Run runs a program and returns its output; nil disables this.
	Run func(ctx context.Context, program string, args ...string) ([]byte, error)
}

// Dialer is a transport that creates the clients of remote sources, such as those of tests.
type Dialer interface {
	Dial(kind, name, token string) (providers.Source, error)
}

// Caller is the user of remote sources.
type Caller interface {
	// ValidID reports whether an id is the canonical form of a citation.
	ValidID(id string) bool
	// Caveat receives caveats about the data that answers use.
	Caveat(format string, args ...any)
	// AwaitsServer is called while everything waits for a server, with the number of items received so far.
	AwaitsServer(kind, name string, done int)
}

// Forges are the remote sources of one workspace, during one question.
type Forges struct {
	Options  ForgeOptions
	Conf     config.Config
	Dir      string // folder of the caches
	Redactor *redact.Redactor
	Indexing bool // the indexer asks, and waits for the complete fetch
	ReadOnly bool // fetch and write nothing
	Remotes  []Remote
	Caller   Caller

	fetches  map[string]*fetching     // by the keys of their sources
	finders  map[string]*threadFinder // by the keys of their sources
	graphing sync.Mutex               // the fetched items are opened once
	fetched  *teamGraph               // nil until it is requested
}

// clean removes secrets.
func (fg *Forges) clean(s string) string { return fg.Redactor.Clean(s).String() }
