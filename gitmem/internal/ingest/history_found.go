package ingest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

const (
	// mostFound is how many of the commits that wait are indexed for a question, and mostWords
	// how many of its words they are looked through for.
	mostFound, mostWords = 200, 16
	// messagesTime bounds how long messages are read for a question.
	messagesTime = 5 * time.Second
	// titleWeight is how much more a word counts in the first line of a message.
	titleWeight = 1.5
)

// messageSearch looks through the messages of a history for words, in a goroutine.
type messageSearch struct {
	stems  []string
	found  []foundCommit // the newest first
	counts [mostWords]int
	all    int // commits that were looked through
	err    error
	done   chan struct{} // closed when the goroutine ends
}

// foundCommit is a commit with the numbers of the stems that its message holds: as bits, those of
// the first line mostWords higher.
type foundCommit struct {
	id   string
	held uint32
}

// LookThrough begins to look through the messages of a place's history for the words of a question,
// where not all of it is indexed: [Sources.AddWaiting] uses what it finds.
func (src *Sources) LookThrough(ctx context.Context, p *workspace.Place, words string) {
	stems := stemsOf(words)
	if !p.InRepo || src.ws.Frozen != nil || src.looked != nil || len(stems) == 0 {
		return
	}
	marks := src.historyShard(ctx, p, nil).Index.Marks()
	if _, pending := marks[BareKey]; marks != nil && !pending {
		return
	}
	m := &messageSearch{stems: stems, done: make(chan struct{})}
	src.looked = m
	src.running.Go(func() {
		defer close(m.done)
		repo, err := src.ws.OpenRepository(p)
		if err != nil {
			m.err = err
			return
		}
		m.err = errors.Join(m.run(ctx, repo, src.ws.Options.Now), repo.Close())
	})
}

// run reads as many messages as there is time for.
func (m *messageSearch) run(ctx context.Context, repo *git.Repository, now func() time.Time) error {
	within, cancel := deadline.After(ctx, now, messagesTime)
	defer cancel()
	var lower []byte
	err := git.NewSource(repo).Messages(within, func(id string, _ int64, message string) {
		m.all++
		lower = appendLower(lower[:0], message)
		held := m.held(lower)
		for i := range m.stems {
			m.counts[i] += int(held >> i & 1)
		}
		if held != 0 {
			m.found = append(m.found, foundCommit{id, held})
		}
	})
	if within.Err() != nil {
		return ctx.Err()
	}
	return err
}

// best are the ids of those commits that hold the most and the rarest words and are not indexed, of
// equal ones the newest.
func (m *messageSearch) best(indexed *index.Snapshot) []string {
	score := func(c foundCommit) (sum float64) {
		for i := range m.stems {
			idf := math.Log(1 + float64(m.all)/float64(max(m.counts[i], 1)))
			switch c.held >> i & (1 | 1<<mostWords) {
			case 1:
				sum += idf
			case 1 | 1<<mostWords:
				sum += titleWeight * idf
			}
		}
		return sum
	}
	list := slices.DeleteFunc(slices.Clone(m.found), func(c foundCommit) bool {
		_, is := indexed.Find(c.id)
		return is
	})
	slices.SortStableFunc(list, func(a, b foundCommit) int { return cmp.Compare(score(b), score(a)) })
	list = list[:min(len(list), mostFound)]
	return slice.Map(list, func(c foundCommit) string { return c.id })
}

// AddWaiting adds to what a question is answered from an index of those commits that wait to be
// indexed and were found by [Sources.LookThrough]. It lies among the indexes of the past, for a
// question that is asked again.
func (src *Sources) AddWaiting(ctx context.Context, p *workspace.Place, o *Opened, words string) {
	i := slices.IndexFunc(o.Shards, func(s Shard) bool { return s.History != nil })
	if i < 0 || o.Snaps[i] == nil {
		return
	}
	if _, pending := o.Snaps[i].Mark(BareKey); !pending {
		return
	}
	if src.LookThrough(ctx, p, words); src.looked == nil {
		return
	}
	state := store.ShortHash(o.Shards[i].Index.Dir() + "\x00" + o.Shards[i].Index.Generation() + "\x00" +
		strings.Join(src.looked.stems, " "))
	s := src.frozenShard("found", state, o.Shards[i].History.foundPlan(ctx, src.looked, o.Snaps[i]))
	s.Name = o.Shards[i].Name
	snap, err := src.snapshot(ctx, s)
	if err != nil {
		return // it is said that older commits are not indexed
	}
	src.ws.Caveat("Of the older ones, the %s whose messages hold most of the question were searched.",
		messages.Plural(snap.Live(), "commit"))
	o.Shards, o.Snaps = append(o.Shards, s), append(o.Snaps, snap)
	src.keepFrozen(ctx, []Shard{s})
}

// foundPlan indexes the commits that a search found, unless the question was asked before.
func (f *historySource) foundPlan(ctx context.Context, m *messageSearch, indexed *index.Snapshot) Planner {
	return func(_ map[string]index.Mark, st index.State) (index.Update, error) {
		if st == index.Current {
			return index.Update{}, nil
		}
		<-m.done
		if m.err != nil {
			return index.Update{}, fmt.Errorf("look through messages: %w", m.err)
		}
		return index.Update{Docs: func(yield func(index.Doc, error) bool) {
			_, err := git.NewSource(f.repo).Items(ctx, m.best(indexed), func(it providers.Item) error {
				return f.give(it, false, yield)
			})
			if err != nil && !errors.Is(err, errStopped) {
				yield(index.Doc{}, err)
			}
		}}, nil
	}
}

// held are the bits of the stems that a message in lower case holds.
func (m *messageSearch) held(message []byte) (bits uint32) {
	title := bytes.IndexByte(message, '\n')
	if title < 0 {
		title = len(message)
	}
	for i, stem := range m.stems {
		switch at := wordBegins(message, stem); {
		case at >= title:
			bits |= 1 << i
		case at >= 0:
			bits |= (1 | 1<<mostWords) << i
		}
	}
	return bits
}

// wordBegins is where a word with a stem begins first, -1 for nowhere.
func wordBegins(text []byte, stem string) int {
	for from := 0; ; {
		at := bytes.Index(text[from:], []byte(stem))
		if at < 0 {
			return -1
		}
		if at += from; at == 0 || !isLetterOrDigit(text[at-1]) {
			return at
		}
		from = at + 1
	}
}

func isLetterOrDigit(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80
}

// appendLower appends a text with its ASCII letters in lower case.
func appendLower(b []byte, text string) []byte {
	n := len(b)
	b = append(b, text...)
	for i, c := range b[n:] {
		if c >= 'A' && c <= 'Z' {
			b[n+i] = c + 'a' - 'A'
		}
	}
	return b
}

// stemsOf are the beginnings of the words of a question that their other forms have too.
func stemsOf(words string) (out []string) {
	words = strings.ToLower(words)
	wanted := index.QueryTerms(words)
	for _, t := range index.Words(words) {
		if !slices.Contains(wanted, t.Term) || len(out) == mostWords {
			continue
		}
		word := words[t.Start:t.End]
		n := 0
		for n < min(len(word), len(t.Term)) && word[n] == t.Term[n] {
			n++
		}
		if n < 3 {
			n = len(word)
		}
		if !slices.Contains(out, word[:n]) {
			out = append(out, word[:n])
		}
	}
	return out
}
