package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// sessions are invented sessions in a home, with the documents that FTS5 reads.
type sessions struct {
	*setup
	home    home
	written written
	typed   []string // queries, as a person types them
	words   []string // the same, in FTS5's form
	oldest  []edit   // to be undone
	self    string   // this program
}

// edit is a transcript that a measurement appended to, with its size before.
type edit struct {
	path string
	size int64
}

// newSessions writes a corpus below the run's folder, unless an earlier run left the same one.
func newSessions(ctx context.Context, s *setup, name string, queries int) (*sessions, error) {
	w := &sessions{setup: s, home: home{dir: filepath.Join(s.dir, name), env: s.env}}
	var err error
	if w.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if w.written, err = w.write(ctx, w.home, s.corpus, queries); err != nil {
		return nil, err
	}
	if w.typed, err = w.lines("queries"); err == nil {
		w.words, err = w.lines("queries-fts5")
	}
	if err == nil && w.typed[0] == "" {
		err = errors.New("the corpus holds no words to ask for")
	}
	return w, err
}

// write writes a corpus in a separate process, because children inherit the peak of their parent's memory.
func (w *sessions) write(ctx context.Context, h home, c corpus.Corpus, queries int) (got written, err error) {
	mark := filepath.Join(h.dir, "corpus.json")
	if b, err := os.ReadFile(mark); err == nil && json.Unmarshal(b, &got) == nil && got.Corpus == c &&
		got.Form == corpusForm && got.Asked == queries {
		return got, nil
	}
	w.tell(fmt.Sprintf("write %d messages in %d sessions, seed %d", c.Size, c.Sessions, c.Seed))
	if err := errors.Join(os.RemoveAll(h.dir), h.make()); err != nil {
		return got, err
	}
	s, err := h.answer(ctx, &got, w.self, "corpus", "-json", "-messages", strconv.Itoa(c.Size), "-sessions",
		strconv.Itoa(c.Sessions),
		"-seed", strconv.FormatUint(c.Seed, 10), "-queries", strconv.Itoa(queries), "-streams", h.dir, h.client())
	if err != nil {
		return got, err
	}
	return got, os.WriteFile(mark, s.out, 0o600)
}

func (w *sessions) lines(name string) ([]string, error) {
	b, err := os.ReadFile(filepath.Join(w.home.dir, name))
	return strings.Split(strings.TrimSpace(string(b)), "\n"), err
}

// transcripts returns the files of the sessions of a home.
func transcripts(h home) ([]string, error) {
	return filepath.Glob(filepath.Join(h.client(), "projects", "*", "*.jsonl"))
}

// more writes n new messages in four sessions to a separate folder and returns it; the messages depend on
// number.
func (w *sessions) more(ctx context.Context, number, n int) (home, error) {
	h := home{dir: filepath.Join(w.dir, "new", strconv.Itoa(number)), env: w.env}
	_, err := w.write(ctx, h, corpus.Corpus{Size: n, Sessions: min(4, n), Seed: w.corpus.Seed + 1000 + uint64(number)}, 1)
	return h, err
}

// grow appends new sessions to some of the corpus, as if those had continued. It records the original sizes
// once.
func (w *sessions) grow(from home, number int) error {
	news, err := transcripts(from)
	if err != nil {
		return err
	}
	olds, err := transcripts(w.home)
	if err != nil {
		return err
	}
	for i, name := range news {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		old := olds[(number*len(news)+i)*7919%len(olds)]
		if !slices.ContainsFunc(w.oldest, func(e edit) bool { return e.path == old }) {
			info, err := os.Stat(old)
			if err != nil {
				return err
			}
			w.oldest = append(w.oldest, edit{old, info.Size()})
		}
		if err := appendTo(old, b); err != nil {
			return err
		}
	}
	return nil
}

// takeBack truncates the transcripts to their original size, for a later run in this folder.
func (w *sessions) takeBack() error {
	var errs []error
	for _, e := range w.oldest {
		errs = append(errs, os.Truncate(e.path, e.size))
	}
	w.oldest = nil
	return errors.Join(errs...)
}

// search returns the command line of a search.
func search(words string) []string {
	return []string{"search", "--project", "all", "--limit", "20", "--", words}
}

// index brings the index up to date.
func (w *sessions) index(ctx context.Context) (spent, error) {
	return w.home.run(ctx, w.gitmem, "index")
}

// indexed returns how many documents the index contains, without a refresh.
func (w *sessions) indexed(ctx context.Context) (int, error) {
	var shards []struct {
		Docs int `json:"docs"`
	}
	_, err := w.home.answer(ctx, &shards, w.gitmem, "index", "status", "--json")
	n := 0
	for _, s := range shards {
		n += s.Docs
	}
	return n, err
}
