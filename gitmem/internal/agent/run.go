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

// Kind says what an event of a run is.
type Kind string

// The kinds of events.
const (
	Started Kind = "started" // the question
	Called  Kind = "called"  // a tool and its arguments
	Got     Kind = "got"     // how much a tool returned
	Replied Kind = "replied" // the model, and what that took
	Refused Kind = "refused" // a tool that the model may not call
	Missing Kind = "missing" // a provider that gave nothing, and why
	Cut     Kind = "cut"     // a claim that does not hold
	Failed  Kind = "failed"  // why there is none of the model
	Ended   Kind = "ended"   // the answer
)

// Event is one step of a run, a line of its record.
type Event struct {
	Run    string    `json:"run"` // its id
	Time   time.Time `json:"time"`
	Kind   Kind      `json:"kind"`
	Text   string    `json:"text"`
	Tokens int       `json:"tokens,omitempty"` // that a reply took
	Result *Result   `json:"result,omitempty"` // of Ended
	Claims []claim   `json:"claims,omitempty"` // that it holds
	// Source and Content are the id and the text of what a provider returned.
	Source  string `json:"source,omitempty"`
	Content string `json:"content,omitempty"`
	// Project is that of the run: another one's are told of nowhere else.
	Project string `json:"project,omitempty"`
}

// kept is how long the records of runs are kept: they hold answers.
const kept = 48 * time.Hour

// run is a question under way. Its record is a file that it holds locked.
type run struct {
	id       string
	question Question
	task     task
	conf     config.Agent
	reach    string // see [workspace.Workspace.ReachFolder]
	agent    *Agent
	record   *os.File // nil where none can be kept, which takes no event
	layers   []string
	looks    int // calls of tools that returned something
	spent    Spent
	project  string
	// providers may be asked beside memory, obtained is what they returned, and caveats say
	// which gave nothing.
	providers []Provider
	obtained  []query.Shown
	caveats   []string
}

// begin makes the record of a run, or finds the answer that was given in the session to
// the same question when no source was another, or for the same key. A run that can keep no
// record goes on without.
func (a *Agent) begin(ctx context.Context, q Question, conf config.Agent) (*run, *Result) {
	r := &run{id: runID(q, conf, fmt.Sprint(a.ws.Options.Now().UnixNano(), os.Getpid())), question: q, conf: conf,
		project: q.project, agent: a}
	r.spent.Model, r.reach = conf.Backend+" "+conf.Model, a.ws.ReachFolder()
	if p, err := a.ws.Place(ctx); r.project == "" && err == nil {
		r.project = p.Project.ID
	}
	if q.Session != "" && len(a.ws.Policy().Config.Providers) == 0 { // whose changes can't be seen
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

// runID names a run of a question; what else makes it another one is in mark.
func runID(q Question, conf config.Agent, mark string) string {
	return store.ShortHash(fmt.Sprintf("%q %q %q %q %s", q.Session, q.Text, conf.Backend, conf.Model, mark))
}

// open makes a record and locks it. It is false if that can't be, or another run has it.
func (r *run) open(file string) bool {
	if os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return false
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600) // a lock needs both on Windows
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

// state is which sources there are and how each was last seen, without the session that
// asks, which grows.
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

// record is the file of a run, in the index's own folder: it can be deleted.
func (a *Agent) record(id string) string {
	return filepath.Join(a.ws.IndexDir(), workspace.RunsFolder, id+".jsonl")
}

// runs are the ids of all runs of which there is a record.
func (a *Agent) runs() (ids []string) {
	files, _ := filepath.Glob(a.record("*")) // the pattern is valid
	return slice.Map(files, func(f string) string { return strings.TrimSuffix(filepath.Base(f), ".jsonl") })
}

// prune deletes old records.
func (a *Agent) prune() {
	for _, id := range a.runs() {
		f := a.record(id)
		if info, err := os.Stat(f); err == nil && a.ws.Options.Now().Sub(info.ModTime()) > kept {
			_ = os.Remove(f) // the next one tries again
		}
	}
}

// Day is what models took on a day, of all projects.
type Day struct {
	Day     string  `json:"day"` // in the user's time zone
	Runs    int     `json:"runs"`
	Tokens  int     `json:"tokens"`
	Dollars float64 `json:"dollars"` // of the runs that ended and whose prices are known
}

// Days are what models took, newest first, as long as the runs are kept. Those under way count too.
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

// usedToday counts the tokens of the day.
func (a *Agent) usedToday() (tokens int) {
	today := a.ws.Options.Now().Format(time.DateOnly)
	for _, d := range a.Days() {
		if d.Day == today {
			tokens = d.Tokens
		}
	}
	return tokens
}

// used counts what a reply took, or else about that where its server does not say, and is
// an error when that is too much.
func (r *run) used(tokens, characters int) error {
	tokens = cmp.Or(tokens, characters/4)
	r.spent.Tokens += tokens
	r.write(Event{Kind: Replied, Text: messages.Plural(tokens, "token"), Tokens: tokens})
	if r.spent.Tokens > r.conf.Tokens {
		return fmt.Errorf("the model took %d tokens, and tokens is %d", r.spent.Tokens, r.conf.Tokens)
	}
	return r.afford()
}

// afford is an error when the day's tokens are used up.
func (r *run) afford() error {
	if used := r.agent.usedToday(); used >= r.conf.DailyTokens {
		return fmt.Errorf("the models took %d tokens today, and daily_tokens is %d", used, r.conf.DailyTokens)
	}
	return nil
}

// events are what a record holds; a line that is being written is left out.
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

// report records an event and tells who follows. A record that can't be written is no
// reason to give up.
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

// ended records what came of a run, and completes it.
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

// called records the call of a tool.
func (r *run) called(name string, args json.RawMessage) {
	r.report(Called, r.agent.ws.Clean(name+" "+brief(args)))
}

// returned records what a tool returned. A call that failed is no look at memory.
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

// attachEvery is how often a record is looked at for what is new.
const attachEvery = 200 * time.Millisecond

// Attach hands over the events of a run, also those that come, until it has ended. The
// error says that there is no such run, or that it ended without an answer: its process
// was killed.
func (a *Agent) Attach(ctx context.Context, id string, follow func(Event)) error {
	if !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(id) {
		return fmt.Errorf("%w: %q is no run: its id has 12 digits, as ask --agent prints it", messages.ErrUsage, id)
	}
	tick := time.NewTicker(attachEvery)
	defer tick.Stop()
	for seen := 0; ; {
		alive, err := a.alive(id) // before its events are read, of which the last may come meanwhile
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

// alive reports whether a process holds the record of a run.
func (a *Agent) alive(id string) (bool, error) {
	held, err := osfile.IsLocked(a.record(id))
	if errors.Is(err, fs.ErrNotExist) {
		return false, &messages.Refusal{Reason: "there is no run " + id, Advice: "ask --agent prints the id of each",
			Err: messages.ErrNotFound}
	}
	return held, err
}
