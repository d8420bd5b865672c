package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Block is one block of an answer: a text, a thought, or a tool call. The first of the three that is set
// counts.
type Block struct {
	Text     string
	Thinking string
	Tool     string         // name of a tool
	Input    map[string]any // of the tool
}

// Turn is one answer of the model, or a fault instead.
type Turn struct {
	Blocks []Block

	Wait   <-chan struct{} // if set, nothing is sent before it is closed
	Status int             // if set, this HTTP status and an error are sent instead of an answer
	Pause  time.Duration   // before each event of the stream
	Cut    int             // if set, the connection breaks after this many events
}

// Say returns a turn with one text.
func Say(text string) Turn { return Turn{Blocks: []Block{{Text: text}}} }

// Call returns a turn that calls one tool.
func Call(tool string, input map[string]any) Turn {
	return Turn{Blocks: []Block{{Tool: tool, Input: input}}}
}

// Rule is the answer to each request whose last message contains a text. It uses no turn of the script.
type Rule struct {
	Contains string
	Turn     Turn
}

// Request is a request to the stub. Its header contains no credentials.
type Request struct {
	Method, Path string
	Header       http.Header
	Body         []byte
}

// Model is a stub of the Messages API: a handler of POST /v1/messages that plays a script, turn by turn, and
// answers "done" at its end. Create it with [NewModel]; it is safe for use by several clients at once.
type Model struct {
	mu       sync.Mutex
	script   []Turn
	rules    []Rule
	requests []Request
	answers  int
}

// NewModel returns a stub that plays the turns.
func NewModel(turns ...Turn) *Model { return &Model{script: turns} }

// Script appends turns to the script.
func (m *Model) Script(turns ...Turn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.script = append(m.script, turns...)
}

// Rule adds a rule. Earlier ones take precedence.
func (m *Model) Rule(r Rule) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rules = append(m.rules, r)
}

// Requests returns the requests for an answer so far, in the order of their arrival.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Request(nil), m.requests...)
}

// Left returns the number of turns of the script that have not been played.
func (m *Model) Left() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.script)
}

// maxRequest limits a request's body: conversations of tests are small.
const maxRequest = 64 << 20

// ServeHTTP answers the client. It accepts requests other than for an answer.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, "invalid_request_error", "unreadable body: "+err.Error())
	case r.Method == http.MethodPost && r.URL.Path == "/v1/messages/count_tokens":
		reply(w, http.StatusOK, map[string]any{"input_tokens": len(body) / 4})
	case r.Method == http.MethodPost && r.URL.Path == "/v1/messages":
		m.message(w, r, body)
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case r.Method == http.MethodPost:
		reply(w, http.StatusOK, map[string]any{})
	default:
		refuse(w, http.StatusNotFound, "not_found_error", "there is only /v1/messages")
	}
}

// message answers one request of a conversation.
func (m *Model) message(w http.ResponseWriter, r *http.Request, body []byte) {
	var asked struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request_error", "malformed JSON: "+err.Error())
		return
	}
	kept := Request{Method: r.Method, Path: r.URL.Path, Header: withoutCredentials(r.Header), Body: body}
	turn, number := m.next(kept)
	if turn.Wait != nil {
		select {
		case <-turn.Wait:
		case <-r.Context().Done():
			return
		}
	}
	switch a := newAnswer(number, asked.Model, turn); {
	case turn.Status != 0:
		refuse(w, turn.Status, "api_error", "the script wants an error here")
	case asked.Stream:
		a.stream(w, r.Context().Done())
	default:
		reply(w, http.StatusOK, a.whole())
	}
}

// next records a request and returns its answer from the rules or the script.
func (m *Model) next(r Request) (Turn, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, r)
	m.answers++
	last := r.Last()
	for _, rule := range m.rules {
		if strings.Contains(last, rule.Contains) {
			return rule.Turn, m.answers
		}
	}
	if len(m.script) == 0 {
		return Say("done"), m.answers
	}
	turn := m.script[0]
	m.script = m.script[1:]
	return turn, m.answers
}

func withoutCredentials(h http.Header) http.Header {
	kept := h.Clone()
	for _, name := range []string{"Authorization", "Proxy-Authorization", "X-Api-Key", "Cookie"} {
		kept.Del(name)
	}
	return kept
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	reply(w, status, map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}})
}

func reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // a client that disconnected needs no answer
}
