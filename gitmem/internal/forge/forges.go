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
	// Transport is the way to them; nil means that none is ever asked. A [Dialer] makes
	// their clients too.
	Transport http.RoundTripper
	// FetchWait is how long a question waits for them; 0 means what the configuration says.
	FetchWait time.Duration
	Offline   bool
	// Run runs a program and returns its output; nil runs none.
	Run func(ctx context.Context, program string, args ...string) ([]byte, error)
}

// Dialer is a transport that makes the clients of remote sources, as those of tests do.
type Dialer interface {
	Dial(kind, name, token string) (providers.Source, error)
}

// Caller asks for remote sources.
type Caller interface {
	// ValidID reports whether an id is the canonical form of a citation.
	ValidID(id string) bool
	// Caveat is told what an answer has to say about what it rests on.
	Caveat(format string, args ...any)
	// AwaitsServer is told that nothing goes on without a server, and how many items it has given.
	AwaitsServer(kind, name string, done int)
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
	Caller   Caller

	fetches  map[string]*fetching     // by the keys of their sources
	finders  map[string]*threadFinder // by the keys of their sources
	graphing sync.Mutex               // what was fetched is opened once
	fetched  *teamGraph               // nil until it is asked for
}

// clean takes out secrets.
func (fg *Forges) clean(s string) string { return fg.Redactor.Clean(s).String() }
