package agent

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Kind says what an event of a run is.
type Kind string

// The kinds of events.
const (
	Started Kind = "started" // the question
	Called  Kind = "called"  // a tool and its arguments
	Got     Kind = "got"     // how much a tool returned
	Refused Kind = "refused" // a tool that the model may not call
	Cut     Kind = "cut"     // a claim that does not hold
	Failed  Kind = "failed"  // why the answer is the extractive one
	Ended   Kind = "ended"   // the answer
)

// Event is one step of a run, a line of its record.
type Event struct {
	Run    string    `json:"run"` // its id
	Time   time.Time `json:"time"`
	Kind   Kind      `json:"kind"`
	Text   string    `json:"text"`
	Result *Result   `json:"result,omitempty"` // of Ended
	Spent  *Spent    `json:"spent,omitempty"`  // of Ended
}

// kept is how long the records of runs are kept.
const kept = 30 * 24 * time.Hour

// run is a question under way. Its record is a file that it holds locked.
type run struct {
	id       string
	question Question
	conf     config.Agent
	dir      string // that the tools look at
	now      func() time.Time
	clean    func(string) string
	record   *os.File
	layers   []string
	spent    Spent
}

// records is the folder of the records, which the index's own folder holds: they can be
// deleted.
func (a *Agent) records() string { return filepath.Join(a.ws.IndexDir(), "agent") }

// begin makes the record of a run, or finds the answer that was given in the session to
// the same question when no source was another.
func (a *Agent) begin(ctx context.Context, q Question, conf config.Agent) (*run, *Result, error) {
	mark := fmt.Sprint(a.ws.Options.Now().UnixNano(), os.Getpid())
	if q.Session != "" {
		state, err := a.state(ctx, q.Session)
		if err != nil {
			return nil, nil, err
		}
		mark = state
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %s", q.Session, q.Text, conf.Backend, conf.Model, mark))
	id := fmt.Sprintf("%x", sum[:6])
	if q.Session != "" {
		if events, err := a.events(id); err == nil && len(events) > 0 {
			if last := events[len(events)-1]; last.Result != nil && last.Result.Success {
				return nil, last.Result, nil
			}
		}
	}
	if err := os.MkdirAll(a.records(), 0o700); err != nil {
		return nil, nil, err
	}
	a.prune()
	f, err := os.OpenFile(filepath.Join(a.records(), id+".jsonl"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, err
	}
	free, err := osfile.TryLock(f)
	if err == nil && !free {
		err = &messages.Refusal{Reason: "the same question is being researched: " + id, Advice: "see it with gitmem attach " + id, Err: messages.ErrUsage}
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	r := &run{id: id, question: q, conf: conf, dir: a.ws.Options.Dir, now: a.ws.Options.Now, clean: a.ws.Clean, record: f}
	r.spent.Model = conf.Backend + " " + conf.Model
	r.report(Started, a.ws.Clean(q.Text))
	return r, nil, nil
}

// state is which sources there are and how each was last seen, without the session that
// asks, which grows.
func (a *Agent) state(ctx context.Context, session string) (string, error) {
	inScope, err := a.ws.ScopeOf(ctx, "")
	if err != nil {
		return "", err
	}
	v, err := a.reader.View(ctx, inScope)
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

// prune deletes old records.
func (a *Agent) prune() {
	files, _ := filepath.Glob(filepath.Join(a.records(), "*.jsonl")) // the pattern is valid
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && a.ws.Options.Now().Sub(info.ModTime()) > kept {
			_ = os.Remove(f) // the next one tries again
		}
	}
}

// usedToday counts the tokens of the day's other runs.
func (a *Agent) usedToday(except string) (tokens int) {
	today := a.ws.Options.Now().Format(time.DateOnly)
	files, _ := filepath.Glob(filepath.Join(a.records(), "*.jsonl"))
	for _, f := range files {
		id := strings.TrimSuffix(filepath.Base(f), ".jsonl")
		events, err := a.events(id)
		if err != nil || id == except {
			continue
		}
		for _, e := range events {
			if e.Spent != nil && e.Time.Format(time.DateOnly) == today {
				tokens += e.Spent.Tokens
			}
		}
	}
	return tokens
}

// events are what a record holds; a line that is being written is left out.
func (a *Agent) events(id string) (out []Event, err error) {
	b, err := os.ReadFile(filepath.Join(a.records(), id+".jsonl"))
	for line := range bytes.Lines(b) {
		var e Event
		if json.Unmarshal(line, &e) == nil {
			out = append(out, e)
		}
	}
	return out, err
}

// end closes the record, and with it its lock.
func (r *run) end() { _ = r.record.Close() }

// report records an event and tells who follows. A record that can't be written is no
// reason to give up.
func (r *run) report(kind Kind, text string) {
	r.write(Event{Kind: kind, Text: text})
}

func (r *run) write(e Event) {
	e.Run, e.Time = r.id, r.now()
	if line, err := json.Marshal(e); err == nil {
		_, _ = r.record.Write(append(line, '\n'))
	}
	if r.question.Follow != nil {
		r.question.Follow(e)
	}
}

func (r *run) ended(out Result) {
	r.write(Event{Kind: Ended, Text: out.Answer, Result: &out, Spent: &r.spent})
}

// called records the call of a tool.
func (r *run) called(name string, args json.RawMessage) {
	r.report(Called, r.clean(name+" "+brief(args)))
}

// returned records what a tool returned.
func (r *run) returned(text string) {
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
		for _, e := range events[min(seen, len(events)):] {
			follow(e)
		}
		seen = len(events)
		switch {
		case seen > 0 && events[seen-1].Kind == Ended:
			return nil
		case !alive:
			return &messages.Refusal{Reason: "the run " + id + " ended without an answer", Advice: "ask again", Err: messages.ErrNotFound}
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
	f, err := os.OpenFile(filepath.Join(a.records(), id+".jsonl"), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, &messages.Refusal{Reason: "there is no run " + id, Advice: "ask --agent prints the id of each", Err: messages.ErrNotFound}
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	free, err := osfile.TryLock(f)
	return !free, err
}
