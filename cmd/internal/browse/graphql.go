package browse

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/graphql-go"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/templates"
)

// Limits of one request: its body and its query in bytes, the nesting and the number of its fields, how many
// are resolved at once, and how many pages it reads.
const (
	mostBody, mostQuery           = 256 << 10, 64 << 10
	mostDepth, mostFields         = 12, 1000
	mostResolved, mostReads int32 = 4, 10
)

// newSchema parses the schema and resolves it with the data of the pages.
func newSchema(s *site) (*graphql.Schema, error) {
	text, err := fs.ReadFile(templates.Web(), "schema.graphql")
	if err != nil {
		return nil, err
	}
	return graphql.ParseSchema(string(text), &queries{s}, graphql.UseFieldResolvers(), graphql.UseStringDescriptions(),
		graphql.MaxDepth(mostDepth), graphql.MaxSelections(mostFields), graphql.MaxQueryLength(mostQuery),
		graphql.MaxParallelism(int(mostResolved)), graphql.Logger(unlogged{}),
		graphql.SubscribeResolverTimeout(time.Hour)) // an event that nobody reads for this long is dropped
}

// unlogged does not log a panic, because the response contains it.
type unlogged struct{}

// LogPanic implements the logger of graphql-go.
func (unlogged) LogPanic(context.Context, any) {}

// queries resolves queries with the data of the pages. Mutations only read too.
type queries struct{ site *site }

// Subscription resolves subscriptions.
func (q *queries) Subscription() *subscriptions { return &subscriptions{q.site} }

// Ask answers a question.
func (q *queries) Ask(ctx context.Context, a AskArgs) (AskView, error) {
	return read(ctx, a, q.site.answer)
}

// Search searches memory.
func (q *queries) Search(ctx context.Context, a SearchArgs) (SearchView, error) {
	return read(ctx, a, q.site.search)
}

// Sessions lists sessions.
func (q *queries) Sessions(ctx context.Context, a SessionsArgs) (SessionsView, error) {
	return read(ctx, a, q.site.sessions)
}

// Session returns a part of a session.
func (q *queries) Session(ctx context.Context, a SessionArgs) (SessionView, error) {
	return read(ctx, a, q.site.session)
}

// Memory returns files of memory.
func (q *queries) Memory(ctx context.Context, a MemoryArgs) (MemoryView, error) {
	return read(ctx, a, q.site.memory)
}

// Profile returns the user's profile.
func (q *queries) Profile(ctx context.Context, a struct{ AsOf string }) (ProfileView, error) {
	return read(ctx, a.AsOf, q.site.profile)
}

// People returns those who know a path or a topic.
func (q *queries) People(ctx context.Context, a struct{ Path string }) (PeopleView, error) {
	return read(ctx, a.Path, q.site.people)
}

// Graph returns the ideas of sessions.
func (q *queries) Graph(ctx context.Context, a GraphArgs) (GraphView, error) {
	return read(ctx, a, q.site.graph)
}

// Team returns the state of a team's work.
func (q *queries) Team(ctx context.Context, a TeamArgs) (TeamView, error) {
	return read(ctx, a, q.site.team)
}

// Stats returns statistics about memory.
func (q *queries) Stats(ctx context.Context) (StatsView, error) {
	return read(ctx, q.site, func(ctx context.Context, s *site) (StatsView, error) { return s.stats(ctx) })
}

// Source returns the source with a citation id.
func (q *queries) Source(ctx context.Context, a struct{ ID string }) (SourceView, error) {
	return read(ctx, a.ID, q.site.source)
}

// SearchMemory answers a question, with a model if one is configured.
func (q *queries) SearchMemory(ctx context.Context, a struct{ Question string }) (AskView, error) {
	return q.Ask(ctx, AskArgs{Question: a.Question, Agent: q.site.m.Research().Configured()})
}

type subscriptions struct{ site *site }

