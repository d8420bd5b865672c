package agent

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
)

// Kind is the kind of an event of a run.
type Kind string

// The kinds of events.
const (
	Started Kind = "started" // the question
	Called  Kind = "called"  // a tool and its arguments
	Got     Kind = "got"     // the size of a tool's result
	Replied Kind = "replied" // a reply of the model and its cost
	Refused Kind = "refused" // a tool that the model may not call
	Missing Kind = "missing" // a provider that returned nothing, and why
	Cut     Kind = "cut"     // an unsupported claim
	Failed  Kind = "failed"  // why the model gave no answer
	Ended   Kind = "ended"   // the answer
)

// Event is one step of a run and one line of its record.
type Event struct {
	Run    string    `json:"run"` // id of the run
	Time   time.Time `json:"time"`
	Kind   Kind      `json:"kind"`
	Text   string    `json:"text"`
	Tokens int       `json:"tokens,omitempty"` // number that a reply used
	Result *Result   `json:"result,omitempty"` // set for Ended
	Claims []claim   `json:"claims,omitempty"` // supported claims
	// Source and Content are the id and the text of a provider's result.
	Source  string `json:"source,omitempty"`
	Content string `json:"content,omitempty"`
	// Project is the project of the run. Events are shown only within their project.
	Project string `json:"project,omitempty"`
}

// kept is the retention time of the records, which contain answers.
const kept = 48 * time.Hour

// run is a question in progress. It holds a lock on its record file.
type run struct {
	id       string
	question Question
	task     task
	conf     config.Agent
	reach    string // see [workspace.Workspace.ReachFolder]
	agent    *Agent
	record   *os.File // nil if no record can be kept; events are then dropped
	layers   []string
	looks    int // number of tool calls that returned a result
	spent    Spent
	project  string
	// providers may be queried besides memory, obtained are their results, and caveats list the ones that returned
	// nothing.
	providers []Provider
	obtained  []query.Shown
	caveats   []string
}

// begin creates the record of a run. It returns a stored result instead if the same session asked the same question and
// no source changed since, or if a run with the same key is kept. A run continues without a record if none can be
// written.
func (a *Agent) begin(ctx context.Context, q Question, conf config.Agent) (*run, *Result) {
	r := &run{id: runID(q, conf, fmt.Sprint(a.ws.Options.Now().UnixNano(), os.Getpid())), question: q, conf: conf,
		project: q.project, agent: a}
	r.spent.Model, r.reach = conf.Backend+" "+conf.Model, a.ws.ReachFolder()
	if p, err := a.ws.Place(ctx); r.project == "" && err == nil {
		r.project = p.Project.ID
	}
	if q.Session != "" && len(a.ws.Policy().Config.Providers) == 0 { // changes of providers are not visible
		if state, err := a.state(ctx, q.Session); err == nil {
			q.key = "sources: " + state
		}
	}
	if q.key != "" {
		id := runID(q, conf, q.key)
		events, _ := a.events(id)
		if n := len(events); n > 0 && events[n-1].Result != nil && events[n-1].Result.Success {
			events[n-1].Result.claims = events[n-1].Claims
			return nil, events[n-1].Result
		}
		if r.open(a.record(id)) {
			r.id = id
		}
	}
	a.prune()
	if r.record == nil {
		r.open(a.record(r.id))
	}
	r.write(Event{Kind: Started, Text: a.ws.Clean(q.Text), Project: r.project})
	return r, nil
}

// runID returns the id of a run of a question; mark contains everything else that distinguishes it.
func runID(q Question, conf config.Agent, mark string) string {
	return store.ShortHash(fmt.Sprintf("%q %q %q %q %s", q.Session, q.Text, conf.Backend, conf.Model, mark))
}

// open creates a record and locks it. It returns false if that fails or another run holds the lock.
func (r *run) open(file string) bool {
	if os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return false
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600) // locking needs both on Windows
	if err != nil {
		return false
	}
	if free, err := osfile.TryLock(f); err != nil || !free {
		_ = f.Close() // nothing was written
		return false
	}
	r.record = f
	return true
}

