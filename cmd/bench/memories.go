package main

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// turn is a message of a session.
type turn struct {
	ID, Session, Speaker, Text string
	At                         time.Time
	Answers                    bool // by the assistant
}

// spoken is a set of sessions in a home, as the client stores them, with all their turns.
type spoken struct {
	home  home
	name  string // of the project
	cwd   string // of the sessions; "" for one that does not exist
	turns []turn
}

// found is one search result: a turn, or its session if the memory does not report the turn.
type found struct{ turn, session string }

// memory is a program that stores sessions and can be searched.
type memory struct {
	who     string
	missing string
	// keep stores all sessions as the program's documentation describes, and returns the search.
	keep func(ctx context.Context, of spoken) (asker, error)
}

// asker searches a memory that has stored sessions.
type asker struct {
	ask func(ctx context.Context, question string, limit int) ([]found, error)
	// renew makes it read the transcripts again; nil if it reads none.
	renew func(ctx context.Context) error
	close func()
}

// byTime returns the turn of a session at a time.
func (s spoken) byTime(session string, at time.Time) string {
	for _, t := range s.turns {
		if t.Session == session && t.At.Equal(at) {
			return t.ID
		}
	}
	return ""
}

// byID returns the session of a turn.
func (s spoken) byID(id string) found {
	for _, t := range s.turns {
		if t.ID == id {
			return found{id, t.Session}
		}
	}
	return found{turn: id}
}

// records writes the turns as the client's transcripts.
func (s spoken) records() error {
	if err := s.home.make(); err != nil {
		return err
	}
	cwd := cmp.Or(s.cwd, "/home/dev/"+s.name)
	folder := filepath.Join(s.home.client(), "projects", corpus.Munge(cwd))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	files := map[string]*strings.Builder{}
	last, ended := map[string]string{}, map[string]time.Time{}
	for _, t := range s.turns {
		b := files[t.Session]
		if b == nil {
			b = &strings.Builder{}
			files[t.Session] = b
		}
		record := map[string]any{
			"isSidechain": false, "userType": "external", "cwd": cwd, "sessionId": t.Session, "version": "2.0.0",
			"gitBranch": "main", "uuid": t.ID,
			"parentUuid": nil, "timestamp": t.At.UTC().Format("2006-01-02T15:04:05.000Z"), "type": "user",
			"message": map[string]any{"role": "user", "content": t.Text},
		}
		if last[t.Session] != "" {
			record["parentUuid"] = last[t.Session]
		}
		if t.Answers {
			record["type"] = "assistant"
			record["message"] = map[string]any{"role": "assistant", "type": "message", "model": "none",
				"content": []any{map[string]any{"type": "text", "text": t.Text}}}
		}
		line, err := json.Marshal(record)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
		last[t.Session], ended[t.Session] = t.ID, t.At
	}
	for session, b := range files {
		name := filepath.Join(folder, session+".jsonl")
		if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
			return err
		}
		if err := os.Chtimes(name, ended[session], ended[session]); err != nil { // recent ones are not archived
			return err
		}
	}
	return nil
}

// memories returns gitmem, its older program, FTS5 and the other memories that were found.
func (p *publisher) memories() []memory {
	older := p.gitmemMemory(p.olderName(), p.older, ".cache-older")
	older.missing = p.missing
	all := []memory{p.gitmemMemory(measured, p.gitmem, ""), older, p.fts5Memory()}
	for _, peer := range p.peers {
		all = append(all, memory{peer.name, peer.missing, func(ctx context.Context, of spoken) (asker, error) {
			return peer.keep(ctx, p, of)
		}})
	}
	return all
}

// gitmemMemory indexes and archives, as the client's hooks do in time.
func (p *publisher) gitmemMemory(who, program, kept string) memory {
	return memory{who: who, keep: func(ctx context.Context, of spoken) (asker, error) {
		h := of.home
		h.kept = kept
		h.own = append(h.own[:len(h.own):len(h.own)], "GITMEM_NO_BACKGROUND=1", "GITMEM_OFFLINE=1", "GITMEM_HOME="+
			filepath.Join(h.dir, "memory"+kept))
		index := func(ctx context.Context) error {
			_, err := h.run(ctx, program, "index")
			if err == nil && kept == "" && !p.quick { // whether an older program indexes for semantic search is left to it
				_, err = h.run(ctx, program, "model", "embed")
			}
			return err
		}
		for _, args := range [][]string{{"init"}, {"backfill", "--all"}} {
			if _, err := h.run(ctx, program, args...); err != nil {
				return asker{}, err
			}
		}
		ask := func(ctx context.Context, question string, limit int) (got []found, err error) {
			var list struct {
				Hits []struct{ ID, UUID, Session string }
			}
			_, err = h.answer(ctx, &list, program, "search", "--json", "--project", "all", "--layer", "transcripts,summaries",
				"--limit", strconv.Itoa(limit), "--", question)
			for _, hit := range list.Hits {
				got = append(got, found{hit.UUID, hit.Session})
			}
			return got, err
		}
		return asker{ask: ask, renew: index}, index(ctx)
	}}
}

// fts5Memory is an FTS5 table of the turns.
func (p *publisher) fts5Memory() memory {
	return memory{"FTS5", noPeer, func(ctx context.Context, of spoken) (a asker, err error) {
		self, err := os.Executable()
		if err != nil {
			return a, err
		}
		docs, db := filepath.Join(of.home.dir, "turns"), filepath.Join(of.home.dir, "turns.db")
		if _, _, err := corpus.WriteDocuments(docs, of.documents()); err != nil {
			return a, err
		}
		r := &indexRun{sessions: &sessions{setup: p.setup, home: of.home, self: self}}
		if _, err := r.buildPeer(ctx, db, docs); err != nil {
			return a, err
		}
		a.ask = func(ctx context.Context, question string, limit int) (got []found, err error) {
			s, err := r.peer(ctx, "query", db, strings.Join(contentWords(question), " "))
			if err != nil {
				return nil, err
			}
			for _, m := range regexp.MustCompile(`(?m)^\d+\. (\S+) (\S+)`).FindAllStringSubmatch(string(s.out), limit) {
				got = append(got, found{m[1], m[2]})
			}
			return got, nil
		}
		return a, nil
	}}
}

// contentWords returns the words of a question without stop words.
func contentWords(question string) (words []string) {
	stop := strings.Fields("a an and are as at be been by did do does for from had has have how in is it its of on or " +
		"our that the their there they this to was we were what when where which who whom why will with you your")
	for w := range strings.FieldsFuncSeq(strings.ToLower(question), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r > 127)
	}) {
		if !slices.Contains(stop, w) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		words = strings.Fields(question)
	}
	return words
}

// longestFirst returns the content words of a question, longest first. A search that requires all words drops
// the last ones first.
func longestFirst(question string) []string {
	words := contentWords(question)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	return words
}

// sessionsOf returns the first sessions in a list of results.
func sessionsOf(list []found, most int) (sessions []string) {
	for _, f := range list {
		if f.session != "" && !slices.Contains(sessions, f.session) {
			if sessions = append(sessions, f.session); len(sessions) == most {
				break
			}
		}
	}
	return sessions
}

// memoryScore is the score of a memory on questions.
type memoryScore struct {
	who, missing                    string
	turns, turnsOf, sessions, among int
}

func (s memoryScore) fail(err error) memoryScore {
	return memoryScore{who: s.who, missing: reason(err)}
}
