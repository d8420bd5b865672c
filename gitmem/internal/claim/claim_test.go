package claim_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/claim"
)

// TestFit: a sentence supports a question only if it describes the same change of the same object.
func TestFit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question, sentence string
		event              claim.Event
		object             string // of the same event
	}{
		{"why did we remove ModuleAlias?", "Remove `ModuleAlias` (#123)", claim.Same, "exact"},
		{"why did we remove modules?", "Remove `ModuleAlias` (#123)", claim.Untold, ""},
		{"why did we drop --listen?", "Remove $FZF_LISTEN_PORT", claim.Untold, ""},
		{"when did we throw perl out?", "Remove perl from fish key bindings", claim.Same, "narrower"},
		{"when did we throw out the fish key bindings?", "Remove perl from fish key bindings", claim.Untold, ""},
		{"why did we axe graceful shutdown?", "Remove duplication in serving with graceful shutdown", claim.Untold, ""},
		{"why did we scrap the multipart builder?", "Remove stray deprecation in multipart builder", claim.Untold, ""},
		{"why were imports removed?", "Remove unused imports", claim.Same, "narrower"},
		{"why did we yank out the old parser?", "Drop the parser", claim.Same, "exact"},
		{"why was support for Python 2 dropped?", "Drop Python 2 support", claim.Same, "exact"},
		{"who removed Python 2?", "Drop Python 2 support", claim.Same, "within"},
		{"who got rid of the parser?", "Drop the parser", claim.Same, "exact"},
		{"who threw the parser out?", "Add the parser", claim.Opposite, ""},
		{"why did we introduce the preparsing hook?", "Add preparsing tests", claim.Untold, ""},
		{"when did the LINK and UNLINK shortcuts go away?", "Drops LINK and UNLINK shortcuts", claim.Same, "exact"},
		{"why was set-remain-on-exit dropped?", "set-remain-on-exit has gone, use hooks", claim.Same, "exact"},
		{"why was the cache removed?", "cache: remove it", claim.Same, "exact"},
		{"why was the retry logic removed?", `Revert "Add retry logic"`, claim.Same, "exact"},
		{"why did we take the retry logic out?", "feat(client): retry logic", claim.Opposite, ""},
		{"why did support for URLSearchParams get dropped?", "Adding support for URLSearchParams in node",
			claim.Opposite, ""},
		{"why did we turn off colors by default?", "Enable colors by default", claim.Opposite, ""},
		{"why was scanning all processes turned off on Linux?", "Disable full process scans on Linux",
			claim.Same, "narrower"},
		{"why was HasCaller deleted?", "Deprecate HasCaller in favor of checking Caller", claim.Untold, ""},
		{"why is HasCaller deprecated now?", "entry: deprecate Entry.HasCaller", claim.Same, "exact"},

		{"why did we replace Redis with Postgres?", "Use Postgres instead of Redis for the queue", claim.Same, "exact"},
		{"why was Redis killed off?", "Use Postgres instead of Redis for the queue", claim.Same, "exact"},
		{"why did we move to Postgres?", "Use Postgres instead of Redis for the queue", claim.Same, "exact"},
		{"why do we use zap?", "Switch from logrus to zap", claim.Same, "exact"},
		{"why did we go from Go to Ruby?", "Switch from Ruby to Go", claim.Opposite, ""},
		{"why did we switch from := to =?", "Replace `:=` with `=`", claim.Same, "exact"},
		{"why did we switch from = to :=?", "Replace `:=` with `=`", claim.Opposite, ""},
		{"why did we switch the build from rollup to webpack?", "Replaced Rollup as our build runner", claim.Untold, ""},
		{"why did we rename foo to bar?", "Rename bar to foo", claim.Opposite, ""},
		{"why was result_callback renamed resultcallback?", "rename resultcallback to result_callback", claim.Opposite, ""},
		{"why did Hook become SlogHook?", "hooks/slog: rename SlogHook to Hook", claim.Opposite, ""},
		{"when did tmux move to autoconf and automake?", "Switch tmux to use autoconf and automake.", claim.Same, "exact"},
		{"why did we change the timeout from 10 seconds to 0?", "Change the timeout to 10 seconds instead of 0",
			claim.Opposite, ""},

		{"how did we fix the crash in theme names?", "Fix crash in file paths", claim.Untold, ""},
		{"why did we drop Redis?", "Why we dropped Redis is answered by the commit that replaced it.", claim.Untold, ""},
		{"why did we drop Redis?", "If Redis fails, we drop Redis", claim.Same, "exact"},
		{"how do I turn off colors?", "Enable colors by default", claim.Unasked, ""},
		{"what did we change for websockets?", "Drop websockets", claim.Unasked, ""},
		{"what did we decide on texts written by machines?", "Add texts", claim.Unasked, ""},
	} {
		fit := claim.Read(tt.question).Fit([]string{tt.sentence}, nil)
		if fit.Event != tt.event || tt.object != "" && fit.Object() != tt.object {
			t.Errorf("%q by %q: %s of %s (%+v), want %s of %s", tt.question, tt.sentence, fit.Event, fit.Object(), fit,
				tt.event, tt.object)
		}
	}
}

// TestInstead: a replacement is another thing of the same kind, or for the same purpose.
func TestInstead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question, text string
		want           bool
	}{
		{"do we use 5 A relays?", "Use 10 A relays from now on", true},
		{"do we use 5 A relays?", "Use 5 A relays", false},
		{"do we use 5 A relays?", "Use copper wires", false},
		{"do we use Redis for the job queue?", "Use Postgres for the job queue", true},
		{"do we use Redis for the job queue?", "Use RabbitMQ for the mail queue", false},
		{"why did we drop Redis?", "Use Postgres", false},
	} {
		if got := claim.Read(tt.question).Instead(tt.text); got != tt.want {
			t.Errorf("%q, %q: %v", tt.question, tt.text, got)
		}
	}
}

// TestNegated: a word and its opposite formed by a prefix are distinguished.
func TestNegated(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question, text string
		want           bool
	}{
		{"why is groupby case-sensitive?", "The groupby filter is case-insensitive", true},
		{"why is groupby case-insensitive?", "groupby: case-sensitive by default", true},
		{"is it sensitive?", "It is insensitive where it was sensitive", false},
		{"is it fast?", "It is fast", false},
	} {
		if got := claim.Negated(tt.question, tt.text); got != tt.want {
			t.Errorf("%q, %q: %v", tt.question, tt.text, got)
		}
	}
}