// state describes the sources and their last known states, without the asking session, which keeps growing.
func (a *Agent) state(ctx context.Context, session string) (string, error) {
	v, err := a.reader.ViewOf(ctx, "")
	if err != nil {
		return "", err
	}
	defer v.Close()
	var all []string
	for i, snap := range v.Snaps {
		if snap == nil {
			continue
		}
		for key, mark := range snap.Marks() {
			if !strings.Contains(key, session) {
				all = append(all, fmt.Sprintf("%s %s %+v", v.Shards[i].Name, key, mark))
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n"), nil
}

// record returns the path of a run's record in the index folder, whose files can be deleted at any time.
func (a *Agent) record(id string) string {
	return filepath.Join(a.ws.IndexDir(), workspace.RunsFolder, id+".jsonl")
}

// runs returns the ids of all recorded runs.
func (a *Agent) runs() (ids []string) {
	files, _ := filepath.Glob(a.record("*")) // the pattern is valid
	return slice.Map(files, func(f string) string { return strings.TrimSuffix(filepath.Base(f), ".jsonl") })
}

// prune deletes old records.
func (a *Agent) prune() {
	for _, id := range a.runs() {
		f := a.record(id)
		if info, err := os.Stat(f); err == nil && a.ws.Options.Now().Sub(info.ModTime()) > kept {
			_ = os.Remove(f) // the next run tries again
		}
	}
}

// Day is the model usage of a day across all projects.
type Day struct {
	Day     string  `json:"day"` // in the user's time zone
	Runs    int     `json:"runs"`
	Tokens  int     `json:"tokens"`
	Dollars float64 `json:"dollars"` // of the completed runs with known prices
}

// Days returns the usage per day, newest first, for the retention time of the records. It includes runs in progress.
func (a *Agent) Days() []Day {
	sums := map[string]Day{}
	for _, id := range a.runs() {
		events, _ := a.events(id)
		for i, e := range events {
			name := e.Time.Format(time.DateOnly)
			d := sums[name]
			if d.Day, d.Tokens = name, d.Tokens+max(e.Tokens, 0); i == 0 {
				d.Runs++
			}
			if e.Result != nil {
				d.Dollars += e.Result.Spent.Dollars
			}
			sums[name] = d
		}
	}
	return slices.SortedFunc(maps.Values(sums), func(a, b Day) int { return strings.Compare(b.Day, a.Day) })
}

// usedToday returns the number of tokens used today.
func (a *Agent) usedToday() (tokens int) {
	today := a.ws.Options.Now().Format(time.DateOnly)
	for _, d := range a.Days() {
		if d.Day == today {
			tokens = d.Tokens
		}
	}
	return tokens
}

// used adds the tokens of a reply, estimated from its characters if the server does not report them. It returns an
// error if a limit is exceeded.
func (r *run) used(tokens, characters int) error {
	tokens = cmp.Or(tokens, characters/4)
	r.spent.Tokens += tokens
	r.write(Event{Kind: Replied, Text: messages.Plural(tokens, "token"), Tokens: tokens})
	if r.spent.Tokens > r.conf.Tokens {
		return fmt.Errorf("the model took %d tokens, and tokens is %d", r.spent.Tokens, r.conf.Tokens)
	}
	return r.afford()
}

// afford returns an error if the daily token limit is reached.
func (r *run) afford() error {
	if used := r.agent.usedToday(); used >= r.conf.DailyTokens {
		return fmt.Errorf("the models took %d tokens today, and daily_tokens is %d", used, r.conf.DailyTokens)
	}
	return nil
}

// events returns the events of a record, without an incomplete last line.
func (a *Agent) events(id string) (out []Event, err error) {
	b, err := os.ReadFile(a.record(id))
	for line := range bytes.Lines(b) {
		var e Event
		if json.Unmarshal(line, &e) == nil {
			out = append(out, e)
		}
	}
	return out, err
}

// report records an event and passes it to the follower. Write errors are ignored.
func (r *run) report(kind Kind, text string) {
	r.write(Event{Kind: kind, Text: text})
}

func (r *run) write(e Event) {
	e.Run, e.Time = r.id, r.agent.ws.Options.Now()
	if line, err := json.Marshal(e); err == nil {
		_, _ = r.record.Write(append(line, '\n'))
	}
	if r.question.Follow != nil {
		r.question.Follow(e)
	}
}

// ended completes the result of a run and records it.
func (r *run) ended(out Result) Result {
	out.SessionID, out.Spent, out.Caveats = r.id, r.spent, append(out.Caveats, r.caveats...)
	out.Citations, out.Cut, out.SearchedLayers = messages.Filled(out.Citations), messages.Filled(out.Cut),
		messages.Filled(out.SearchedLayers)
	out.Caveats = messages.Filled(out.Caveats)
	r.write(Event{Kind: Ended, Text: out.Answer, Result: &out, Claims: out.claims})
	return out
}

// failed records why the model gave no answer.
func (r *run) failed(err error) string {
	why := messages.Clip(r.agent.ws.Clean(strings.Join(strings.Fields(plain.Text(err)), " ")), mostReason)
	r.report(Failed, why)
	return why
}

// called records a tool call.
func (r *run) called(name string, args json.RawMessage) {
	r.report(Called, r.agent.ws.Clean(name+" "+brief(args)))
}

// returned records the result of a tool. A failed call does not count as a search.
func (r *run) returned(text string, failed bool) {
	if !failed {
		r.looks++
	}
	for _, l := range layersOf(text) {
		if !slices.Contains(r.layers, l) {
			r.layers = append(r.layers, l)
		}
	}
	r.report(Got, messages.Plural(len(text), "byte"))
}

// attachEvery is the polling interval of [Agent.Attach].
const attachEvery = 200 * time.Millisecond

// Attach passes all events of a run to follow until the run ends. It returns an error if the run does not exist or if
// its process ended without an answer.
func (a *Agent) Attach(ctx context.Context, id string, follow func(Event)) error {
	if !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(id) {
		return fmt.Errorf("%w: %q is no run: its id has 12 digits, as ask --agent prints it", messages.ErrUsage, id)
	}
	tick := time.NewTicker(attachEvery)
	defer tick.Stop()
	for seen := 0; ; {
		alive, err := a.alive(id) // check before reading the events, since the last one may arrive in between
		if err != nil {
			return err
		}
		events, err := a.events(id)
		if err != nil {
			return err
		}
		if len(events) > 0 && seen == 0 {
			if err := a.ws.CheckReach(ctx, id, events[0].Project); err != nil {
				return err
			}
		}
		for _, e := range events[min(seen, len(events)):] {
			follow(e)
		}
		seen = len(events)
		switch {
		case seen > 0 && events[seen-1].Kind == Ended:
			return nil
		case !alive:
			return &messages.Refusal{Reason: "the run " + id + " ended without an answer", Advice: "ask again",
				Err: messages.ErrNotFound}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// alive reports whether a process holds the lock on a run's record.
func (a *Agent) alive(id string) (bool, error) {
	held, err := osfile.IsLocked(a.record(id))
	if errors.Is(err, fs.ErrNotExist) {
		return false, &messages.Refusal{Reason: "there is no run " + id, Advice: "ask --agent prints the id of each",
			Err: messages.ErrNotFound}
	}
	return held, err
}