// Ask answers a question, and reports its steps before.
func (s *subscriptions) Ask(ctx context.Context, a struct {
	Question string
	AsOf     *string
	Agent    *bool
}) (<-chan *AskEvent, error) {
	args := AskArgs{a.Question, *cmp.Or(a.AsOf, new(string)), *cmp.Or(a.Agent, new(bool))}
	return read(ctx, args, func(ctx context.Context, a AskArgs) (<-chan *AskEvent, error) {
		return s.site.follow(ctx, a), nil
	})
}

// readsKey is the context key of the number of pages that a request has read.
type readsKey struct{}

// read reads a page, unless the request has read too many.
func read[A, V any](ctx context.Context, a A, do func(context.Context, A) (V, error)) (v V, err error) {
	if n, ok := ctx.Value(readsKey{}).(*atomic.Int32); ok && n.Add(1) > mostReads {
		return v, fmt.Errorf("%w: the request reads more than %d pages: ask for them in several", gitmem.ErrUsage, mostReads)
	}
	return do(ctx, a)
}

// asked is a GraphQL request.
type asked struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

// graphql answers a request with JSON, or with events if it accepts them.
func (s *site) graphql(w http.ResponseWriter, r *http.Request) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		http.Error(w, "the query is sent as application/json", http.StatusUnsupportedMediaType)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		http.Error(w, fmt.Sprintf("a request has %d bytes at most", mostBody), http.StatusRequestEntityTooLarge)
		return
	}
	var in asked
	if json.Unmarshal(body, &in) != nil || in.Query == "" {
		http.Error(w, `expected {"query": "…", "variables": {…}}`, http.StatusBadRequest)
		return
	}
	ctx := context.WithValue(r.Context(), readsKey{}, new(atomic.Int32))
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		s.stream(ctx, w, in)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	answer := replied(s.schema.Exec(ctx, in.Query, in.OperationName, in.Variables))
	_, _ = io.WriteString(w, answer) // a client that disconnected needs no answer
}

// notAsked answers a GET request.
func (s *site) notAsked(w http.ResponseWriter, r *http.Request) {
	if !authorised(r) { // without a token the response is the same everywhere
		s.write(w, http.StatusOK, page{"gitmem", "frame", nil})
		return
	}
	w.Header().Set("Allow", http.MethodPost)
	http.Error(w, "GraphQL is asked by POST, with the query in JSON", http.StatusMethodNotAllowed)
}

// replied encodes a GraphQL response as JSON. Errors are those of the pages.
func replied(r *graphql.Response) string {
	for _, e := range r.Errors {
		e.Message = gitmem.Redacted(e.Message)
		if e.ResolverError != nil {
			f := faultView(e.ResolverError)
			e.Message, e.Extensions = f.Message, map[string]any{"advice": f.Advice}
		}
		if strings.HasPrefix(e.Message, "graphql-ws") { // of a subscription
			e.Message = "a subscription is answered by events: send Accept: text/event-stream"
		}
	}
	b, err := json.Marshal(r)
	if err != nil {
		b = []byte(`{"errors":[{"message":"the answer is no JSON"}]}`)
	}
	return gitmem.Visible(string(b))
}

// The maximum time without an event, and the time a client has to read one.
const (
	heartbeat = 15 * time.Second
	patience  = 30 * time.Second
)

// stream answers a request with events: GraphQL over SSE, distinct connections mode.
func (s *site) stream(ctx context.Context, w http.ResponseWriter, in asked) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	answers, err := s.schema.Subscribe(ctx, in.Query, in.OperationName, in.Variables)
	if err != nil {
		http.Error(w, gitmem.Redacted(err.Error()), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	connection := http.NewResponseController(w)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for more := true; more; {
		chunk := ":\n\n"
		select {
		case a, ok := <-answers:
			if more = ok; ok {
				chunk = "event: next\ndata: " + replied(a.(*graphql.Response)) + "\n\n"
			} else {
				chunk = "event: complete\ndata:\n\n"
			}
			beat.Reset(heartbeat)
		case <-beat.C:
		}
		_ = connection.SetWriteDeadline(time.Now().Add(patience)) // the recorder in tests has none
		if _, err := io.WriteString(w, chunk); err != nil || connection.Flush() != nil {
			return
		}
	}
}
