// Package corpus generates invented sessions of a coding agent, in the client's format.
//
// A [Corpus] is determined by its numbers: the same seed gives the same bytes. Words follow Zipf's law, and
// the vocabulary grows with the text as in real sessions: there are always new names, identifiers, paths,
// hashes and numbers. Each session is about a few subjects of its own, so that a query has better and worse
// answers.
package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

// Corpus describes invented sessions.
type Corpus struct {
	Size     int    `json:"messages"` // records with a message, at least one per session
	Sessions int    `json:"sessions"`
	Seed     uint64 `json:"seed"`
}

// Written has the actual sizes of a corpus.
type Written struct {
	Messages, Sessions int
	Texts, Files       int64 // bytes of the messages' texts, and of the files
}

// begin returns the first day of a corpus. It covers a year.
func begin() time.Time { return time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) }

const year = 365 * 24 * time.Hour

// longShare is how many of a thousand results are 4 to 20 KB long, which is 1.1 % of all messages.
const longShare = 35

// Write writes the corpus below dir, in the client's layout: projects/<folder>/<session>.jsonl. Files with
// the same names are replaced.
func (c Corpus) Write(ctx context.Context, dir string) (Written, error) {
	if c.Sessions < 1 || c.Size < c.Sessions {
		return Written{}, fmt.Errorf("a corpus of %d messages in %d sessions: each session needs one at least",
			c.Size, c.Sessions)
	}
	l, sizes := newLexicon(), c.sizes()
	for _, p := range l.projects {
		if err := os.MkdirAll(filepath.Join(dir, "projects", Munge(folderOf(p))), 0o700); err != nil {
			return Written{}, err
		}
	}
	var texts, files atomic.Int64
	err := inParallel(ctx, c.Sessions, func(i int) error {
		s := c.session(l, i, sizes[i])
		name := filepath.Join(dir, "projects", Munge(s.cwd), s.envelope.session+".jsonl")
		s.write()
		texts.Add(s.bytes)
		files.Add(int64(len(s.out)))
		return os.WriteFile(name, s.out, 0o600)
	})
	return Written{Messages: c.Size, Sessions: c.Sessions, Texts: texts.Load(), Files: files.Load()}, err
}

// inParallel calls do n times, with as many calls at once as there are processors. An error ends its worker,
// and all of them end with ctx.
func inParallel(ctx context.Context, n int, do func(i int) error) error {
	var next atomic.Int64
	errs := make([]error, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for w := range errs {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && errs[w] == nil; i = int(next.Add(1)) - 1 {
				if errs[w] = ctx.Err(); errs[w] == nil {
					errs[w] = do(i)
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Messages yields each message of the corpus, in the order of sessions.
func (c Corpus) Messages() iter.Seq[Message] {
	return func(yield func(Message) bool) {
		l, sizes := newLexicon(), c.sizes()
		for i := range c.Sessions {
			s := c.session(l, i, sizes[i])
			var said []Message
			s.hear = func(m Message) { said = append(said, m) }
			s.write()
			for _, m := range said {
				if !yield(m) {
					return
				}
			}
		}
	}
}

// Munge returns the client's name for the sessions of a folder.
func Munge(folder string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, folder)
}

func folderOf(p project) string { return path.Join("/home/dev/src", p.name) }

// sizes distributes the messages over the sessions: many short ones and a few that are very long.
func (c Corpus) sizes() []int {
	r := rand.New(rand.NewPCG(c.Seed, 0))
	weights, sum := make([]float64, c.Sessions), 0.0
	for i := range weights {
		weights[i] = math.Exp(r.NormFloat64())
		sum += weights[i]
	}
	sizes, left := make([]int, c.Sessions), c.Size-c.Sessions
	rest := left
	for i, w := range weights {
		sizes[i] = 1 + int(float64(left)*w/sum)
		rest -= sizes[i] - 1
	}
	for i := 0; rest > 0; i, rest = i+1, rest-1 {
		sizes[i%c.Sessions]++
	}
	return sizes
}

// session prepares the session with a number; sessions follow each other in time.
func (c Corpus) session(l *lexicon, i, messages int) *session {
	r := rand.New(rand.NewPCG(c.Seed, uint64(i)<<1|1))
	p := int(rand.NewZipf(r, 1.3, 3, uint64(len(l.projects)-1)).Uint64())
	s := &session{scribe: newScribe(l, c.Seed, uint64(i+1)<<1, p), left: messages, long: longShare}
	day := year / time.Duration(c.Sessions) * time.Duration(i)
	s.at = begin().Add(day + time.Duration(r.Int64N(int64(time.Hour))))
	s.envelope.session, s.cwd, s.branch = uuid(r.Uint64(), r.Uint64()), folderOf(l.projects[p]), "main"
	if r.IntN(2) == 0 {
		s.branch = "feature/" + l.nouns[r.IntN(len(l.nouns))]
	}
	return s
}
